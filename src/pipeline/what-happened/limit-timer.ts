// The timer that a notice about an account's limit sets: it is due when the limit is over.
import type { LimitReached } from '../../model/agent/limits.ts';
import type { Event } from '../../model/event/event.ts';
import type { Timer } from '../../model/event/verdict.ts';
import type { InputState } from '../pipeline-state.ts';

/** Kind of these timers. */
export const LIMIT = 'limit';
/** Ms after which a limit is forgotten of which nothing says when it is over: longer than any window. */
const FORGOTTEN = 8 * 86_400_000;
const MINUTE = 60_000;

/** What such a timer knows. */
export interface LimitData {
  readonly kind: 'limit.reached' | 'limit.low';
  /** Whose limit it is. */
  readonly key: string;
  readonly limit: LimitReached;
  /** Id of the event that reported it, and when that was (Unix ms). */
  readonly event: string;
  readonly at: number;
}

/** When a limit is over for certain, Unix ms: a reset without seconds may mean the end of its minute. */
export const overAt = (resetsAt: number): number => resetsAt + (resetsAt % MINUTE === 0 ? MINUTE : 1_000);

/** One for each limit of an account, and one for what was said before it. */
export const limitTimerId = (kind: LimitData['kind'], key: string): string =>
  `${kind === 'limit.low' ? 'limit-low' : LIMIT}:${key}`;

/** The timer of such an event; null: it is none. Its attributes are as limit-events.ts wrote them. */
export function limitTimer({ id, kind, at, attributes }: Event): Timer | null {
  const { key, limit } = attributes as Partial<LimitData>;
  if ((kind !== 'limit.reached' && kind !== 'limit.low') || key === undefined || limit === undefined) return null;
  const { resetsAt } = limit;
  const due = resetsAt === null ? at + FORGOTTEN : overAt(resetsAt);
  const data: LimitData = { kind, key, limit, event: id, at };
  return { id: limitTimerId(kind, key), kind: LIMIT, due, data: { ...data } };
}

/** Sets it. */
export function scheduleReset(state: InputState): InputState {
  const { incoming, event, active } = state;
  const timer = active && incoming.type === 'event' && incoming.source === 'belfry' ? limitTimer(event) : null;
  return timer === null ? state : { ...state, timersToSet: [...state.timersToSet, timer] };
}
