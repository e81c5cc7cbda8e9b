// Questions whose session was lost, by a restart or a broken connection: each goes on when its session asks the same again.
import type { Clock } from '../lib/clock.ts';
import type { Question } from '../model/question.ts';

/** Ms until it is given up. */
const KEPT = 15_000;

/** What names a question to those who were asked. */
export type QuestionRow = Pick<Question, 'id' | 'nonce' | 'deadline' | 'sessionKey' | 'inputHash'>;

/** Those that are waited for. */
export interface KeptQuestions {
  /** `why`: what closes it if its session does not come back. */
  keep(row: QuestionRow, why: string): void;
  /** The row to go on with; null: this was not asked before. */
  take(sessionKey: string, inputHash: string): QuestionRow | null;
  /** They stay as they are. */
  stop(): void;
}

/** `close` is called for what is given up. */
export function createKeptQuestions(clock: Clock, close: (id: string, why: string) => void): KeptQuestions {
  const kept = new Map<string, { readonly row: QuestionRow; readonly cancel: () => void }>();
  const keyOf = (sessionKey: string, inputHash: string): string => `${sessionKey} ${inputHash}`;
  return {
    keep: (row, why) => {
      const key = keyOf(row.sessionKey, row.inputHash);
      const cancel = clock.setTimer(KEPT, () => {
        kept.delete(key);
        close(row.id, why);
      });
      kept.get(key)?.cancel();
      kept.set(key, { row, cancel });
    },
    take: (sessionKey, inputHash) => {
      const key = keyOf(sessionKey, inputHash);
      const found = kept.get(key);
      found?.cancel();
      kept.delete(key);
      return found?.row ?? null;
    },
    stop: () => {
      for (const { cancel } of kept.values()) cancel();
      kept.clear();
    },
  };
}
