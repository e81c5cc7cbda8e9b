// `belfry run`: a stand-in for the client is started with a pair of files, and answered through them; the terminal, signals and exit code are its own.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { questionsIn } from '../../../support/answering.ts';
import { pathsBelow, temporaryFolder } from '../../../support/home.ts';
import { BELFRY, bareEnv, belfry, startDaemon } from '../../../support/programs.ts';
import { until } from '../../../support/wait.ts';

/** Writes down how it was started, then waits for the file `leave` with its exit status in it. */
const STAND_IN = `#!${process.execPath}
const { writeFileSync, existsSync, readFileSync } = require('node:fs');
const { HOME } = process.env;
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => { writeFileSync(HOME + '/signal', signal); process.exit(0); });
writeFileSync(HOME + '/started.part', JSON.stringify({ args: process.argv.slice(2), pid: process.pid }));
require('node:fs').renameSync(HOME + '/started.part', HOME + '/started');
setInterval(() => existsSync(HOME + '/leave') && process.exit(Number(readFileSync(HOME + '/leave', 'utf8'))), 20);
`;

/** Lets the stand-in end with this exit status; whole at once, as it may look at any moment. */
function leave(home: string, status: number): void {
  writeFileSync(join(home, 'leave.part'), String(status));
  renameSync(join(home, 'leave.part'), join(home, 'leave'));
}

interface Started {
  readonly home: string;
  readonly wrapper: ChildProcess;
  readonly args: readonly string[];
  readonly pid: number;
  readonly events: string;
  readonly answers: string;
  readonly folder: string;
  /** As the client writes it. */
  say(...lines: readonly unknown[]): void;
  /** What was written for the client. */
  heard(): readonly unknown[];
  ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly stderr: string }>;
}

function clientHome(): { readonly home: string; readonly env: Record<string, string> } {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'qwen'), STAND_IN);
  chmodSync(join(bin, 'qwen'), 0o755);
  writeFileSync(join(home, 'config.toml'), '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n');
  return { home, env: { PATH: `${bin}${delimiter}${process.env['PATH']}` } };
}

async function start(args: readonly string[], given = clientHome()): Promise<Started> {
  const { home, env } = given;
  const wrapper = spawn(process.execPath, [BELFRY, 'run', 'qwen', ...args], { env: bareEnv(home, env) });
  let stderr = '';
  wrapper.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const ended: Started['ended'] = new Promise((resolve) => {
    // Its output stays open as long as a client that outlives it.
    wrapper.on('exit', (code, signal) => resolve({ code, signal, stderr }));
  });
  await until(() => existsSync(join(home, 'started')), 'the client to start');
  const { args: own, pid } = JSON.parse(readFileSync(join(home, 'started'), 'utf8')) as { args: string[]; pid: number };
  onTestFinished(() => {
    for (const one of [wrapper.pid, pid])
      try {
        if (one !== undefined) process.kill(one, 'SIGKILL');
      } catch {
        // has ended
      }
  });
  const [events = '', answers = ''] = [own[1] ?? '', own[3] ?? ''];
  const say: Started['say'] = (...lines) =>
    appendFileSync(events, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  const heard = (): readonly unknown[] =>
    readFileSync(answers, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line));
  return { home, wrapper, args: own, pid, events, answers, folder: dirname(events), say, heard, ended };
}

const asks = (id: string, command = 'touch notes.txt', more: object = {}) => ({
  type: 'control_request',
  request_id: id,
  request: {
    subtype: 'can_use_tool',
    tool_name: 'run_shell_command',
    tool_use_id: 'call',
    input: { command },
    ...more,
  },
});
const settled = (id: string, allowed: boolean) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: id, response: { allowed } },
});
const SESSION = { type: 'system', subtype: 'session_start', session_id: 's-1' };
const open = (home: string) =>
  until(async () => (await questionsIn(home)).find(({ state }) => state === 'open'), 'an open question');

