// The sessions that stand still, as the store knows them.
import type { SessionRecord } from '../../model/session/session.ts';
import { type StoppedSession, stoppedBy } from '../../model/session/stopped.ts';
import { memoryOf } from '../../pipeline/index.ts';
import type { StoreReader } from '../../store/contract.ts';

const DAY = 86_400_000;
/** What stopped longer ago (ms) is of a window that is over. */
export const LONGEST = 8 * DAY;

/** All of them. `now`: Unix ms. */
export async function allStopped(
  store: Pick<StoreReader, 'sessions' | 'event'>,
  now: number,
): Promise<readonly StoppedSession[]> {
  const found = await store.sessions({ since: now - LONGEST });
  const failed = found.filter(({ state }) => state === 'failed');
  const stopped = await Promise.all(failed.map((one) => stoppedOf(one, store)));
  return stopped.filter((one) => one !== null);
}

/** Null: it has not stopped. */
export async function stoppedOf(
  record: SessionRecord | null,
  store: Pick<StoreReader, 'event'>,
): Promise<StoppedSession | null> {
  const { failure } = memoryOf(record);
  if (record === null || failure === undefined) return null;
  const failed = (await store.event(failure.id))?.event;
  return failed === undefined ? null : stoppedBy(record, failed);
}

/** How often the settings let it go on within a day. `now`: Unix ms. */
export async function timesWentOn(
  { sessionId: session }: SessionRecord,
  store: Pick<StoreReader, 'events'>,
  now: number,
): Promise<number> {
  const events = await store.events({ kinds: ['agent.other'], session, since: now - DAY });
  return events.filter(({ event }) => event.detail === 'continued' && event.attributes['by'] === null).length;
}
