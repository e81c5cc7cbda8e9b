// Subagents that are sessions of their own are decided about in one line with the session that began them: its finish depends on theirs.
import type { Incoming } from '../../model/event/incoming.ts';

/** Subagents remembered: the latest. */
const MAX_SUBAGENTS = 1_000;

/** Builds what finds the key of a whole family; `own` is the key of the input's own session. A parent is named once, by its child's start. */
export function createSessionFamilies(): (own: string, incoming: Incoming) => string {
  const keys = new Map<string, string>();
  return (own, incoming) => {
    const parent = incoming.type === 'hook' ? incoming.parsed.parentSessionId : null;
    if (parent !== null && parent !== own && !keys.has(own)) {
      const [oldest] = keys.keys();
      if (keys.size === MAX_SUBAGENTS && oldest !== undefined) keys.delete(oldest);
      keys.set(own, keys.get(parent) ?? parent);
    }
    return keys.get(own) ?? own;
  };
}
