// The Teams workflow as a peer.
import { linesOf, PATH, QUERY, SIGNATURE, startTeams } from '../teams-server.ts';
import { addressAt, json, type Peer, portOf, troubleOf } from './peer.ts';

export async function teamsPeer(): Promise<Peer> {
  const server = await startTeams();
  const refusals = {
    limited: json(429, { error: { code: 'WorkflowTriggerRateLimited' } }, { 'retry-after': '2' }),
    refused: json(401, { error: { code: 'DirectApiAuthorizationRequired' } }),
  };
  return {
    port: portOf(server),
    settings: (port) => ({ url: `${addressAt(port)}${PATH}${QUERY}` }),
    secrets: [SIGNATURE],
    titles: () => server.cards.map((card) => linesOf(card)[0] ?? ''),
    seen: () => server.cards.map((card, index) => ({ id: String(index), lines: linesOf(card) })),
    trouble: troubleOf(server, refusals, [SIGNATURE, PATH + QUERY]),
  };
}
