// The rows of questions: each is written once and closed once, in whatever order the two are wanted.
import type { Background } from '../../lib/background.ts';
import type { NewQuestion } from '../../model/question.ts';
import type { Store } from '../../store/contract.ts';

/** Writes them. */
export interface QuestionRows {
  /** Resolves when it is written, and closed if that was wanted meanwhile. */
  readonly put: (question: NewQuestion) => Promise<void>;
  /** `why`: for people. What was answered stays so. */
  readonly close: (id: string, why: string) => void;
}

/** Nothing is written yet. */
export function createQuestionRows(
  store: Pick<Store, 'putQuestion' | 'closeQuestion'>,
  work: Background,
): QuestionRows {
  /** Being written; why they are to be closed, where that is known already. */
  const writing = new Map<string, string | null>();
  return {
    put: async (question) => {
      const { id } = question;
      writing.set(id, null);
      try {
        await store.putQuestion(question);
        const why = writing.get(id) ?? null;
        if (why !== null) await store.closeQuestion(id, why);
      } finally {
        writing.delete(id);
      }
    },
    close: (id, why) => {
      if (writing.has(id)) writing.set(id, why);
      else work.run(store.closeQuestion(id, why));
    },
  };
}
