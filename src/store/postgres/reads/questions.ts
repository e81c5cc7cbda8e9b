// What may be read of questions.
import type { Question } from '../../../model/question/question.ts';
import { encode } from '../../encoding.ts';
import type { StoreReader } from '../../roles/reader.ts';
import type { Reading } from './scope.ts';

export interface QuestionRow {
  readonly rev: number;
  readonly body: string;
}

/** Written from one. */
export const questionOf = ({ rev, body }: QuestionRow): Question => ({
  ...(JSON.parse(body) as Question),
  version: rev,
});

/** The reads. */
export function questionReads({ db, own }: Reading): Pick<StoreReader, 'question' | 'questions'> {
  return {
    question: async (id) => {
      const { sql, values } = own('t', 'question', [['t.id = ?', encode(id)]]);
      const rows = await db.read<QuestionRow>(
        `SELECT t.rev, t.body FROM question t WHERE ${sql} ORDER BY t.machine LIMIT 1`,
        values,
      );
      return rows.map(questionOf)[0] ?? null;
    },
    questions: async ({ states, limit = 1_000 }) => {
      // The index of the open ones is taken for these very words.
      const onlyOpen = states?.length === 1 && states[0] === 'open';
      const { sql, values } = own('t', 'question', [
        states && (onlyOpen ? [`t.state = 'open'`] : ['t.state = ANY(?::text[])', states]),
      ]);
      const latest = `SELECT t.row, t.rev, t.body FROM question t WHERE ${sql} ORDER BY t.row DESC LIMIT ${limit}`;
      return (await db.read<QuestionRow>(`SELECT rev, body FROM (${latest}) latest ORDER BY row`, values)).map(
        questionOf,
      );
    },
  };
}
