// Questions: the first answer that fits is the only one, whoever takes it.
import { describe, expect, test } from 'vitest';
import type { NewQuestion } from '../../../src/model/question/question.ts';
import { NOON } from '../../support/made.ts';
import { both, type StoreDriver } from './driver.ts';

const question: NewQuestion = {
  id: 'q1',
  notificationId: 'ntf_0001',
  sessionKey: 'box/dev/generic/session-1',
  kind: 'permission',
  subject: { tool: 'Bash' },
  inputHash: 'h',
  nonce: 'n',
  deadline: NOON + 1_000,
};

/** The suite of questions. */
export function testQuestions(driver: StoreDriver): void {
  describe(`questions: ${driver.name}`, () => {
    test('of two answers the first counts, and only one that knows the nonce and the input, in time', async () => {
      const [one, two] = await both(driver);
      expect(await one.putQuestion(question)).toBe('new');
      expect(await two.putQuestion(question)).toBe('known');
      const answer = { id: 'q1', nonce: 'n', inputHash: 'h', answer: { allow: true }, now: NOON };
      expect(await two.answerQuestion({ ...answer, nonce: 'guessed', by: 'x' })).toBe('unknown');
      expect(await two.answerQuestion({ ...answer, id: 'none', by: 'x' })).toBe('unknown');
      expect(await two.answerQuestion({ ...answer, inputHash: 'other', by: 'x' })).toBe('closed');
      expect(await two.answerQuestion({ ...answer, now: NOON + 1_000, by: 'x' })).toBe('closed');
      const results = await Promise.all([
        one.answerQuestion({ ...answer, by: 'ann' }),
        two.answerQuestion({ ...answer, answer: { allow: false }, by: 'bob' }),
      ]);
      const [winner] = await one.questions({ states: ['open'] });
      expect(results).toContain('answered');
      expect(results).toContainEqual({ conflict: winner?.answeredBy });
      expect(winner).toMatchObject({ version: 2, answer: { allow: winner?.answeredBy === 'ann' } });
      // The answer is on its way: nothing closes the question, and its notification may still be found.
      expect(await one.closeQuestion('q1', 'its session ended')).toBe(false);
      expect(await one.tieQuestion('q1', 'ntf_0002')).toBe(true);
      const by = winner?.answeredBy ?? '';
      expect(await two.settleAnswer({ id: 'q1', nonce: 'n', by, why: null })).toBe(true);
      expect(await two.question('q1')).toMatchObject({ state: 'answered', answeredBy: by, closed: null });
      expect(await one.answerQuestion({ ...answer, by: 'cid' })).toEqual({ conflict: by });
      expect(await one.closeQuestion('q1', 'its session ended')).toBe(false);
      expect(await one.tieQuestion('q1', 'ntf_0003')).toBe(false);
      await one.putQuestion({ ...question, id: 'q2' });
      expect(await two.tieQuestion('q2', 'ntf_0002')).toBe(true);
      expect(await one.question('q2')).toMatchObject({ notificationId: 'ntf_0002', version: 2, state: 'open' });
      expect((await one.counts()).openQuestions).toBe(1);
      expect(await two.changeQuestion('q2', { inputHash: 'h2', subject: { tool: 'Edit' } })).toBe(true);
      expect(await one.question('q2')).toMatchObject({ inputHash: 'h2', subject: { tool: 'Edit' }, version: 3 });
      expect(await one.answerQuestion({ ...answer, id: 'q2', by: 'ann' })).toBe('closed'); // to what it asked before
      expect(await one.changeQuestion('q1', { inputHash: 'h2', subject: {} })).toBe(false);
      expect(await two.closeQuestion('q2', 'its session ended')).toBe(true);
      expect(await one.question('q2')).toMatchObject({ state: 'closed', closed: 'its session ended' });
      expect(await one.answerQuestion({ ...answer, id: 'q2', by: 'ann' })).toBe('closed');
    });

    test('an answer that did not reach the agent is settled as such, by whoever gave it and once; who tried is kept', async () => {
      const [one, two] = await both(driver);
      await one.putQuestion(question);
      const answer = { id: 'q1', nonce: 'n', inputHash: 'h', answer: { by: 'ann' }, now: NOON, by: 'ann' };
      const back = { id: 'q1', nonce: 'n', by: 'ann', why: 'the agent no longer waits' };
      expect(await one.settleAnswer(back)).toBe(false); // there is none yet
      expect(await one.answerQuestion(answer)).toBe('answered');
      const { cursor } = await two.changesSince(null, 0);
      for (const others of [{ by: 'bob' }, { nonce: 'guessed' }, { id: 'none' }])
        expect(await two.settleAnswer({ ...back, ...others })).toBe(false);
      expect(await one.question('q1')).toMatchObject({ state: 'open', answeredBy: 'ann', version: 2 });
      const taken = await Promise.all([one.settleAnswer(back), two.settleAnswer(back)]);
      expect(taken.filter(Boolean)).toHaveLength(1);
      const { changes } = await two.changesSince(cursor, 100);
      expect(changes.map(({ type, id }) => `${type} ${id}`)).toEqual(['question q1']);
      expect(await two.question('q1')).toMatchObject({
        state: 'closed',
        closed: 'the agent no longer waits',
        answeredBy: null,
        answer: { by: 'ann' },
        version: 3,
      });
      expect(await two.questions({ states: ['answered'] })).toEqual([]);
      expect(await one.answerQuestion(answer)).toBe('closed');
    });
  });
}
