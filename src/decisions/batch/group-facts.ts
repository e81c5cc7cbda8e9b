// What is read of groups and storms for a decision: the timers of those that an event joins or ends, and no others, however many are set.
import type { Notification } from '../../model/notification/notification.ts';
import type { Timer } from '../../model/event/verdict.ts';
import { type InputState, STORM, type Undecided } from '../../pipeline/index.ts';
import type { FactsKey, StoreReader } from '../../store/contract.ts';

/** Most notifications of a session looked at for those of the last minute: the latest. */
const MOST_IN_A_MINUTE = 100;

type Reads = Pick<StoreReader, 'timers'>;

async function byId(ids: readonly string[], store: Reads): Promise<ReadonlyMap<string, Timer>> {
  return new Map((await store.timers(ids)).map((timer) => [timer.id, timer]));
}

/** The timers of groups and storms that were sent. */
export function groupTimersOf(groups: readonly Notification[], store: Reads): Promise<ReadonlyMap<string, Timer>> {
  return byId(
    groups.map(({ threadKey }) => threadKey),
    store,
  );
}

/** What a session was sent in the last minute, where it may be a storm; `now`: Unix ms. */
export const recentSends = (now: number): FactsKey['sends'] => ({
  since: now - STORM.windowMs,
  least: STORM.limit,
  most: MOST_IN_A_MINUTE,
});

/** Decides the rest, knowing when what the event joins goes out. */
export async function decideRest({ holds, rest }: Undecided, store: Reads): Promise<InputState> {
  return rest(holds.length === 0 ? new Map() : await byId(holds, store));
}
