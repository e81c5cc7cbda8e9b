// Whether anybody can be at a session's terminal: a client that is killed, or whose terminal is closed, reports an interruption or its own leaving too.
import type { SessionSignal } from '../../model/agent/agent.ts';
import type { Incoming, IncomingHook } from '../../model/event/incoming.ts';
import type { Facts } from '../pipeline-state.ts';

/** Whether the client, what started it, or its terminal was gone while this hook ran; what the daemon did not see itself says nothing. */
function isLeftAlone({ origin }: IncomingHook, { record, process }: Facts): boolean {
  const before = record?.process ?? null;
  if (before === null || origin.seen !== true) return false;
  if (process === null) return true;
  const isSame = process.pid === before.pid && process.start === before.start;
  if (isSame && before.parent !== undefined && process.parent !== before.parent) return true;
  return before.tty !== undefined && process.tty !== before.tty;
}

/** What clients report of a turn that a person stopped. */
const STOPS: ReadonlySet<SessionSignal> = new Set<SessionSignal>(['interrupted', 'turn-over']);

/** The input without what only a person can have done: an interruption, a way out that they chose. */
export function withoutPerson(incoming: Incoming, facts: Facts): Incoming {
  if (incoming.type !== 'hook' || !isLeftAlone(incoming, facts)) return incoming;
  const { parsed } = incoming;
  const stop = STOPS.has(parsed.signal) ? ({ signal: 'closing', urgency: 'low' } as const) : {};
  return { ...incoming, parsed: { ...parsed, ...stop, byUser: false } };
}
