// An MQTT broker as a peer: what is published below `events`.
import { PASSWORD, startBroker, USER } from '../mqtt-broker.ts';
import type { Peer, Trouble } from './peer.ts';

interface Document {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly notification: { readonly title: string; readonly body: string } };
}

const TROUBLES = { limited: 'unavailable', refused: 'refused', saysBack: 'refused' } as const;

export async function mqttPeer(): Promise<Peer> {
  const broker = await startBroker({ signIn: true });
  /** By its id a subscriber drops a repeat. */
  const events = (): ReadonlyMap<string, Document> =>
    new Map(
      broker.handed
        .filter(({ topic }) => topic.endsWith('/events'))
        .map(({ payload }) => JSON.parse(payload) as Document)
        .map((document) => [document.id, document]),
    );
  return {
    port: broker.port,
    settings: (port) => ({ url: `mqtt://127.0.0.1:${port}`, user: USER, password: PASSWORD }),
    secrets: [PASSWORD],
    titles: () => [...events().values()].map(({ data }) => data.notification.title),
    seen: () =>
      [...events()].map(([id, { type, data }]) => {
        const { title, body } = data.notification;
        return { id, lines: [`${type}: ${title}`, ...body.split('\n').filter((line) => line !== '')] };
      }),
    // PUBACK: the broker has a message.
    acted: (answers) => answers.includes('\x40\x02'),
    trouble: (kind: Trouble) => broker.trouble(kind === null ? null : TROUBLES[kind]),
  };
}
