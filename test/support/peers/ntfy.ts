// ntfy's stand-in as a peer.
import { type NtfyMessage, startNtfyServer } from '../ntfy-server.ts';
import { addressAt, json, type Peer, portOf, type Seen, troubleOf } from './peer.ts';

const TOPIC = 'belfry-k3y5n8m2q7r4t6w9';
/** Tags that apps show as emoji before the title. */
const EMOJI: Readonly<Record<string, string>> = { rotating_light: '🚨', warning: '⚠️', white_check_mark: '✅' };

export async function ntfyPeer(): Promise<Peer> {
  const server = await startNtfyServer();
  server.rules.requests = server.rules.left = 1_000;
  const error = (code: number, http: number, text: string) => json(http, { code, http, error: text });
  const refusals = {
    limited: error(42901, 429, 'limit reached: too many requests'),
    refused: error(40301, 403, 'forbidden'),
  };
  return {
    port: portOf(server),
    settings: (port) => ({ server: addressAt(port), topic: TOPIC }),
    secrets: [TOPIC],
    // A message of the same sequence replaces the earlier one.
    titles: () => [
      ...new Map(server.published.map(({ sequence_id: id, title = '' }) => [id ?? title, title])).values(),
    ],
    seen: () => shown(server.published),
    trouble: troubleOf(server, refusals, [TOPIC]),
  };
}

function shown(published: readonly NtfyMessage[]): readonly Seen[] {
  const now = new Map<string, Seen>();
  for (const { id, event, sequence_id: sequence = id, title = '', message = '', priority, tags = [] } of published) {
    const emoji = tags.map((tag) => `${EMOJI[tag] ?? tag} `).join('');
    if (event === 'message')
      now.set(sequence, {
        id: sequence,
        lines: [`${emoji}${title}`, ...message.split('\n'), `(priority ${priority})`],
      });
    else now.delete(sequence);
  }
  return [...now.values()];
}
