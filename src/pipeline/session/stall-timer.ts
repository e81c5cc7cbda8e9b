// When to check a working session for silence: a timer that each input postpones.
import { sessionKeyText } from '../../model/ids.ts';
import type { StageContext, InputState } from '../pipeline-state.ts';
import { agentSettings } from '../pipeline-state.ts';

/** Kind of the timers that check for a stall. */
export const STALL = 'stall';

/** Sets, moves or clears the timer as the session's row now asks for it; nothing where `stalled_after` is not set. */
export function scheduleStallCheck(state: InputState, { facts, config, now }: StageContext): InputState {
  const { record } = state;
  if (record === null || record === facts.record) return state;
  const id = `${STALL}:${sessionKeyText(record)}`;
  const after = agentSettings(config, record.agent).stalled_after;
  if (after === undefined) return state; // one that was set before the settings changed finds nothing to do
  if (record.state !== 'working')
    return facts.record?.state === 'working' ? { ...state, timersToClear: [...state.timersToClear, id] } : state;
  const { host, user, agent, sessionId: session } = record;
  const data = { host, user, agent, session };
  return { ...state, timersToSet: [...state.timersToSet, { id, kind: STALL, due: now + after, data }] };
}
