// What an event may join: groups and storms that wait or were sent a moment ago, and what its session was sent in the last minute.
import type { Config } from '../model/config.ts';
import { GROUP_HOLD, STORM_HOLD } from '../model/holds.ts';
import { type Facts, STORM } from '../pipeline/index.ts';
import type { StoreReader } from '../store/contract.ts';

/** Most notifications of a session looked at for those of the last minute: the latest. */
const MOST_IN_A_MINUTE = 100;

/** `threadKey`: the session's; null: of none. `now`: Unix ms. */
export async function groupFacts(
  store: Pick<StoreReader, 'timersBeginning' | 'plannedSends'>,
  { routes }: Pick<Config, 'routes'>,
  threadKey: string | null,
  now: number,
): Promise<Pick<Facts, 'groupTimers' | 'plannedSends'>> {
  const isGrouped = routes.some(({ group }) => group !== undefined);
  const [groups, storms, plannedSends] = await Promise.all([
    isGrouped ? store.timersBeginning(GROUP_HOLD) : [],
    store.timersBeginning(STORM_HOLD),
    threadKey === null ? new Map() : store.plannedSends(threadKey, now - STORM.windowMs, MOST_IN_A_MINUTE),
  ]);
  return { groupTimers: new Map([...groups, ...storms].map((timer) => [timer.id, timer])), plannedSends };
}
