// A push service as a peer, with one browser: what a notification of it would show.
import { startPushService } from '../push-service.ts';
import { subscribeIn } from '../subscribed.ts';
import { addressAt, type Peer, portOf, type Seen, type Trouble } from './peer.ts';

const BROWSER = 'k3y5n8m2q7r4t6w9';

export async function webPushPeer(): Promise<Peer> {
  const service = await startPushService();
  const { endpoint, keys } = service.subscribe(BROWSER);
  /** A browser replaces what has the same tag, and shows a repeat once. */
  const shown = () => new Map(service.pushed.map(({ message }) => [String(message['tag']), message]));
  const linesOf = (message: Readonly<Record<string, unknown>>): string[] => [
    String(message['title']),
    ...String(message['body'])
      .split('\n')
      .filter((line) => line !== ''),
  ];
  return {
    port: portOf(service.receiver),
    settings: () => ({}),
    secrets: [BROWSER, keys.auth],
    prepare: async (stateFolder, port) => {
      await subscribeIn(stateFolder, { endpoint: endpoint.replace(service.url, addressAt(port)), keys });
    },
    titles: () => [...new Map(service.pushed.map(({ message }) => [message['id'], String(message['title'])])).values()],
    seen: () => [...shown()].map(([id, message]): Seen => ({ id, lines: linesOf(message) })),
    decrypted: () => JSON.stringify(service.pushed),
    trouble: (kind: Trouble) => {
      service.answers =
        kind === null
          ? null
          : kind === 'limited'
            ? { status: 429, headers: { 'retry-after': '2' } }
            : { status: 403, body: `no such key: ${BROWSER} ${keys.auth}` };
    },
  };
}
