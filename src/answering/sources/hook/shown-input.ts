// The input of a waiting hook with what its client keeps of it in a file, such as a plan: looked at when the question is put, and again before it is allowed.
import type { AskOutput } from '../../../ipc/ask.ts';
import { contentDigest } from '../../../lib/hash.ts';
import type { FileReads, FinalAnswer } from '../../../model/question/answering.ts';
import { subjectOf } from '../../questions/subject-of.ts';
import type { AskedNow } from '../../questions/asker.ts';
import type { AskedByHook } from './may-wait.ts';

/** What it needs. */
export interface ShownInputDeps {
  readonly files: FileReads;
  readonly redact: (text: string) => string;
}

/** As it came, until something else is shown. */
export class ShownInput {
  readonly #asked: AskedByHook;
  readonly #deps: ShownInputDeps;
  #input: AskedByHook['input'];

  constructor(asked: AskedByHook, deps: ShownInputDeps) {
    this.#asked = asked;
    this.#deps = deps;
    this.#input = asked.input;
  }

  /** Bounded like every look at a file of somebody else's; never rejects. */
  readonly look = async (): Promise<AskedNow> => {
    const { answering, input, digest, session, origin, question } = this.#asked;
    const { files, redact } = this.#deps;
    const whole = (await answering.complete?.(input, files)) ?? input;
    const asked = whole === input ? question : (answering.read(whole, { env: origin.env }) ?? question);
    return {
      inputHash: whole === input ? digest : contentDigest(Buffer.from(JSON.stringify(whole))),
      subject: subjectOf({ session, question: asked }, redact),
      show: () => {
        this.#input = whole;
      },
    };
  };

  /** An answer to what was shown, in the client's own form. */
  output(answer: FinalAnswer): AskOutput {
    const { answering } = this.#asked;
    if (answer.type !== 'reply') return { stdout: answering.print(answer, this.#input) };
    return answering.printReply === undefined ? { reply: answer.text } : { stdout: answering.printReply(answer.text) };
  }
}
