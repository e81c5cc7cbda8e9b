// Whether a send that is due goes out now, as far as its route's `when` and the person at the machine decide it.
import type { Delivery } from '../model/delivery.ts';
import type { Presence } from '../model/presence.ts';

/** send: now; wait: judged again later; seen: they saw it, so nobody needs it any more. `note`: why, for people. */
export interface PresenceVerdict {
  readonly verdict: 'send' | 'wait' | 'seen';
  readonly note: string;
}

/** Whether its going out depends on the person: never what is urgent, nor what was tried before or is asked for again. */
export function dependsOnPresence({ only, content, operation, attempts }: Delivery): boolean {
  return operation === 'send' && only !== 'always' && content.urgency !== 'urgent' && attempts === 0;
}

/** Kinds that are done once somebody looks at them; the others wait until they are dealt with. */
const SEEN_AT_A_GLANCE: ReadonlySet<string> = new Set(['agent.finished', 'subagent.finished', 'session.ended']);

/** Holds back on positive evidence only: of a message about several events, looking at one session shows nothing of the others. */
export function judgePresence(
  { only, content }: Pick<Delivery, 'only' | 'content'>,
  presence: Presence,
): PresenceVerdict {
  const { away, looking, idle, evidence } = presence;
  const looks = !away && looking === 'yes';
  const sees = looks && content.count === 1;
  if (sees && SEEN_AT_A_GLANCE.has(content.event.kind)) return { verdict: 'seen', note: evidence };
  if (sees || (only === 'idle' && !away && idle === 'no')) return { verdict: 'wait', note: evidence };
  return { verdict: 'send', note: looks ? 'you look at one of its sessions only' : evidence };
}
