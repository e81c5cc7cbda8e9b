// Whether a send that is due goes out now, as far as its route's `when` and the person at the machine decide it.
import type { Only } from '../model/delivery/delivery.ts';
import type { Event } from '../model/event/event.ts';
import type { GateVerdict } from '../model/delivery/gate.ts';
import { WAITS } from '../model/delivery/holds.ts';
import type { Presence } from '../model/presence/presence.ts';

/** Kinds that are done once somebody has seen them; the others wait until they are dealt with. */
const SEEN_AT_A_GLANCE: ReadonlySet<string> = new Set(['agent.finished', 'subagent.finished', 'session.ended']);

/** One that waits is judged again after as long as it is old, within these bounds, ms. */
const [SOONEST, LATEST] = [2_000, 30_000];

/** What is judged. `count`: events that it tells of; `since`: since when there is what it tells, Unix ms. */
export interface JudgedSend {
  readonly only: Only;
  readonly event: Pick<Event, 'kind'>;
  readonly count: number;
  readonly since: number;
}

/**
 * Holds back on positive evidence only: of a message about several events, looking at one session shows nothing of the others; a window in front
 * shows nobody before it without an input; and nobody has seen what came after their last one.
 */
export function judgePresence(
  { only, event, count, since }: JudgedSend,
  { away, looking, idle, input, idleAfter, evidence }: Presence,
  now: number,
): GateVerdict {
  const looks = !away && looking === 'yes';
  const sees = looks && count === 1;
  if (sees && input !== null && input > since && SEEN_AT_A_GLANCE.has(event.kind))
    return { verdict: 'seen', note: evidence };
  const again = now + Math.min(LATEST, Math.max(SOONEST, now - since));
  const waits = (until: number): GateVerdict => ({ verdict: 'wait', until, note: `${WAITS}${evidence}`, leaves: true });
  // Where no input is known, whoever was there when it came is taken to stay so long, and no longer.
  const leaves = (input ?? since) + idleAfter;
  if (sees && leaves > now && since - now < idleAfter) return waits(Math.min(again, leaves));
  if (only === 'idle' && !away && idle === 'no') return waits(again);
  if (sees) return { verdict: 'go', note: `${evidence}, but nothing was typed or moved since` };
  return { verdict: 'go', note: looks ? 'you look at one of its sessions only' : evidence };
}
