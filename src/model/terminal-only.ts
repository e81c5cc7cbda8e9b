// The one sentence about a question that nobody can answer from elsewhere, for messages and commands alike.
import type { Question } from './question.ts';

/** The reason of a close that says who was first. */
export const AT_TERMINAL = 'answered at the terminal';

/** The reason of a close of which nobody knows whether the agent took the answer. */
export const UNCONFIRMED = 'an answer was sent, but the agent did not confirm it';

/** Of a question that nobody was ever asked: what waited for its answer was turned away, or left before. */
export const NO_NONCE = '';

/** Null: nothing waits for its answer at the terminal, or it can be answered from elsewhere. */
export function terminalOnly({ kind, state, closed, deadline }: Question, now: number): string | null {
  if (state === 'closed' && closed === UNCONFIRMED)
    return 'An answer was sent, but the agent did not confirm it: look at its terminal.';
  const isOver = state === 'closed' || (state === 'open' && deadline <= now);
  if (!isOver || kind === 'text' || closed === AT_TERMINAL) return null;
  return `It can be answered at its terminal only: ${closed ?? 'the time to answer was over'}.`;
}
