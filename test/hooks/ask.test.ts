// The answering hook when things go wrong: whatever the daemon or the client does, it leaves with 0 and prints nothing.
import { mkdirSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ASK_PROGRAM, command, openQuestion, permission, startAsk, stop } from '../support/answering.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { BESIDE_LIMIT, WAIT_LIMIT } from '../../hooks/exchange.ts';
import { seenOf } from '../../src/model/question/seen.ts';

test('the bundle is small', () => {
  expect(statSync(ASK_PROGRAM).size).toBeLessThanOrEqual(12_288);
});

/** Something that listens where the daemon would. `serve` is called with each connection. */
async function listener(home: string, serve: (socket: Socket) => void): Promise<void> {
  mkdirSync(pathsBelow(home).run, { mode: 0o700 });
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // the hook leaves when it likes
    onTestFinished(() => void socket.destroy());
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(pathsBelow(home).socket, resolve));
  onTestFinished(() => void server.close());
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const WAIT = line({ data: { wait: 60_000 } });
const decision = { stdout: '{"hookSpecificOutput":{}}' };
const INPUT = JSON.stringify(permission('s'));

/** What a daemon says, in pieces; then it closes, or keeps silent. */
const DAEMONS: readonly (readonly [
  what: string,
  says: readonly string[],
  then: 'closes' | 'is silent',
  reply?: true,
])[] = [
  ['closes at once', [], 'closes'],
  ['says nothing', [], 'is silent'],
  ['refuses', [line({ error: 'unknown command', exit: 2, done: true })], 'closes'],
  ['is not one', ['HTTP/1.1 400 Bad Request\r\n\r\n'], 'closes'],
  ['answers before it says to wait', [line({ data: decision, done: true })], 'is silent'],
  ['says to wait in half a line', [WAIT.slice(0, 10)], 'closes'],
  ['closes while it waits', [WAIT], 'closes'],
  ['answers with half a line', [WAIT, line({ data: decision }).slice(0, 20)], 'closes'],
  ['answers with no JSON', [WAIT, 'allow\n'], 'is silent'],
  ['answers with a number', [WAIT, '42\n'], 'is silent'],
  ['answers with nothing to print', [WAIT, line({ data: { stdout: 42 }, done: true })], 'is silent'],
  ['lets it leave', [WAIT, line({ data: { left: 'answered at the terminal' }, done: true })], 'is silent'],
  ['has a reply for a hook of decisions', [WAIT, line({ data: { reply: 'go on' }, done: true })], 'is silent'],
  ['has a decision for a hook of replies', [WAIT, line({ data: decision, done: true })], 'is silent', true],
  ['has an empty reply', [WAIT, line({ data: { reply: ' \n' }, done: true })], 'is silent', true],
  ['has a reply that is no text', [WAIT, line({ data: { reply: ['go on'] }, done: true })], 'is silent', true],
  ['waits no time', [line({ data: { wait: 'long' } })], 'is silent'],
  ['never ends its line', [WAIT, 'x'.repeat(400_000)], 'is silent'],
];

test.each(DAEMONS.map(([what, says, then, reply]) => ({ what, says, then, reply })))(
  'a daemon that $what',
  async ({ says, then, reply }) => {
    const home = temporaryFolder();
    await listener(home, (socket) => {
      socket.once('data', () => {
        for (const part of says) socket.write(part);
        if (then === 'closes') socket.end();
      });
    });
    const args = ['--agent', 'claude', ...(reply ? ['--reply'] : [])];
    const input = reply ? JSON.stringify(stop('s')) : INPUT;
    expect(await startAsk(home, input, args).ended).toMatchObject({ code: 0, signal: null, stdout: '', stderr: '' });
  },
);

test('an answer in pieces, with letters of several bytes, arrives whole', async () => {
  const home = temporaryFolder();
  await listener(home, (socket) => {
    socket.once('data', () => {
      const bytes = Buffer.from(WAIT + line({ data: { reply: 'grüße, 你好 🎉' }, done: true }));
      for (const byte of bytes) socket.write(Uint8Array.of(byte));
    });
  });
  const ran = await until(async () => {
    const tried = await startAsk(home, JSON.stringify(stop('s')), ['--agent', 'claude', '--reply']).ended;
    return tried.code === 0 ? null : tried; // 0: this process was too busy to let it wait in time
  }, 'an answer');
  expect(ran).toMatchObject({ code: 42, stdout: '', stderr: 'grüße, 你好 🎉' });
});

/** What a client may do to it; a listener that says to wait is there in each case. */
const INPUTS: readonly (readonly [
  what: string,
  input: string | null,
  args: readonly string[],
  env?: Record<string, string>,
])[] = [
  ['no input', '', ['--agent', 'claude']],
  ['a stdin that is never closed', null, ['--agent', 'claude']],
  ['an input of 10 MB', JSON.stringify(permission('s', 'x'.repeat(10_000_000))), ['--agent', 'claude']],
  ['an input that would not fit a line', JSON.stringify(permission('s', '"'.repeat(90_000))), ['--agent', 'claude']],
  ['no agent', INPUT, []],
  ['an option without its value', INPUT, ['--agent']],
  ['switched off', INPUT, ['--agent', 'claude'], { BELFRY_DISABLE: '1' }],
];

test.each(INPUTS.map(([what, input, args, env]) => ({ what, input, args, env })))(
  '$what',
  async ({ input, args, env }) => {
    const home = temporaryFolder();
    await listener(home, (socket) => void socket.once('data', () => void socket.write(line({ data: {} }))));
    expect(await startAsk(home, input, args, env).ended).toMatchObject({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    });
  },
);

test('nobody listens: it leaves, and starts nothing', async () => {
  const home = temporaryFolder();
  expect(await startAsk(home, INPUT, ['--agent', 'claude']).ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
});

/** Ms for which a daemon says nothing, as one that is busy or was suspended does. */
const STALL = 1_000;

test.each<[what: string, args: readonly string[], env: Record<string, string>, stdout: string]>([
  ['a dialog beside it: waited for', ['--beside'], {}, decision.stdout],
  ['a terminal that it holds: not', [], {}, ''],
  ['a one-shot run, which waits for its hooks: not', ['--beside'], { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }, ''],
])('a daemon that stalls for a second, %s', async (_what, args, env, stdout) => {
  const home = temporaryFolder();
  await listener(home, (socket) => {
    socket.once('data', () => {
      setTimeout(() => socket.write(WAIT + line({ data: decision, done: true })), STALL);
    });
  });
  const ran = await startAsk(home, INPUT, ['--agent', 'claude', ...args], env).ended;
  expect(ran).toMatchObject({ code: 0, stdout, stderr: '' });
});

test('the daemon is suspended while Claude asks: its question is answered all the same', async () => {
  expect(BESIDE_LIMIT).toBeGreaterThan(100 * WAIT_LIMIT);
  const home = temporaryFolder();
  const daemon = await startDaemon(home);
  process.kill(daemon.pid, 'SIGSTOP');
  const hook = startAsk(home, INPUT, ['--agent', 'claude', '--beside']);
  const began = Date.now();
  await until(() => Date.now() - began > STALL, 'a second');
  expect(hook.process.exitCode).toBe(null);
  process.kill(daemon.pid, 'SIGCONT');
  const question = await openQuestion(home, 's');
  await command(home, 'answer', {
    id: question.id,
    seen: seenOf(question),
    answer: { type: 'allow' },
    pid: process.pid,
  });
  expect(JSON.parse((await hook.ended).stdout)).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'allow' } },
  });
});
