// The rows of questions: each is written once and closed once, in whatever order the two are wanted.
import type { Background } from '../../lib/async/background.ts';
import { type Ending, endingWords } from '../../model/question/endings.ts';
import type { NewQuestion } from '../../model/question/question.ts';
import type { Store } from '../../store/contract.ts';

/** Writes them. */
export class QuestionRows {
  readonly #store: Pick<Store, 'putQuestion' | 'closeQuestion'>;
  readonly #background: Background;
  /** Being written; how they are to end, where that is known already. */
  readonly #writing = new Map<string, Ending | null>();

  constructor(store: Pick<Store, 'putQuestion' | 'closeQuestion'>, background: Background) {
    this.#store = store;
    this.#background = background;
  }

  /** Resolves when it is written, and closed if that was wanted meanwhile. */
  async put(question: NewQuestion): Promise<void> {
    const { id } = question;
    this.#writing.set(id, null);
    try {
      await this.#store.putQuestion(question);
      const ending = this.#writing.get(id) ?? null;
      if (ending !== null) await this.#store.closeQuestion(id, endingWords(ending));
    } finally {
      this.#writing.delete(id);
    }
  }

  /** What was answered stays so. */
  close(id: string, ending: Ending): void {
    if (this.#writing.has(id)) this.#writing.set(id, ending);
    else this.#background.run(this.#store.closeQuestion(id, endingWords(ending)));
  }
}
