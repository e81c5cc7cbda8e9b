// The one sentence about a question that nobody can answer from elsewhere, for messages and commands alike.
import { endingOf, endingWords } from './endings.ts';
import type { Question } from './question.ts';

/** Of a question that nobody was ever asked: what waited for its answer was turned away, or left before. */
export const NO_NONCE = '';

/** Null: nothing waits for its answer at the terminal, or it can be answered from elsewhere. */
export function terminalOnly({ kind, state, closed, deadline }: Question, now: number): string | null {
  const ending = state === 'closed' ? endingOf(closed) : null;
  if (ending?.how === 'unconfirmed')
    return 'An answer was sent, but the agent did not confirm it: look at its terminal.';
  const isOver = state === 'closed' || (state === 'open' && deadline <= now);
  if (!isOver || kind === 'text' || ending?.name === 'at-terminal') return null;
  return `It can be answered at its terminal only: ${closed ?? endingWords('expired')}.`;
}
