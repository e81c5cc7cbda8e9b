// A real daemon and an agent in a real tmux whose terminal has the focus: who walks away is told, and who stays and types has seen it.
import { listed } from '../support/lists.ts';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bareEnv, belfry, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { sample } from '../support/samples.ts';
import { terminalAgent } from '../support/terminal-agent.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

/** Somebody who has just typed in the terminal that shows the agent. `idle`: of the settings. */
async function world(idle: string) {
  const receiver = await startReceiver();
  const home = homeWith(
    `[presence]\nidle = "${idle}"\n[channels.hook]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\n` +
      '[[routes]]\nto = ["hook"]\nwhen = "away"\n',
  );
  const folder = mkdtempSync(join(tmpdir(), 'presence-'));
  const socket = join(folder, 'tmux');
  const agent = terminalAgent(folder);
  const env = bareEnv(home, { TERM: 'xterm-256color', SHELL: '/bin/sh' });
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { env, encoding: 'utf8' }).trim();
  tmux(
    'start-server',
    ';',
    'set',
    '-g',
    'focus-events',
    'on',
    ';',
    'new-session',
    '-d',
    '-x',
    '80',
    '-y',
    '20',
    agent.program,
  );
  const terminal = spawn('script', ['-qfec', `tmux -S '${socket}' attach`, '/dev/null'], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => {
    terminal.kill();
    tmux('kill-server');
    rmSync(folder, { recursive: true, force: true });
  });
  const times = (): readonly number[] =>
    tmux('list-clients', '-F', '#{client_created} #{client_activity}').split(' ').map(Number);
  await until(() => times().length === 2, 'the terminal to be attached', 60_000);
  /** Types until tmux has seen it, after this second. */
  const type = async (after: number): Promise<void> => {
    const isAfter = (): boolean => (times()[1] ?? 0) > after;
    await until(
      () => {
        if (!isAfter()) terminal.stdin.write(' ');
        return isAfter();
      },
      'a key',
      60_000,
    );
  };
  await type(times()[0] ?? 0);
  await startDaemon(home);
  const finish = (): void => agent.hook({ ...sample('claude', 'Stop', 'print-plain').input, session_id: 'one' });
  const why = async (): Promise<string> => {
    const [first] = await listed<{ readonly id: string }[]>(home, ['events']);
    return first === undefined ? '' : (await belfry(home, ['why', first.id])).stdout;
  };
  return { receiver, type, finish, why };
}

test('whoever walks away before the agent has finished is told', async () => {
  const { receiver, finish, why } = await world('4s');
  finish();
  await receiver.waitFor(1, 120_000);
  expect(await why()).toMatch(
    /you look at pane %0 of tmux on \S+.*, but (?:no input (?:in tmux|there) for \d+ s|nothing was typed or moved since)/,
  );
});

test('whoever types there afterwards has seen it', async () => {
  const { receiver, type, finish, why } = await world('10m');
  finish();
  await until(async () => (await why()).includes('waits: you look at pane'), 'it to wait', 60_000);
  expect(await why()).not.toContain('seen:');
  await type(Math.floor(Date.now() / 1_000));
  await until(async () => (await why()).includes('seen: you look at pane'), 'it to be seen');
  expect(receiver.requests).toEqual([]);
});
