// What comes after the end of a session changes nothing, until it is started again or given a prompt.
import type { SessionSignal } from '../../model/agent/agent.ts';
import type { Event } from '../../model/event/event.ts';
import { isOvertaken, turnOver } from './idle.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import { notifiedOf } from '../who-hears/notified-channels.ts';
import type { Facts } from '../pipeline-state.ts';
import { memoryOf } from './session-memory.ts';

/** What begins it again; a second end is left to the correlation, which knows which of the two is worse. */
const PASSING: ReadonlySet<SessionSignal> = new Set<SessionSignal>(['started', 'prompted', 'ended']);
/** Ms after which a session lives again that reports neither starts nor prompts: then nothing else could tell. */
const RESUMED_UNSEEN = 120_000;

/** Why an input is only an echo of a session's last moments; null: it is not. */
export function afterEnd(record: SessionRecord, signal: SessionSignal, event: Event, facts: Facts): string | null {
  const { end } = memoryOf(record);
  if (record.state !== 'ended' || end === undefined || PASSING.has(signal)) return null;
  const reportsStarts = record.promptedAt !== null || memoryOf(record).started !== undefined;
  if (!reportsStarts && Math.abs(event.at - end.at) > RESUMED_UNSEEN) return null;
  // An end that alarmed nobody must not hide why the turn failed.
  const alarmed = notifiedOf(end, facts).length > 0 && end.urgency === 'urgent';
  if (signal === 'failed' && !alarmed) return null;
  // Nor that it had finished; of a turn that was over before, or that the end cut off, it is an echo.
  const overtaken = signal === 'finished' && isOvertaken(record, event);
  if (overtaken && end.urgency === 'low' && end.atWork !== true && turnOver(record) === null) return null;
  return 'the session had ended: neither a start nor a prompt came since';
}
