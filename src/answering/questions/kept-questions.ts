// Questions whose asker cannot be heard, by a restart or a broken connection: each goes on when the same is asked again.
import type { Clock } from '../../lib/clock.ts';
import type { Ending } from '../../model/question/endings.ts';
import type { Question } from '../../model/question/question.ts';

/** Ms until it is given up. */
const KEPT = 15_000;

/** What names a question to those who were asked. */
export type QuestionRow = Pick<Question, 'id' | 'nonce' | 'deadline' | 'sessionKey' | 'inputHash' | 'subject'>;

interface Kept {
  readonly row: QuestionRow;
  readonly why: Ending;
  readonly cancel: () => void;
}

/** Those that are waited for. */
export class KeptQuestions {
  readonly #clock: Pick<Clock, 'setTimer'>;
  readonly #close: (id: string, why: Ending) => void;
  readonly #kept = new Set<Kept>();
  #state: 'keeping' | 'stopped' = 'keeping';

  /** `close` is called for what is given up. */
  constructor(clock: Pick<Clock, 'setTimer'>, close: (id: string, why: Ending) => void) {
    this.#clock = clock;
    this.#close = close;
  }

  /** `why`: how it ends if nobody asks again. */
  keep(row: QuestionRow, why: Ending): void {
    if (this.#state === 'stopped') return;
    const kept = { row, why, cancel: this.#clock.setTimer(KEPT, () => this.#giveUp(kept)) };
    this.#kept.add(kept);
  }

  /** The row to go on with; null: this was not asked before. */
  take(sessionKey: string, inputHash: string): QuestionRow | null {
    const found = [...this.#kept].find(({ row }) => row.sessionKey === sessionKey && row.inputHash === inputHash);
    if (found === undefined) return null;
    found.cancel();
    this.#kept.delete(found);
    return found.row;
  }

  has(id: string): boolean {
    return [...this.#kept].some(({ row }) => row.id === id);
  }

  /** A session is known not to ask again what is still kept of it. */
  giveUp(sessionKey: string): void {
    for (const kept of [...this.#kept]) if (kept.row.sessionKey === sessionKey) this.#giveUp(kept);
  }

  /** They stay as they are, and nothing is kept any more. */
  stop(): void {
    this.#state = 'stopped';
    for (const { cancel } of this.#kept) cancel();
    this.#kept.clear();
  }

  #giveUp(kept: Kept): void {
    kept.cancel();
    this.#kept.delete(kept);
    this.#close(kept.row.id, kept.why);
  }
}
