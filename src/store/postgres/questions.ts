// Questions that agents wait on: the first answer that fits is the only one, whichever replica takes it.
import type { AnswerResult, Question } from '../../model/question/question.ts';
import { encode } from '../encoding.ts';
import type { Questions } from '../roles/questions.ts';
import { noted } from './changes.ts';
import type { Context } from './context.ts';
import { type QuestionRow, questionOf } from './reads/questions.ts';

/** Over the rev it was read at: who was slower finds none, and reads again. */
const WRITE = (
  org: number,
): string => `WITH done AS (UPDATE question SET rev = rev + 1, state = $4, notification = $5, body = $6
    WHERE org = $1 AND machine = $2 AND id = $3 AND rev = $7 RETURNING machine, id),
  changed AS (${noted(org, 'question', 'SELECT machine, id FROM done')})
  SELECT id FROM done`;
const PUT = (
  org: number,
): string => `WITH done AS (INSERT INTO question (org, machine, id, rev, state, notification, deadline, body)
    VALUES ($1, $2, $3, 1, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING machine, id),
  changed AS (${noted(org, 'question', 'SELECT machine, id FROM done')})
  SELECT id FROM done`;
const READ = 'SELECT rev, body FROM question WHERE org = $1 AND machine = $2 AND id = $3';

const closed = (before: Question, why: string): Question => ({
  ...before,
  state: 'closed',
  answeredBy: null,
  closed: why,
});

/** Of the questions of one machine: the ids are that machine's. */
export function questions({ db, org, committed }: Context, machineId: string): Questions {
  const machine = encode(machineId);
  /** What is decided of a question as it stands is written over it, or decided again. */
  async function change<T>(
    id: string,
    decide: (before: Question | null) => { readonly result: T; readonly next?: Question },
  ): Promise<T> {
    for (;;) {
      const [row] = await db.read<QuestionRow>(READ, [org, machine, encode(id)]);
      const { result, next } = decide(row ? questionOf(row) : null);
      if (next === undefined || row === undefined) return result;
      const values = [next.state, encode(next.notificationId), JSON.stringify(next), row.rev];
      const written = await db.read(WRITE(org), [org, machine, encode(id), ...values]);
      if (written.length === 0) continue;
      committed();
      return result;
    }
  }
  const changeOpen = (id: string, changed: (before: Question) => Question | null): Promise<boolean> =>
    change(id, (before) => {
      const next = before?.state === 'open' ? changed(before) : null;
      return next === null ? { result: false } : { result: true, next };
    });
  return {
    putQuestion: async (question, why) => {
      const state = why === undefined ? 'open' : 'closed';
      const row: Question = { ...question, state, answer: null, answeredBy: null, closed: why ?? null, version: 0 };
      const values = [state, encode(row.notificationId), row.deadline, JSON.stringify(row)];
      const put = await db.read(PUT(org), [org, machine, encode(question.id), ...values]);
      if (put.length === 0) return 'known';
      committed();
      return 'new';
    },
    answerQuestion: (given) =>
      change<AnswerResult>(given.id, (before) => {
        if (before === null || before.nonce !== given.nonce) return { result: 'unknown' };
        if (before.answeredBy !== null) return { result: { conflict: before.answeredBy } };
        if (before.state === 'closed' || before.deadline <= given.now || before.inputHash !== given.inputHash)
          return { result: 'closed' };
        return { result: 'answered', next: { ...before, answer: given.answer, answeredBy: given.by } };
      }),
    settleAnswer: ({ id, nonce, by, why }) =>
      change(id, (before) => {
        if (before?.state !== 'open' || before.nonce !== nonce || before.answeredBy !== by) return { result: false };
        return { result: true, next: why === null ? { ...before, state: 'answered' } : closed(before, why) };
      }),
    tieQuestion: (id, notificationId) => changeOpen(id, (before) => ({ ...before, notificationId })),
    closeQuestion: (id, why) => changeOpen(id, (before) => (before.answeredBy === null ? closed(before, why) : null)),
    changeQuestion: (id, to) => changeOpen(id, (before) => (before.answeredBy === null ? { ...before, ...to } : null)),
  };
}
