// Pushover's stand-in as a peer.
import { startPushover, TOKEN, USER } from '../pushover-server.ts';
import { addressAt, json, type Peer, portOf, troubleOf } from './peer.ts';

export async function pushoverPeer(): Promise<Peer> {
  const server = await startPushover();
  const refusals = {
    limited: { status: 429, headers: { 'retry-after': '2' }, body: 'too many requests' },
    refused: json(400, { status: 0, token: 'invalid', errors: ['application token is invalid'] }),
  };
  const stateOf = (receipt: string | null): string =>
    receipt === null ? '' : server.alarms.get(receipt)?.cancelled ? ', alarm ended' : ', alarm until acknowledged';
  return {
    port: portOf(server),
    settings: (port) => ({ api_url: `${addressAt(port)}/1`, token: TOKEN, user: USER, emergency: true }),
    secrets: [TOKEN, USER],
    titles: () => server.pushed.map(({ title }) => title),
    seen: () =>
      server.pushed.map(({ title, message, priority, receipt }, index) => ({
        id: String(index),
        lines: [title, ...message.split('\n'), `(priority ${priority}${stateOf(receipt)})`],
      })),
    trouble: troubleOf(server, refusals, [TOKEN, USER]),
  };
}
