// Questions that agents wait on: the first answer that fits is the only one.
import type { AnswerResult, Question } from '../../model/question/question.ts';
import type { GivenAnswer, SettledAnswer, Store, StoreReader } from '../contract.ts';
import type { WriteContext } from './engine/context.ts';
import type { Database } from './engine/database.ts';
import { encode, parseJson } from '../encoding.ts';

interface QuestionRow {
  readonly version: number;
  readonly question: string;
}

/** Written by `write`; a damaged row counts as none. */
function questionOf({ version, question }: QuestionRow): readonly Question[] {
  const kept = parseJson<Question>(question);
  return kept === undefined ? [] : [{ ...kept, version }];
}

function read(db: Database, id: string): Question | null {
  const row = db.get<QuestionRow>('SELECT version, question FROM questions WHERE id = ?', encode(id));
  return row ? (questionOf(row)[0] ?? null) : null;
}

/** Over the version it was read at, in the same transaction. */
function write({ db, changes }: WriteContext, question: Question): void {
  const next = { ...question, version: question.version + 1 };
  db.run(
    `INSERT INTO questions (id, state, version, deadline, question) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, version = excluded.version, question = excluded.question`,
    encode(next.id),
    next.state,
    next.version,
    next.deadline,
    JSON.stringify(next),
  );
  changes.note('question', next.id);
}

/** Another input's answer is of no question that is open. */
function answer(context: WriteContext, given: GivenAnswer): AnswerResult {
  const before = read(context.db, given.id);
  if (before === null || before.nonce !== given.nonce) return 'unknown';
  if (before.answeredBy !== null) return { conflict: before.answeredBy };
  if (before.state === 'closed' || before.deadline <= given.now || before.inputHash !== given.inputHash)
    return 'closed';
  write(context, { ...before, answer: given.answer, answeredBy: given.by });
  return 'answered';
}

/** False: the question has no answer on its way, or somebody else's. */
function settle(context: WriteContext, { id, nonce, by, why }: SettledAnswer): boolean {
  const before = read(context.db, id);
  if (before?.state !== 'open' || before.nonce !== nonce || before.answeredBy !== by) return false;
  write(context, why === null ? { ...before, state: 'answered' } : closed(before, why));
  return true;
}

const closed = (before: Question, why: string): Question => ({
  ...before,
  state: 'closed',
  answeredBy: null,
  closed: why,
});

/** `change`: null: it stays as it is. False: so it did, or it was not open. */
function changeOpen(
  context: WriteContext,
  id: string,
  change: (before: Question) => Question | null,
): Promise<boolean> {
  return context.writer.write(() => {
    const before = read(context.db, id);
    const changed = before?.state === 'open' ? change(before) : null;
    if (changed !== null) write(context, changed);
    return changed !== null;
  });
}

/** What may be read of questions. */
export function questionReads(db: Database): Pick<StoreReader, 'question' | 'questions'> {
  return {
    question: async (id) => read(db, id),
    questions: async ({ states, limit = 1_000 }) => {
      // The index of the open ones is taken for these very words; of the others, nearly all there are, the latest come first.
      const onlyOpen = states?.length === 1 && states[0] === 'open';
      const where = onlyOpen ? `state = 'open'` : 'state IN (SELECT value FROM json_each(?))';
      const of = states === undefined || onlyOpen ? [] : [JSON.stringify(states)];
      const sql = `SELECT version, question FROM questions ${states ? `WHERE ${where}` : ''} ORDER BY row DESC LIMIT ?`;
      return db
        .all<QuestionRow>(sql, ...of, limit)
        .reverse()
        .flatMap(questionOf);
    },
  };
}

/** The writes. */
export function questions(
  context: WriteContext,
): Pick<Store, 'putQuestion' | 'tieQuestion' | 'changeQuestion' | 'answerQuestion' | 'settleAnswer' | 'closeQuestion'> {
  const { db, writer } = context;
  return {
    putQuestion: (question, closed) =>
      writer.write(() => {
        if (read(db, question.id) !== null) return 'known';
        const state = closed === undefined ? 'open' : 'closed';
        write(context, { ...question, state, answer: null, answeredBy: null, closed: closed ?? null, version: 0 });
        return 'new';
      }),
    answerQuestion: (given) => writer.write(() => answer(context, given)),
    settleAnswer: (of) => writer.write(() => settle(context, of)),
    tieQuestion: (id, notificationId) => changeOpen(context, id, (before) => ({ ...before, notificationId })),
    closeQuestion: (id, why) =>
      changeOpen(context, id, (before) => (before.answeredBy === null ? closed(before, why) : null)),
    changeQuestion: (id, to) =>
      changeOpen(context, id, (before) => (before.answeredBy === null ? { ...before, ...to } : null)),
  };
}
