// Looks at files of local file systems here, one after the other, so that a disk that hangs takes one thread and no more.
import type { Clock } from '../lib/clock.ts';
import { PATIENCE } from './mount-reader.ts';
import { type FileAnswer, type FileRequest, perform } from './file-requests.ts';

/** Ms after which a look is taken to hang. */
const HANGS = 1_000;

/** Nothing is under way. */
export class LocalReader {
  readonly #clock: Clock;
  #last: Promise<unknown> = Promise.resolve();
  /** Unix ms since when one is under way; null: none is. */
  #since: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whatever is asked now waits for a look that hangs. */
  get hangs(): boolean {
    return this.#since !== null && this.#clock.now() - this.#since > HANGS;
  }

  /** Null also when it does not come in time. Never rejects. */
  ask(request: FileRequest): Promise<FileAnswer> {
    return new Promise((resolve) => {
      let isWanted = true;
      const cancel = this.#clock.setTimer(PATIENCE, () => {
        isWanted = false;
        resolve(null);
      });
      this.#last = this.#last.then(async () => {
        if (!isWanted) return;
        this.#since = this.#clock.now();
        const answer = await perform(request); // never rejects
        this.#since = null;
        cancel();
        resolve(answer);
      });
    });
  }
}
