// `belfry focus`, and the same over HTTP, of an agent in a real tmux whose terminal is on no desktop: what was done, what not, and the exit codes.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isLoopbackPeer } from '../../src/lib/net/listen-address.ts';
import { problemOf, visit } from '../support/interface.ts';
import { bareEnv, belfry, startDaemon } from '../support/programs.ts';
import { sample } from '../support/samples.ts';
import { terminalAgent } from '../support/terminal-agent.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

/** An agent in the first of two windows of tmux, of which a terminal shows the second. */
async function world() {
  const home = homeWith('[channels.own]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["own"]\n');
  const folder = mkdtempSync(join(tmpdir(), 'focus-'));
  const socket = join(folder, 'tmux');
  const agent = terminalAgent(folder);
  const env = bareEnv(home, { TERM: 'xterm-256color', SHELL: '/bin/sh' });
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { env, encoding: 'utf8' }).trim();
  tmux('new-session', '-d', '-s', 'work', '-x', '80', '-y', '20', agent.program);
  tmux('new-window', '-t', 'work', 'exec sleep 600');
  const attach = spawn('script', ['-qfec', `tmux -S '${socket}' attach -t work`, '/dev/null'], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => {
    attach.kill();
    tmux('kill-server');
    rmSync(folder, { recursive: true, force: true });
  });
  const shown = (): string => tmux('list-clients', '-F', '#{pane_id}');
  await until(() => shown() === '%1', 'the terminal to be attached', 60_000);
  await startDaemon(home);
  const input = { ...sample('claude', 'PermissionRequest', 'tui-permission-deny').input, session_id: 'asked' };
  const ask = async (): Promise<void> => {
    agent.hook(input);
    await until(
      async () => (await belfry(home, ['pending', '--json'])).stdout.includes('"asked"'),
      'the question to be known',
      60_000,
    );
  };
  return { home, tmux, ask, shown };
}

const DONE = /^pane %0 of tmux is selected on \/dev\/pts\/\d+\n$/;
const NOT = 'its terminal is on no desktop that is known here\n';

test('what waits longest, a session by its id, and a session that is over', async () => {
  const { home, tmux, ask, shown } = await world();
  expect(await belfry(home, ['focus'])).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringContaining('no session waits for you'),
  });
  await ask();
  expect(await belfry(home, ['focus'])).toMatchObject({ code: 5, stdout: expect.stringMatching(DONE), stderr: NOT });
  expect(shown()).toBe('%0');
  tmux('select-window', '-t', 'work:1');
  const { code, stdout } = await belfry(home, ['focus', 'asked', '--json']);
  expect([code, JSON.parse(stdout), shown()]).toMatchObject([
    5,
    {
      agent: 'claude',
      session_id: 'asked',
      done: 'some',
      steps: [
        { what: 'pane', done: true },
        { what: 'window', done: false },
      ],
    },
    '%0',
  ]);
  tmux('kill-pane', '-t', '%0');
  await until(async () => (await belfry(home, ['focus', 'asked'])).code === 1, 'the end of the agent', 60_000);
  expect((await belfry(home, ['focus', 'asked'])).stderr).toContain('has exited');
  expect(shown()).toBe('%1');
});

test('over HTTP: the pane is selected, and what is not known or not there is refused', async () => {
  const { home, tmux, ask, shown } = await world();
  await ask();
  const { call } = await visit(home);
  const { sessions } = await call('sessions.list', {});
  const key = sessions[0]?.key ?? '';
  expect(await call('sessions.focus', { key })).toMatchObject({
    done: 'some',
    steps: [
      { what: 'pane', done: true },
      { what: 'window', done: false },
    ],
  });
  expect(shown()).toBe('%0');
  expect((await problemOf(call('sessions.focus', { key: 'unknown' }))).status).toBe(404);
  tmux('kill-pane', '-t', '%0');
  await until(async () => (await problemOf(call('sessions.focus', { key }))).status === 409, 'its end', 60_000);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['::ffff:10.127.0.1', false],
  ['fe80::1', false],
  ['', false],
])('from %s: of this machine: %s', (peer, expected) => {
  expect(isLoopbackPeer(peer)).toBe(expected);
});