test('the client gets its own arguments behind a private pair of files, and its exit status is ours', async () => {
  const w = await start(['--resume', 'a b', '--help', '-i', "it's"]);
  expect(w.args).toEqual([
    '--json-file',
    w.events,
    '--input-file',
    w.answers,
    '--resume',
    'a b',
    '--help',
    '-i',
    "it's",
  ]);
  expect([w.folder, w.events, w.answers].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
    '700',
    '600',
    '600',
  ]);
  leave(w.home, 7);
  expect(await w.ended).toEqual({ code: 7, signal: null, stderr: '' });
  expect(existsSync(w.folder)).toBe(false);
});

test('allow, deny with a text, and the terminal first', async () => {
  const given = clientHome();
  await startDaemon(given.home);
  const w = await start([], given);
  w.say(SESSION, asks('r-1'));
  const first = await open(w.home);
  expect(first).toMatchObject({
    kind: 'permission',
    sessionKey: expect.stringMatching(/\/s-1$/),
    subject: { tool: 'run_shell_command', text: 'touch notes.txt', partial: null },
  });
  const allowed = belfry(w.home, ['answer', first.id, 'allow']);
  await until(() => w.heard().length === 1, 'the answer');
  expect(w.heard()).toEqual([{ type: 'confirmation_response', request_id: 'r-1', allowed: true }]);
  w.say(settled('r-1', true));
  expect(await allowed).toMatchObject({ code: 0 });

  // Of a denial the client says only that a second one is too late.
  w.say(asks('r-2'));
  const denied = belfry(w.home, ['answer', (await open(w.home)).id, 'deny', '--message', 'use notes.md']);
  await until(() => w.heard().length === 3, 'the denial, twice');
  const denial = { type: 'confirmation_response', request_id: 'r-2', allowed: false };
  expect(w.heard().slice(1)).toEqual([denial, denial]);
  w.say({ type: 'control_response', response: { subtype: 'error', request_id: 'r-2', error: 'no longer' } });
  await until(() => w.heard().length === 4, 'its text');
  expect(w.heard().at(-1)).toEqual({ type: 'submit', text: 'use notes.md' });
  w.say({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'use notes.md' }] } });
  expect(await denied).toMatchObject({ code: 0 });

  w.say(asks('r-3'));
  const third = await open(w.home);
  w.say(settled('r-3', true));
  await until(
    async () => (await questionsIn(w.home)).every(({ state }) => state !== 'open'),
    'the end of the question',
  );
  expect((await questionsIn(w.home)).find(({ id }) => id === third.id)?.closed).toBe('answered at the terminal');
  expect(await belfry(w.home, ['answer', third.id, 'allow'])).toMatchObject({ code: 5 });
  expect(w.heard()).toHaveLength(4);

  // The terminal and we at once: it was allowed there, so our denial is none, and its text goes nowhere.
  w.say(asks('r-4'));
  const late = belfry(w.home, ['answer', (await open(w.home)).id, 'deny', '--message', 'too late']);
  await until(() => w.heard().length === 5, 'the denial');
  w.say(settled('r-4', true));
  expect(await late).toMatchObject({ code: 5 });
  expect(JSON.stringify(w.heard())).not.toContain('too late');
});

test('odd lines become no question; a daemon that starts later asks what is still open, and no more', async () => {
  const w = await start([]);
  w.say(
    '{"type":"control_request","requ',
    'null',
    '[]',
    '{"type":"control_request"}',
    '"control_request"',
    SESSION,
    asks('r-1', 'touch answered.txt'),
    settled('r-1', true),
    asks('odd-1', 'x', { subtype: 'dance' }),
    asks('odd-2', 'x', { input: 'touch' }),
    asks('odd-3', 'x', { tool_name: 'ask_user_question' }),
    asks('odd-4', 'x'.repeat(80_000)),
    asks('odd-5', 'x'.repeat(2_000_000)),
    { type: 'control_response', response: { request_id: 'never', response: { allowed: true } } },
    asks('r-2', 'touch open.txt'),
  );
  const daemon = await startDaemon(w.home);
  const question = await open(w.home);
  expect(question.subject).toMatchObject({ text: 'touch open.txt' });
  expect(await questionsIn(w.home)).toHaveLength(1);
  // Killed while it waits: the next daemon goes on with the same question.
  await daemon.stop('SIGKILL');
  await startDaemon(w.home);
  const answered = until(async () => (await belfry(w.home, ['answer', question.id, 'allow'])).code === 0, 'the answer');
  await until(() => w.heard().length > 0, 'the answer in its file');
  w.say(settled('r-2', true));
  await answered;
  expect(await questionsIn(w.home)).toHaveLength(1);
});

