// Hands an answer to the agent, whose row says then whether the agent has it.
import type { FinalAnswer, Handed } from '../../model/answering.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { AT_TERMINAL, UNCONFIRMED } from '../../model/terminal-only.ts';
import type { Answerable } from '../questions/wait.ts';

/** An answer that goes nowhere. */
export const nobody = (why: string): UserError =>
  new UserError(`${why}: only its terminal can answer now (nothing was sent)`, EXIT.refused);

/** What is known of an answer that the agent did not take, or may not have taken. */
export const unconfirmed = (): UserError =>
  new UserError('your answer was sent, but the agent did not confirm it: look at its terminal', EXIT.refused);

interface NotTaken {
  /** The reason in its row. */
  readonly closed: string;
  /** For whoever answered. */
  readonly error: () => UserError;
}

const NOT_TAKEN: Readonly<Record<Exclude<Handed, 'taken'>, NotTaken>> = {
  late: {
    closed: AT_TERMINAL,
    error: () => new UserError('it was answered at the terminal first: your answer came too late', EXIT.refused),
  },
  unsent: { closed: 'the agent no longer waits', error: () => nobody('the agent left at that moment') },
  unconfirmed: { closed: UNCONFIRMED, error: unconfirmed },
};

/** Resolves when the agent has it; UserError says how far it got. `settle` is given the reason for its row, null where the agent has it, however the handing over failed. */
export async function handOver(
  wait: Pick<Answerable, 'deliver'>,
  answer: FinalAnswer,
  settle: (why: string | null) => Promise<unknown>,
): Promise<void> {
  let handed: Handed = 'unconfirmed';
  try {
    handed = await wait.deliver(answer);
  } finally {
    await settle(handed === 'taken' ? null : NOT_TAKEN[handed].closed);
  }
  if (handed !== 'taken') throw NOT_TAKEN[handed].error();
}
