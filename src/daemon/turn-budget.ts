// Spreads work over turns of the event loop: in one turn Node accepts one connection, and no hook should wait behind many decisions.

/** Pieces of work begun in a turn at most. */
const MOST = 4;
/** Turns in a row that are left to what arrives, at most: then some work is done even so. */
const MOST_PASSED = 3;

/** How much may be begun in the turns of the event loop. */
export class TurnBudget {
  readonly #arriving: () => boolean;
  readonly #again: () => void;
  #used = 0;
  #passed = 0;
  #asked = false;

  /** `arriving`: whether something came since it was last asked. `again`: called in the next turn that has room, after something was asked for. */
  constructor(arriving: () => boolean, again: () => void) {
    this.#arriving = arriving;
    this.#again = again;
  }

  /** Whether one more may be begun in this turn, which counts. */
  take(): boolean {
    this.#askNext();
    return this.#used++ < MOST;
  }

  #askNext(): void {
    if (this.#asked) return;
    this.#asked = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#asked = false;
    if (this.#arriving()) {
      this.#passed = (this.#passed + 1) % (MOST_PASSED + 1);
      this.#used = this.#passed === 0 ? MOST - 1 : MOST;
      this.#askNext();
    } else this.#passed = this.#used = 0;
    if (this.#used < MOST) this.#again();
  }
}
