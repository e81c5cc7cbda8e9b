// Questions whose session was lost, by a restart or a broken connection: each goes on when its session asks the same again.
import type { Clock } from '../../lib/clock.ts';
import type { Question } from '../../model/question.ts';

/** Ms until it is given up. */
const KEPT = 15_000;

/** What names a question to those who were asked. */
export type QuestionRow = Pick<Question, 'id' | 'nonce' | 'deadline' | 'sessionKey' | 'inputHash' | 'subject'>;

/** Those that are waited for. */
export interface KeptQuestions {
  /** `why`: what closes it if its session does not come back. */
  keep(row: QuestionRow, why: string): void;
  /** The row to go on with; null: this was not asked before. */
  take(sessionKey: string, inputHash: string): QuestionRow | null;
  /** A session is known not to ask again what is still kept of it. */
  giveUp(sessionKey: string): void;
  /** They stay as they are, and nothing is kept any more. */
  stop(): void;
}

/** `close` is called for what is given up. */
export function createKeptQuestions(clock: Clock, close: (id: string, why: string) => void): KeptQuestions {
  const kept = new Map<string, { readonly row: QuestionRow; readonly why: string; readonly cancel: () => void }>();
  let state: 'keeping' | 'stopped' = 'keeping';
  const end = (key: string): void => {
    const found = kept.get(key);
    found?.cancel();
    kept.delete(key);
    if (found !== undefined) close(found.row.id, found.why);
  };
  const keyOf = (sessionKey: string, inputHash: string): string => `${sessionKey} ${inputHash}`;
  return {
    keep: (row, why) => {
      if (state === 'stopped') return;
      const key = keyOf(row.sessionKey, row.inputHash);
      kept.get(key)?.cancel();
      kept.set(key, { row, why, cancel: clock.setTimer(KEPT, () => end(key)) });
    },
    take: (sessionKey, inputHash) => {
      const key = keyOf(sessionKey, inputHash);
      const found = kept.get(key);
      found?.cancel();
      kept.delete(key);
      return found?.row ?? null;
    },
    giveUp: (sessionKey) => {
      for (const [key, { row }] of [...kept]) if (row.sessionKey === sessionKey) end(key);
    },
    stop: () => {
      state = 'stopped';
      for (const { cancel } of kept.values()) cancel();
      kept.clear();
    },
  };
}
