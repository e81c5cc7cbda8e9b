// What a store knows for one decision.
import type { DecisionFacts, FactsKey, Store } from '../../src/store/contract.ts';
import { ENDED_BY_SESSION } from '../../src/model/notification/notification.ts';
import { NOON } from './made.ts';

/** Of no session and no other event, unless it is said. */
export async function factsOf(store: Pick<Store, 'factsFor'>, of: Partial<FactsKey> = {}): Promise<DecisionFacts> {
  const [facts] = await store.factsFor([
    {
      eventId: 'nothing',
      now: NOON,
      session: null,
      same: null,
      byOthers: null,
      children: null,
      ends: ENDED_BY_SESSION,
      events: () => [],
      sends: { since: NOON, least: 0, most: 100 },
      ...of,
    },
  ]);
  if (facts === undefined) throw new Error('the store says nothing');
  return facts;
}
