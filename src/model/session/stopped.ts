// Sessions that stopped through no fault of theirs, and may go on: what stopped them.
import { type LimitReached, limitKeyOf, limitOf } from '../agent/limits.ts';
import type { Event } from '../event/event.ts';
import { sessionKeyText } from '../ids.ts';
import type { SessionRecord } from './session.ts';
import { passingCause, type StopCause } from './stop-causes.ts';

/** A session that has stopped. */
export interface StoppedSession {
  readonly record: SessionRecord;
  /** The event that said so. */
  readonly failed: Event;
  readonly cause: StopCause;
  /** Null: another cause. */
  readonly limit: LimitReached | null;
}

/** What stopped it; null: it has not stopped, or for another reason. `failed`: the failure that its row names. */
export function stoppedBy(record: SessionRecord, failed: Event): StoppedSession | null {
  if (record.state !== 'failed' || record.parentSessionId !== null) return null;
  const limit = limitOf(record);
  const cause = limit === null ? passingCause(failed.detail) : 'limit';
  return cause === null ? null : { record, failed, cause, limit };
}

/** Id of the failure that its row names; null: none. */
export function failureOf({ memory }: Pick<SessionRecord, 'memory'>): string | null {
  const { failure } = memory;
  return typeof failure === 'object' && failure !== null && 'id' in failure ? String(failure.id) : null; // written by the pipeline only
}

const KINDS: ReadonlySet<Event['kind']> = new Set(['session.failed', 'limit.reached', 'limit.reset']);

/** Whether an event may report something that has stopped. */
export const reportsStopped = ({ kind }: Pick<Event, 'kind'>): boolean => KINDS.has(kind);

/** Whether it reports this: a failure is its session's, a limit that of all that it stopped. */
export function isReportedBy(stopped: StoppedSession, event: Event): boolean {
  const { failed, limit } = stopped;
  if (event.kind === 'session.failed') return failed.id === event.id;
  return reportsStopped(event) && limit !== null && accountOf(stopped) === event.attributes['key'];
}

/** Whose limit stopped it, as one text; what has another cause concerns its session alone. */
export const accountOf = ({ record, limit }: StoppedSession): string =>
  limit === null ? sessionKeyText(record) : limitKeyOf(record, limit.name);
