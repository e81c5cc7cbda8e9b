// The life of a wait: open, held while an answer is being written, ended once.
import type { AskOutput } from '../../ipc/ask.ts';
import type { FinalAnswer } from '../../model/answering.ts';
import type { Asked } from './wait.ts';

/** Who hears of its end. */
export interface LifeListeners {
  /** However it ended. */
  readonly ended: () => void;
  /** The hook leaves without an answer; `why` null: it has left on its own. */
  readonly left: (why: string | null) => void;
}

/** Begins open. */
export class WaitLife {
  /** What the hook prints; resolves at the end. */
  readonly output: Promise<AskOutput>;
  readonly #listeners: LifeListeners;
  #settle: (output: AskOutput) => void = () => undefined;
  #state: 'open' | 'ended' = 'open';
  /** Answers that are being written. */
  #holders = 0;
  /** Why it was to end meanwhile. */
  #late: { readonly why: string | null } | null = null;

  constructor(listeners: LifeListeners) {
    this.#listeners = listeners;
    this.output = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Ends it, held or not; false: it had ended before. */
  readonly end = (output: AskOutput): boolean => {
    if (this.#state === 'ended') return false;
    this.#state = 'ended';
    this.#listeners.ended();
    this.#settle(output);
    return true;
  };

  /** Ends it without an answer, once nobody holds it. */
  readonly leave = (why: string | null): void => {
    if (this.#holders > 0) this.#late = { why };
    else if (this.end({ left: why ?? 'it has left' })) this.#listeners.left(why);
  };

  /** The returned function ends it. */
  readonly hold = (): (() => void) => {
    this.#holders += 1;
    return () => {
      this.#holders -= 1;
      if (this.#holders === 0 && this.#late !== null) this.leave(this.#late.why);
    };
  };
}

/** An answer in the client's own form. */
export function outputOf({ answering, input }: Asked, answer: FinalAnswer): AskOutput {
  if (answer.type !== 'reply') return { stdout: answering.print(answer, input) };
  return answering.printReply === undefined ? { reply: answer.text } : { stdout: answering.printReply(answer.text) };
}
