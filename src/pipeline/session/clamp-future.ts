// A clock that was set back: what a session's row holds of what is now the future counts as just before this input.
import type { SessionRecord } from '../../model/session/session.ts';

/** The row as it is compared with an input that began at `startedAt`; `now`: Unix ms. Its marks stay: nothing is near one in the future. */
export function clampFuture(record: SessionRecord, startedAt: number, now: number): SessionRecord {
  if (Math.max(record.since, record.lastEvent) <= now) return record;
  const before = (at: number): number => (at > now ? Math.min(at, startedAt) : at);
  const known = (at: number | null): number | null => (at === null ? null : before(at));
  return {
    ...record,
    since: before(record.since),
    lastEvent: before(record.lastEvent),
    turnStarted: known(record.turnStarted),
    promptedAt: known(record.promptedAt),
    finishedSincePrompt: known(record.finishedSincePrompt),
  };
}
