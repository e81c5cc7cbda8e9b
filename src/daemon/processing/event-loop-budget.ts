// Spreads work over turns of the event loop: Node accepts one connection a turn, and no hook should wait behind many decisions.

/** Pieces of work begun in a turn at most. */
const MOST_BEGUN = 4;
/** Turns in a row that are left to what arrives, at most: then some work is done even so. */
const MOST_SKIPPED = 3;

/** How much may be begun in the turns of the event loop. */
export class TurnBudget {
  readonly #arriving: () => boolean;
  readonly #resume: () => void;
  #used = 0;
  #skipped = 0;
  #isScheduled = false;

  /** `arriving`: whether something came since it was last asked for which a hook waits. `resume`: called in the next turn that has room, after something was asked for. */
  constructor(arriving: () => boolean, resume: () => void) {
    this.#arriving = arriving;
    this.#resume = resume;
  }

  /** Whether one more may be begun in this turn, which counts. */
  take(): boolean {
    this.#scheduleTurn();
    return this.#used++ < MOST_BEGUN;
  }

  #scheduleTurn(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    if (this.#arriving()) {
      this.#skipped = (this.#skipped + 1) % (MOST_SKIPPED + 1);
      this.#used = this.#skipped === 0 ? MOST_BEGUN - 1 : MOST_BEGUN;
      this.#scheduleTurn();
    } else this.#skipped = this.#used = 0;
    if (this.#used < MOST_BEGUN) this.#resume();
  }
}
