// The effective state of a session now: `unknown` where the record is too old to be trusted.
import { limitOf, limitWords } from '../agent/limits.ts';
import type { SessionRecord, SessionState } from './session.ts';

/** After this much silence (ms), a session without a known process may be over. */
const UNCERTAIN = 12 * 3_600_000;
const OVER: ReadonlySet<SessionState> = new Set<SessionState>(['ended', 'failed']);

/** After this much silence (ms), a session whose process cannot be checked counts as over. */
const FORGOTTEN = 7 * 24 * 3_600_000;

/** Whether a session may still go on: its end is not known, and its process is, or it was heard of in the last week. `now`: Unix ms. */
export function isLive({ state, process, lastEvent }: SessionRecord, now: number): boolean {
  return !OVER.has(state) && (process !== null || now - lastEvent <= FORGOTTEN);
}

/** What a session in the background waits for. */
function background(record: SessionRecord): SessionRecord {
  const running = record.running.map((work) => work.label ?? work.type).join(', ');
  return { ...record, waitingFor: running === '' ? 'background work' : running };
}

/** The row as of `now`, Unix ms: state `unknown` where its process cannot be checked, never a guess. */
export function effectiveState(record: SessionRecord, now: number): SessionRecord {
  if (record.state === 'background' && record.waitingFor === null) return effectiveState(background(record), now);
  const limit = record.waitingFor === null && record.state !== 'ended' ? limitOf(record) : null;
  if (limit !== null) return { ...record, waitingFor: limitWords(limit.name) };
  if (OVER.has(record.state) || record.process !== null || now - record.lastEvent <= UNCERTAIN) return record;
  return { ...record, state: 'unknown', since: record.lastEvent, waitingFor: null };
}

/** Those that need somebody come first, those that are over last. */
const ORDER: readonly SessionState[] = [
  ...(['waiting', 'failed', 'working', 'background', 'started'] as const),
  ...(['finished', 'unknown', 'ended'] as const),
];

/** For sorting: by what they need, then the latest event first. */
export function compareSessions(a: SessionRecord, b: SessionRecord): number {
  return ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || b.lastEvent - a.lastEvent;
}
