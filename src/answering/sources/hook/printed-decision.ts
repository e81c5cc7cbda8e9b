// How far a decision got that a hook has printed: a client may have been answered at its terminal in the same moment.
import { type Clock, sleep } from '../../../lib/clock.ts';
import type { FileReads, FinalAnswer, Handed } from '../../../model/question/answering.ts';
import type { AskedByHook } from './may-wait.ts';

/** Ms within which a client writes down what it took, and between looks at that. */
const WRITES = 5_000;
const LOOKS = 50;

/** As the client's own records say; where it keeps none, what was printed was taken. */
export async function printedTo(
  { answering, input, startedAt: since }: Pick<AskedByHook, 'answering' | 'input' | 'startedAt'>,
  answer: FinalAnswer,
  { clock, files }: { readonly clock: Clock; readonly files: FileReads },
): Promise<Handed> {
  if (answering.outcome === undefined || answer.type === 'reply') return 'taken';
  for (const end = clock.now() + WRITES; ; await sleep(LOOKS, clock)) {
    const { handed, isFinal } = await answering.outcome({ input, since }, answer, files);
    if (isFinal || clock.now() >= end) return handed;
  }
}