test('its exit ends what it asked, and takes the files away', async () => {
  const given = clientHome();
  await startDaemon(given.home);
  const w = await start([], given);
  w.say(SESSION, asks('r-1'));
  const question = await open(w.home);
  leave(w.home, 0);
  expect(await w.ended).toMatchObject({ code: 0 });
  await until(async () => (await questionsIn(w.home))[0]?.state === 'closed', 'the question to be closed');
  expect(await belfry(w.home, ['answer', question.id, 'allow'])).toMatchObject({ code: 5 });
});

test('a signal goes to the client; what a killed wrapper leaves behind is removed by the daemon', async () => {
  const w = await start([]);
  w.wrapper.kill('SIGTERM');
  expect(await w.ended).toMatchObject({ code: 0 });
  expect(readFileSync(join(w.home, 'signal'), 'utf8')).toBe('SIGTERM');
  const killed = await start([]);
  const about = (): string => readFileSync(join(killed.folder, 'about.json'), 'utf8');
  await until(() => about().includes('"client"'), 'the wrapper to announce it');
  killed.wrapper.kill('SIGKILL');
  await killed.ended;
  process.kill(killed.pid, 'SIGKILL');
  expect(existsSync(killed.folder)).toBe(true);
  await startDaemon(killed.home);
  await until(() => !existsSync(killed.folder), 'the files to be removed');
  expect(readdirSync(join(pathsBelow(killed.home).state, 'wrapped'))).toEqual([]);
});

test('a client that ends while the daemon hangs ends us at once', async () => {
  const given = clientHome();
  const { process: daemon } = await startDaemon(given.home);
  daemon.kill('SIGSTOP');
  onTestFinished(() => void daemon.kill('SIGCONT'));
  const w = await start([], given);
  const from = Date.now();
  leave(w.home, 7);
  expect(await w.ended).toEqual({ code: 7, signal: null, stderr: '' });
  expect(Date.now() - from).toBeLessThan(3_000);
  expect(existsSync(w.folder)).toBe(false);
});

test('a client that ends by a signal ends us by it', async () => {
  const w = await start([]);
  process.kill(w.pid, 'SIGKILL');
  expect(await w.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  expect(existsSync(w.folder)).toBe(false);
});

test.each(['-p', '--prompt=hello'])('a one-shot run (%s) waits for nobody: it is started as it is', async (option) => {
  const w = await start([option]);
  expect(w.args).toEqual([option]);
  leave(w.home, 0);
  expect(await w.ended).toEqual({ code: 0, signal: null, stderr: '' });
});

test('options of its own leave no room for ours; what cannot be run is said', async () => {
  const own = await start(['--json-file=/dev/null']);
  expect(own.args).toEqual(['--json-file=/dev/null']);
  leave(own.home, 0);
  expect((await own.ended).stderr).toContain('at its terminal only: --json-file is your own');
  const home = temporaryFolder();
  const cases = [
    [['run', 'claude'], 2, 'claude needs no `belfry run`, which is for qwen: start it as usual'],
    [['run', 'qwenn'], 2, 'unknown agent "qwenn"; did you mean "qwen"?'],
    [['run', 'qwen'], 4, '`qwen` was not found'],
    [['run'], 2, 'AGENT'],
  ] as const;
  for (const [args, code, words] of cases) {
    const ran = await belfry(home, args, { env: { PATH: '/nowhere' } });
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(words)]);
  }
});
