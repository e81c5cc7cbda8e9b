// A hook that holds its terminal while the daemon is frozen, slow, or of another version: the terminal is never held for nothing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { command, converse, permission, questionsIn, startAsk, startWaiting, stop } from '../support/answering.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { BEAT } from '../../src/ipc/ask.ts';
import { seenOf } from '../../src/model/question/seen.ts';

/** A daemon, and a person who is away. */
async function away() {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n');
  const { process: daemon } = await startDaemon(home);
  expect((await belfry(home, ['away', '30m'])).code).toBe(0);
  onTestFinished(() => void daemon.kill('SIGCONT'));
  return { home, daemon };
}

const passed = (ms: number): Promise<unknown> => {
  const from = performance.now();
  return until(() => performance.now() - from > ms, `${ms} ms`);
};
const SILENT = { code: 0, signal: null, stdout: '', stderr: '' };

test.each([
  ['codex', permission('s')],
  ['qwen', permission('s')],
  ['droid', stop('s')],
])('%s: a daemon that is frozen lets its terminal go within seconds', async (agent, input) => {
  const { home, daemon } = await away();
  const hook = await startWaiting(home, input, ['--agent', agent]);
  daemon.kill('SIGSTOP');
  const from = performance.now();
  expect(await hook.ended).toMatchObject(SILENT);
  const ms = performance.now() - from;
  console.log(`${agent}: left after ${ms.toFixed(0)} ms`);
  expect(ms).toBeGreaterThan(BEAT);
  expect(ms).toBeLessThan(20_000); // on a busy machine; else about three seconds
  daemon.kill('SIGCONT');
  // Nobody can answer what has left.
  const { id } = hook.question;
  const closed = await until(
    async () => (await questionsIn(home)).find((q) => q.id === id && q.state !== 'open'),
    'it',
  );
  expect(closed).toMatchObject({ state: 'closed', answer: null });
});

test('a daemon that is frozen for a second loses nothing, and one that goes on is waited for', async () => {
  const { home, daemon } = await away();
  const hook = await startWaiting(home, permission('s'), ['--agent', 'codex']);
  daemon.kill('SIGSTOP');
  await passed(BEAT);
  daemon.kill('SIGCONT');
  await passed(5 * BEAT);
  expect(hook.process.exitCode).toBeNull();
  const { question } = hook;
  await command(home, 'answer', { id: question.id, seen: seenOf(question), answer: { type: 'allow' } });
  expect(JSON.parse((await hook.ended).stdout)).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'allow' } },
  });
});

test('a hook that was suspended itself finds what was said meanwhile', async () => {
  const { home } = await away();
  const hook = await startWaiting(home, permission('s'), ['--agent', 'codex']);
  hook.process.kill('SIGSTOP');
  await passed(5 * BEAT);
  hook.process.kill('SIGCONT');
  await passed(2 * BEAT);
  expect(hook.process.exitCode).toBeNull();
  const { question } = hook;
  await command(home, 'answer', { id: question.id, seen: seenOf(question), answer: { type: 'allow' } });
  expect((await hook.ended).stdout).toContain('"allow"');
});

test('a hook of an earlier version, which knows no heartbeat, hears none; nor does one that holds nothing', async () => {
  const { home } = await away();
  const origin = { pid: process.pid, ppid: process.ppid, env: {} };
  let sessions = 0;
  const ask = (agent: string, more: object) => {
    const talk = converse(home);
    const raw = JSON.stringify(permission(`s-${sessions++}`));
    talk.send({ v: 1, op: 'ask', args: { startedAt: Date.now(), agent, reply: false, raw, origin, ...more } });
    return talk;
  };
  const talks = [ask('codex', {}), ask('claude', { beats: true })];
  const beating = ask('codex', { beats: true });
  expect((await beating.next())?.data).toEqual({ wait: expect.any(Number), beat: BEAT });
  for (const talk of talks) expect((await talk.next())?.data).toEqual({ wait: expect.any(Number) });
  for (let i = 0; i < 3; i++) expect((await beating.next())?.data).toEqual({ beat: true });
  expect((await belfry(home, ['back'])).code).toBe(0);
  expect((await talks[0]?.next())?.data).toEqual({ left: 'you are back' });
});

test('a daemon of an earlier version, which has no heartbeat, is waited for', async () => {
  const home = temporaryFolder();
  mkdirSync(pathsBelow(home).run, { mode: 0o700 });
  const line = (data: object): string => `${JSON.stringify({ data })}\n`;
  const server = createServer((socket) => {
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(line({ wait: 60_000 }));
      setTimeout(() => socket.write(line({ stdout: '{"decided":true}' })), 5 * BEAT);
    });
  });
  await new Promise<void>((resolve) => server.listen(pathsBelow(home).socket, resolve));
  onTestFinished(() => void server.close());
  const ran = await until(async () => {
    const tried = await startAsk(home, JSON.stringify(permission('s')), ['--agent', 'codex']).ended;
    return tried.stdout === '' && tried.ms < BEAT ? null : tried; // this process was too busy to let it wait in time
  }, 'a hook that waited');
  expect(ran).toMatchObject({ code: 0, stdout: '{"decided":true}', stderr: '' });
});
