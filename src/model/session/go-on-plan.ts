// The timer of a stopped session that is to go on: what is planned for it, and when.
import type { Timer } from '../event/verdict.ts';
import { formatElapsed } from '../quantities.ts';
import { type SessionKey, sessionKeyText } from '../ids.ts';
import { sessionKeyOf } from './session-timer.ts';

/** When it goes on, in words: "continues in 2 h 14 min". `due`, `now`: Unix ms. */
export function continuesWords(due: number, now: number): string {
  const left = formatElapsed((due - now) / 1_000);
  return left === null ? 'continues now' : `continues in ${left}`;
}

/** Kind of the timers of what is planned. */
export const GO_ON = 'go-on';

/** That a session is to go on: `instruct` hands it its next instruction, `look` sees whether it went on by itself. */
export interface GoOnPlan {
  readonly what: 'instruct' | 'look';
  readonly session: SessionKey;
  /** Id of the failure after which: of another one this plan is none. */
  readonly failure: string;
  /** Who planned it: the settings, or a person by name. */
  readonly by: string | null;
}

/** One for each session. `due`: Unix ms. */
export function goOnTimer(plan: GoOnPlan, due: number): Timer {
  const { what, session, failure, by } = plan;
  const { host, user, agent, sessionId } = session;
  const data = { what, host, user, agent, session: sessionId, failure, by };
  return { id: goOnTimerId(session), kind: GO_ON, due, data };
}

/** As `goOnTimer` names it. */
export const goOnTimerId = (session: SessionKey): string => `${GO_ON}:${sessionKeyText(session)}`;

/** The plan that such a timer was made of. */
export function goOnPlanOf(timer: Timer): GoOnPlan {
  const { what, failure, by } = timer.data;
  const session = sessionKeyOf(timer);
  return {
    what: what === 'look' ? 'look' : 'instruct',
    session,
    failure: String(failure),
    by: typeof by === 'string' ? by : null,
  };
}
