// Answers to what was not shown: another question's, a guessed or an older proof, what is over. None of them reaches the agent.
import { expect, test } from 'vitest';
import { BASE } from '../../src/http/api/paths.ts';
import type { Question } from '../../src/model/question/question.ts';
import { seenOf } from '../../src/model/question/seen.ts';
import { command, type Conversation, openQuestion, permission, questionsIn, waitAsHook } from '../support/answering.ts';
import { type Visitor, visit } from '../support/interface.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const ALLOW = { type: 'allow' };
const SILENT = '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n';

/** A daemon that notifies nobody, with one hook that waits for each of these commands. */
async function waiting(...lines: readonly string[]) {
  const home = homeWith(SILENT);
  const daemon = await startDaemon(home);
  const asked: { readonly question: Question; readonly talk: Conversation }[] = [];
  for (const [at, line] of lines.entries()) {
    const talk = await waitAsHook(home, permission(`s${at}`, line));
    asked.push({ talk, question: await openQuestion(home, `s${at}`) });
  }
  return { home, daemon, asked, page: await visit(home) };
}

/** As a program sends it, checked by no type. */
async function post({ origin, token }: Visitor, id: string, body: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-belfry': '1' };
  const url = `${origin}${BASE}/questions/${id}/answer`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, problem: (await response.json()) as Record<string, unknown> };
}

/** That nothing reached the agent: it is still asked, and takes a true answer. */
async function expectStillAsked(home: string, { question, talk }: { question: Question; talk: Conversation }) {
  const now = (await questionsIn(home)).find(({ id }) => id === question.id);
  expect(now?.state).toBe('open');
  const deny = { id: question.id, seen: seenOf(now ?? question), answer: { type: 'deny' }, pid: process.pid };
  expect((await command(home, 'answer', deny))?.error).toBeUndefined();
  expect(String((await talk.next())?.data?.['stdout'])).toContain('"deny"');
}

test('over HTTP, an answer that does not say what was seen is refused, and is told what to give', async () => {
  const { home, asked, page } = await waiting('touch a.txt');
  const [one] = asked;
  if (one === undefined) throw new Error('nothing is asked');
  for (const body of [{ answer: ALLOW }, { answer: ALLOW, seen: '' }, { answer: ALLOW, seen: null }]) {
    const { status, problem } = await post(page, one.question.id, body);
    expect([status, problem['detail']]).toEqual([400, expect.stringContaining('`seen` that came with the question')]);
  }
  await expectStillAsked(home, one);
});

test('over HTTP, what was seen of another question allows nothing, and the question as it is comes back', async () => {
  const { home, asked, page } = await waiting('touch a.txt', 'rm -rf ~/');
  const [harmless, other] = asked;
  if (harmless === undefined || other === undefined) throw new Error('nothing is asked');
  const { status, problem } = await post(page, other.question.id, { answer: ALLOW, seen: seenOf(harmless.question) });
  expect([status, problem]).toEqual([
    412,
    expect.objectContaining({
      detail: expect.stringContaining('look at it again (nothing was sent)'),
      question: expect.objectContaining({ id: other.question.id, seen: seenOf(other.question), state: 'open' }),
    }),
  ]);
  await expectStillAsked(home, other);
});

test('over HTTP, a guess and a value cut short allow nothing', async () => {
  const { home, asked, page } = await waiting('touch a.txt');
  const [one] = asked;
  if (one === undefined) throw new Error('nothing is asked');
  const seen = seenOf(one.question);
  for (const guess of ['A'.repeat(22), seen.slice(0, -1), `${seen}A`, one.question.id, one.question.inputHash])
    expect((await post(page, one.question.id, { answer: ALLOW, seen: guess })).status).toBe(412);
  await expectStillAsked(home, one);
});

test('over HTTP, the value of a question is another one for the same words asked again', async () => {
  const { home, asked, page } = await waiting('touch a.txt');
  const [one] = asked;
  if (one === undefined) throw new Error('nothing is asked');
  const first = (await page.call('questions.list', {})).questions[0]?.seen ?? '';
  one.talk.close();
  const talk = await waitAsHook(home, permission('s0', 'touch a.txt'));
  const question = await until(
    async () => (await questionsIn(home)).find(({ id, state }) => state === 'open' && id !== one.question.id),
    'the question that was asked again',
  );
  expect(question.inputHash).toBe(one.question.inputHash);
  expect((await post(page, question.id, { answer: ALLOW, seen: first })).status).toBe(412);
  await expectStillAsked(home, { question, talk });
});

test('an answer to what somebody has answered says who was first, whatever it has seen', async () => {
  const { home, asked, page } = await waiting('touch a.txt');
  const [one] = asked;
  if (one === undefined) throw new Error('nothing is asked');
  const { id } = one.question;
  expect((await belfry(home, ['answer', id, 'deny'])).code).toBe(0);
  for (const seen of [seenOf(one.question), 'A'.repeat(22)]) {
    const { status, problem } = await post(page, id, { answer: ALLOW, seen });
    expect([status, problem['answered_by']]).toEqual([409, expect.stringContaining('(command line)')]);
  }
  expect(String((await one.talk.next())?.data?.['stdout'])).toContain('"deny"');
});

test('an answer to what nobody waits for any more reaches nobody', async () => {
  const { home, daemon, asked, page } = await waiting('touch a.txt');
  const [one] = asked;
  if (one === undefined) throw new Error('nothing is asked');
  const { id } = one.question;
  // The session goes on with something else.
  const later = await waitAsHook(home, permission('s0', 'touch b.txt'));
  expect((await post(page, id, { answer: ALLOW, seen: seenOf(one.question) })).status).toBe(410);
  expect((await one.talk.next())?.data).toEqual({ left: 'answered at the terminal' });
  later.close();
  await daemon.stop('SIGKILL');
  await startDaemon(home);
  const late = await command(home, 'answer', { id, seen: seenOf(one.question), answer: ALLOW });
  expect([late?.exit, late?.error]).toEqual([5, expect.stringContaining('only its terminal can answer now')]);
});

test('over the socket, what was seen of another question, or nothing, allows nothing', async () => {
  const { home, asked } = await waiting('touch a.txt', 'rm -rf ~/');
  const [harmless, other] = asked;
  if (harmless === undefined || other === undefined) throw new Error('nothing is asked');
  const { id } = other.question;
  const tried = [{ seen: seenOf(harmless.question) }, { seen: '' }, {}, { seen: 'A'.repeat(22) }];
  for (const given of tried) {
    const line = await command(home, 'answer', { id, ...given, answer: ALLOW });
    expect([given, line?.error]).toEqual([given, expect.any(String)]);
  }
  await expectStillAsked(home, other);
});

test('what is handed out with a question is in no list of a reader but the one value, and the nonce in none', async () => {
  const { asked, page } = await waiting('touch a.txt');
  const [one] = asked;
  if (one === undefined) throw new Error('nothing is asked');
  const lists = [
    await page.call('questions.list', {}),
    await page.call('notifications.list', {}),
    await page.call('sessions.list', {}),
  ];
  expect(lists[0]).toMatchObject({ questions: [{ id: one.question.id, seen: seenOf(one.question) }] });
  expect(JSON.stringify(lists)).not.toContain(one.question.nonce);
});
