// What is called answered has reached the agent: hooks that die, are stopped or cannot print in the moment that somebody answers, and a daemon that dies then.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openQuestion, permission, questionsIn, startAsk, startWaiting, stop } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { problemOf, visit } from '../support/interface.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';

const UNCONFIRMED = 'your answer was sent, but the agent did not confirm it: look at its terminal';

const NOBODY = '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n';

async function homeWithDaemon(settings = NOBODY) {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), settings);
  return { home, daemon: await startDaemon(home) };
}

const row = async (home: string, id: string) => (await questionsIn(home)).find((question) => question.id === id);
/** Until somebody's answer is in its row. */
const claimed = (home: string, id: string) =>
  until(async () => (await row(home, id))?.answer, 'an answer to be on its way');

test.each([
  ['a decision', permission('s'), ['--agent', 'claude'], (id: string) => ['answer', id, 'allow']],
  ['a reply', stop('s'), ['--agent', 'claude', '--reply'], (id: string) => ['reply', id, 'go on']],
] as const)(
  '%s to a hook that dies before it has printed it is not called answered',
  async (_what, input, args, words) => {
    const { home } = await homeWithDaemon();
    const asks = await startWaiting(home, input, args);
    const { id } = asks.question;
    asks.process.kill('SIGSTOP');
    const answering = belfry(home, [...words(id)]);
    await claimed(home, id);
    expect((await row(home, id))?.state).toBe('open');
    asks.process.kill('SIGKILL');
    expect(await answering).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining(UNCONFIRMED) });
    expect(await asks.ended).toMatchObject({ stdout: '', stderr: '' });
    expect(await row(home, id)).toMatchObject({
      state: 'closed',
      answeredBy: null,
      closed: 'an answer was sent, but the agent did not confirm it',
      answer: { via: 'command line' },
    });
  },
);

test('over HTTP: while an answer is on its way nobody else can give one, and who gave it hears that nothing was confirmed', async () => {
  const { home } = await homeWithDaemon();
  const { call } = await visit(home);
  const asks = await startWaiting(home, permission('s'));
  const { id } = asks.question;
  const { questions } = await call('questions.list', {});
  const { seen = '' } = questions.find((one) => one.id === id) ?? {};
  const answer = (type: 'allow' | 'deny') =>
    problemOf(call('questions.answer', { id, seen, answer: type === 'deny' ? { type, message: null } : { type } }));
  asks.process.kill('SIGSTOP');
  const first = answer('allow');
  await claimed(home, id);
  expect(await answer('deny')).toMatchObject({ status: 409, answered_by: expect.stringContaining('(page)') });
  asks.process.kill('SIGKILL');
  expect(await first).toMatchObject({ status: 410, detail: UNCONFIRMED });
});

test('a hook that is stopped and goes on later: whoever answered heard in time that nothing was confirmed', async () => {
  const { home } = await homeWithDaemon();
  const asks = await startWaiting(home, permission('s'));
  asks.process.kill('SIGSTOP');
  const from = performance.now();
  const said = await belfry(home, ['answer', asks.question.id, 'allow']);
  expect([said.code, said.stderr]).toEqual([5, expect.stringContaining(UNCONFIRMED)]);
  expect(performance.now() - from).toBeLessThan(20_000);
  asks.process.kill('SIGCONT');
  // It has heard the answer, and its client may have taken it: nobody said otherwise.
  expect((await asks.ended).stdout).toContain('allow');
});

test('a client that has closed its end gets nothing, and nobody is said to have answered', async () => {
  const { home } = await homeWithDaemon();
  const asks = await startWaiting(home, permission('s'));
  asks.process.stdout?.destroy();
  const said = await belfry(home, ['answer', asks.question.id, 'allow']);
  expect([said.code, said.stderr]).toEqual([5, expect.stringContaining('the agent left at that moment')]);
  expect(await row(home, asks.question.id)).toMatchObject({ state: 'closed', closed: 'the agent no longer waits' });
  expect((await asks.ended).code).toBe(0);
});

test('a daemon that is killed while an answer is on its way: the next one calls it unconfirmed', async () => {
  const { home, daemon } = await homeWithDaemon();
  const asks = await startWaiting(home, permission('s'));
  const { id } = asks.question;
  asks.process.kill('SIGSTOP');
  const answering = belfry(home, ['answer', id, 'allow']);
  await claimed(home, id);
  await daemon.stop('SIGKILL');
  expect((await answering).code).not.toBe(0);
  await startDaemon(home);
  await until(async () => (await row(home, id))?.state === 'closed', 'the question to be closed');
  expect(await row(home, id)).toMatchObject({
    answeredBy: null,
    closed: 'an answer was sent, but the agent did not confirm it',
  });
  const late = await belfry(home, ['answer', id, 'allow']);
  expect([late.code, late.stderr]).toEqual([5, expect.stringContaining('did not confirm')]);
  asks.process.kill('SIGKILL');
});

test('`why` says that an answer was sent and not confirmed', async () => {
  const { url } = await startReceiver();
  const team = `[channels.team]\ntype = "webhook"\nurl = "${url}"\nallow_private = true\n[[routes]]\nto = ["team"]\n`;
  const { home } = await homeWithDaemon(team);
  const input = JSON.stringify(permission('s'));
  const asks = startAsk(home, input, ['--agent', 'claude', '--beside']);
  onTestFinished(() => void asks.process.kill('SIGKILL'));
  await hook(home, input, ['--agent', 'claude']);
  const { id } = await openQuestion(home, 's');
  asks.process.kill('SIGSTOP');
  const answering = belfry(home, ['answer', id, 'allow']);
  await claimed(home, id);
  asks.process.kill('SIGKILL');
  await answering;
  const words = 'An answer was sent, but the agent did not confirm it: look at its terminal.';
  const { notificationId } = (await row(home, id)) ?? {};
  expect((await belfry(home, ['why', notificationId ?? ''])).stdout).toContain(words);
});
