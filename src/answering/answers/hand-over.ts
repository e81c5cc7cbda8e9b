// Hands an answer to the agent, whose row says then whether the agent has it.
import type { FinalAnswer, Handed } from '../../model/question/answering.ts';
import { type Ending, endingWords } from '../../model/question/endings.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import type { OpenQuestion } from '../questions/open-question.ts';

/** An answer that goes nowhere. */
export const nobody = (why: string): UserError =>
  new UserError(`${why}: only its terminal can answer now (nothing was sent)`, EXIT.refused);

/** What is known of an answer that the agent did not take, or may not have taken. */
export const unconfirmed = (): UserError =>
  new UserError('your answer was sent, but the agent did not confirm it: look at its terminal', EXIT.refused);

interface NotTaken {
  readonly ending: Ending;
  /** For whoever answered. */
  readonly error: () => UserError;
}

const NOT_TAKEN: Readonly<Record<Exclude<Handed, 'taken'>, NotTaken>> = {
  late: {
    ending: 'at-terminal',
    error: () => new UserError('it was answered at the terminal first: your answer came too late', EXIT.refused),
  },
  unsent: { ending: 'left', error: () => nobody('the agent left at that moment') },
  unconfirmed: { ending: 'unconfirmed', error: unconfirmed },
};

/** Resolves when the agent has it; UserError says how far it got. `settle` is given the reason for its row, null where the agent has it, however the handing over failed. */
export async function handOver(
  question: Pick<OpenQuestion, 'deliver'>,
  answer: FinalAnswer,
  settle: (why: string | null) => Promise<unknown>,
): Promise<void> {
  let handed: Handed = 'unconfirmed';
  try {
    handed = await question.deliver(answer);
  } finally {
    await settle(handed === 'taken' ? null : endingWords(NOT_TAKEN[handed].ending));
  }
  if (handed !== 'taken') throw NOT_TAKEN[handed].error();
}
