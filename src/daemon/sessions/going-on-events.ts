// What the journal keeps of sessions that go on after they had stopped: that one went on, that it did not, that its client did not.
import { sha256 } from '../../lib/hash.ts';
import type { Event } from '../../model/event/event.ts';
import { sessionEvent } from '../../model/event/session-event.ts';
import type { StoppedSession } from '../../model/session/stopped.ts';
import { formatElapsed } from '../../model/quantities.ts';
import { atDayTime } from '../../model/time/clock-time.ts';

type Outcome = 'continued' | 'held' | 'not-resumed';

const idOf = (what: Outcome, failed: Pick<Event, 'id'>): string => `${what}-${sha256(failed.id, 24)}`;

/** The ids of what the journal may have of this failure: of each at most one. */
export const outcomesOf = (failed: Pick<Event, 'id'>): readonly string[] =>
  (['continued', 'held', 'not-resumed'] as const).map((what) => idOf(what, failed));

/** It went on `at` (Unix ms), after so long. `by`: who said so; null: the settings. */
export function continuedEvent(stopped: StoppedSession, at: number, by: string | null): Event {
  const { record, failed, cause } = stopped;
  const waited = formatElapsed((at - failed.at) / 1_000) ?? 'a moment';
  return sessionEvent(record, {
    id: idOf('continued', stopped.failed),
    kind: 'agent.other',
    message: `It goes on ${by === null ? 'by itself ' : ''}after it had stopped for ${waited}.`,
    abnormal: false,
    detail: 'continued',
    urgency: 'low',
    at,
    attributes: { by, cause, stopped_ms: Math.max(0, at - failed.at) },
  });
}

/** It was to go on, and did not. `given`: it had its instruction, and no prompt followed; else nothing took one. */
export function heldEvent(stopped: StoppedSession, at: number, given: boolean): Event {
  return sessionEvent(stopped.record, {
    id: idOf('held', stopped.failed),
    kind: 'session.failed',
    message: given
      ? 'It was given its next instruction, but no prompt followed. It is not given it again: look at its terminal.'
      : 'It was to go on by itself, but nothing takes an instruction for it any more: type it in its terminal.',
    abnormal: true,
    detail: 'held',
    urgency: 'normal',
    at,
    attributes: { cause: stopped.cause },
  });
}

/** Its client had said that it would go on by itself. */
export function notResumedEvent(stopped: StoppedSession, at: number): Event {
  const resetsAt = stopped.limit?.resetsAt ?? null;
  const when = resetsAt === null ? '' : ` ${atDayTime(resetsAt, at)}`;
  return sessionEvent(stopped.record, {
    id: idOf('not-resumed', stopped.failed),
    kind: 'session.failed',
    message: `Its client was to go on by itself${when}, and has not: type the next instruction in its terminal.`,
    abnormal: true,
    detail: 'held',
    urgency: 'normal',
    at,
    attributes: { cause: stopped.cause },
  });
}
