// Presses of buttons: what counts as forged, and what is shown again.
import { expect, test } from 'vitest';
import { buttonReference } from '../../src/answering/answers/button-references.ts';
import { createInboundAnswers } from '../../src/answering/answers/inbound-answer.ts';
import { NOT_MADE_HERE } from '../../src/model/channel/channel.ts';
import type { Question } from '../../src/model/question/question.ts';
import { virtualClock } from '../support/clock.ts';

const KEY = Buffer.alloc(32, 1);
const ID = `qst_${'q'.repeat(24)}`;

function inbound() {
  const question: Question = {
    id: ID,
    nonce: 'nonce',
    inputHash: 'input',
    notificationId: 'ntf_1',
    sessionKey: 's',
    kind: 'permission',
    subject: {},
    deadline: 1e15,
    version: 1,
    state: 'open',
    answer: null,
    answeredBy: null,
    closed: null,
  } as Question; // as far as it is read here
  const logged: string[] = [];
  const shownAgain: string[] = [];
  const take = createInboundAnswers({
    key: KEY,
    clock: virtualClock(),
    mayAnswer: () => true,
    unanswered: () => null,
    asked: () => [],
    store: { question: async (id) => (id === ID ? question : null), deliveries: async () => [] },
    answer: async () => undefined,
    showAgain: (channel, id) => void shownAgain.push(`${channel} ${id}`),
    log: (message) => void logged.push(message),
  });
  const by = { id: 'browser', name: 'ada' };
  const press = (
    reference: string,
    more: { text?: string; mayBeForAnother?: boolean; removesMessage?: boolean } = {},
  ) => take('one', { reference, replyTo: null, text: null, by, at: 0, ...more });
  const good = (says: 'allow' | 'text') => buttonReference(KEY, 'one', question, { says });
  return { press, good, forged: buttonReference(KEY, 'other', question, { says: 'allow' }), logged, shownAgain };
}

test('what may be meant for another channel counts as no forgery, what is meant for this one does', async () => {
  const { press, good, forged, logged } = inbound();
  for (let i = 0; i < 100; i++) expect(await press(forged, { mayBeForAnother: true })).toBe(NOT_MADE_HERE);
  expect(logged).toEqual([]);
  expect(await press(good('allow'))).toBe('Allowed.');
  for (let i = 0; i < 60; i++) expect(await press(forged)).toBe(NOT_MADE_HERE);
  expect(logged).toHaveLength(60);
  expect(await press(forged)).toContain('Too many wrong answers');
  expect(logged).toHaveLength(60);
  expect(await press(good('allow'))).toBe('Allowed.'); // a guesser keeps nobody from answering
});

test('a message that went away is shown again while its question is open', async () => {
  const { press, good, shownAgain } = inbound();
  expect(await press(good('text'), { text: 'yes' })).toContain('Nothing was sent');
  expect(shownAgain).toEqual([]);
  expect(await press(good('text'), { text: 'yes', removesMessage: true })).toContain('Nothing was sent');
  expect(shownAgain).toEqual(['one ntf_1']);
});
