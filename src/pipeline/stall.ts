// When to look whether a session at work has fallen silent: a timer that each input moves on.
import type { Bench, Matter } from './matter.ts';
import { agentSettings } from './matter.ts';

/** Kind of the timers that look for a stall. */
export const STALL = 'stall';

/** Sets, moves or clears the timer as the session's row now asks for it; nothing where `stalled_after` is not set. */
export function watchSilence(matter: Matter, { facts, config, now }: Bench): Matter {
  const { record } = matter;
  if (record === null || record === facts.record) return matter;
  const id = `${STALL}:${record.agent}:${record.sessionId}`;
  const after = agentSettings(config, record.agent).stalled_after;
  if (after === undefined || record.state !== 'working')
    return facts.record?.state === 'working' ? { ...matter, clear: [...matter.clear, id] } : matter;
  const data = { agent: record.agent, session: record.sessionId };
  return { ...matter, set: [...matter.set, { id, kind: STALL, due: now + after, data }] };
}
