// How a session stands now: what the session record cannot know any more is said as such.
import type { SessionRecord, SessionState } from './session.ts';

/** A session without a word for this long (ms), whose process nobody sees, may be over: nobody knows. */
const UNCERTAIN = 12 * 3_600_000;
const OVER: ReadonlySet<SessionState> = new Set<SessionState>(['ended', 'failed']);

/** What a session in the background waits for. */
function background(record: SessionRecord): SessionRecord {
  const running = record.running.map((work) => work.label ?? work.type).join(', ');
  return { ...record, waitingFor: running === '' ? 'background work' : running };
}

/** The row as it stands at `now`, Unix ms: state `unknown`, never a guess at its death, where nobody can tell. */
export function effectiveState(record: SessionRecord, now: number): SessionRecord {
  if (record.state === 'background' && record.waitingFor === null) return effectiveState(background(record), now);
  if (OVER.has(record.state) || record.process !== null || now - record.lastEvent <= UNCERTAIN) return record;
  return { ...record, state: 'unknown', since: record.lastEvent, waitingFor: null };
}
