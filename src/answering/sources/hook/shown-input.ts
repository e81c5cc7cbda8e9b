// The input of a waiting hook with what its client keeps of it in a file, such as a plan: looked at when the question is put, and again before it is allowed.
import type { AskOutput } from '../../../ipc/ask.ts';
import { contentDigest } from '../../../lib/hash.ts';
import type { FileReads, FinalAnswer } from '../../../model/answering.ts';
import { subjectOf } from '../../questions/subject-of.ts';
import type { Asked, AskedNow } from '../../questions/wait.ts';
import { outputOf } from '../../questions/wait-life.ts';

/** What it needs. */
export interface ShownInputDeps {
  readonly files: FileReads;
  readonly redact: (text: string) => string;
}

/** As it came, until something else is shown. */
export class ShownInput {
  readonly #asked: Asked;
  readonly #deps: ShownInputDeps;
  #input: Asked['input'];

  constructor(asked: Asked, deps: ShownInputDeps) {
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

  /** What the hook prints: an answer to what was shown. */
  output(answer: FinalAnswer): AskOutput {
    return outputOf({ ...this.#asked, input: this.#input }, answer);
  }
}
