// Whether a send that is due goes out now, as far as its route's `when` and the person at the machine decide it.
import type { Delivery } from '../model/delivery.ts';
import type { Presence } from '../model/presence.ts';

/** send: now; wait: judged again at `until`, Unix ms; seen: they saw it, so nobody needs it any more. `note`: why, for people. */
export type PresenceVerdict =
  | { readonly verdict: 'send'; readonly note: string }
  | { readonly verdict: 'seen'; readonly note: string }
  | { readonly verdict: 'wait'; readonly until: number; readonly note: string };

/** Whether its going out depends on the person: never what is urgent, nor what was tried before or is asked for again. */
export function dependsOnPresence({ only, content, operation, attempts }: Delivery): boolean {
  return operation === 'send' && only !== 'always' && content.urgency !== 'urgent' && attempts === 0;
}

/** Kinds that are done once somebody has seen them; the others wait until they are dealt with. */
const SEEN_AT_A_GLANCE: ReadonlySet<string> = new Set(['agent.finished', 'subagent.finished', 'session.ended']);

/** One that waits is judged again after as long as it is old, within these bounds, ms. */
const [SOONEST, LATEST] = [2_000, 30_000];

/**
 * Holds back on positive evidence only: of a message about several events, looking at one session shows nothing of the others; a window in front
 * shows nobody before it without an input; and nobody has seen what came after their last one.
 */
export function judgePresence(
  { only, content, createdAt }: Pick<Delivery, 'only' | 'content' | 'createdAt'>,
  { away, looking, idle, input, idleAfter, evidence }: Presence,
  now: number,
): PresenceVerdict {
  const since = Math.max(content.event.at, createdAt);
  const looks = !away && looking === 'yes';
  const sees = looks && content.count === 1;
  if (sees && input !== null && input > since && SEEN_AT_A_GLANCE.has(content.event.kind))
    return { verdict: 'seen', note: evidence };
  const again = now + Math.min(LATEST, Math.max(SOONEST, now - since));
  // Where no input is known, whoever was there when it came is taken to stay so long, and no longer.
  const leaves = (input ?? since) + idleAfter;
  if (sees && leaves > now && since - now < idleAfter)
    return { verdict: 'wait', until: Math.min(again, leaves), note: evidence };
  if (only === 'idle' && !away && idle === 'no') return { verdict: 'wait', until: again, note: evidence };
  if (sees) return { verdict: 'send', note: `${evidence}, but nothing was typed or moved since` };
  return { verdict: 'send', note: looks ? 'you look at one of its sessions only' : evidence };
}
