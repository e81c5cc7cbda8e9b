// A click on a real notification, on a screen with a window manager and two terminals: the agent's pane of tmux is selected and its window in front.
// With BELFRY_PICTURES it draws docs/pictures/focus-before.png and docs/pictures/focus-after.png there.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, belfry, startDaemon } from '../support/programs.ts';
import { sample } from '../support/samples.ts';
import { terminalAgent } from '../support/terminal-agent.ts';
import { startVirtualDesktop, type VirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';
import { COLOURS, drawn, LOOKS } from './looks.ts';

let screen: VirtualDesktop;
beforeAll(async () => {
  screen = await startVirtualDesktop({ settings: LOOKS, size: [1000, 560], manager: true });
});
afterAll(() => screen.close());

const x = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, {
    env: { ...process.env, ...screen.env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'], // a window that is gone, or none, is no news
  }).trim();
const activeTitle = (): string => {
  try {
    return x('xdotool', 'getactivewindow', 'getwindowname');
  } catch {
    return ''; // none is active at the moment
  }
};

/** A terminal with this title, in front; it is closed with the test. */
async function openTerminal(title: string, place: string, env: NodeJS.ProcessEnv, command: readonly string[]) {
  const look = ['-fa', 'DejaVu Sans Mono', '-fs', '11', '-geometry', place];
  const child = spawn('xterm', [...look, '-T', title, '-xrm', '*allowTitleOps: false', '-e', ...command], {
    env,
    stdio: 'ignore',
  });
  onTestFinished(() => ended(child));
  await until(() => activeTitle() === title, `the terminal "${title}"`, 60_000);
}

const ended = (child: ChildProcess): void => void child.kill('SIGKILL');

/** A desktop at work: an agent in the first window of tmux, the second one shown, and another terminal in front. */
async function world() {
  const home = temporaryFolder();
  const folder = mkdtempSync(join(tmpdir(), 'focus-'));
  const socket = join(folder, 'tmux');
  const agent = terminalAgent(folder);
  const env = bareEnv(home, { ...screen.env, TERM: 'xterm-256color', SHELL: '/bin/sh', PS1: '$ ' });
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { env, encoding: 'utf8' }).trim();
  tmux('new-session', '-d', '-s', 'work', '-x', '80', '-y', '20', '-n', 'agent', agent.program);
  tmux('new-window', '-t', 'work', '-n', 'notes', 'echo "some notes"; exec sleep 600');
  tmux('set', '-g', 'status-right', '');
  onTestFinished(() => {
    tmux('kill-server');
    rmSync(folder, { recursive: true, force: true });
  });
  await startDaemon(home, { env: screen.env });
  await openTerminal('agents', '80x14+40+240', env, ['tmux', '-S', socket, 'attach', '-t', 'work']);
  await openTerminal('mail', '70x16+280+140', env, ['/bin/sh', '-c', 'echo "mail"; exec sleep 600']);
  const input = { ...sample('claude', 'PermissionRequest', 'tui-permission-deny').input, session_id: 'asked' };
  const ask = async (): Promise<void> => {
    agent.hook(input);
    await drawn(screen, 1);
  };
  const shown = (): string => `${tmux('list-clients', '-F', '#{pane_id}')} ${activeTitle()}`;
  return { home, ask, shown };
}

const picture = async (name: string): Promise<void> => {
  const folder = process.env['BELFRY_PICTURES'];
  if (folder) await screen.screenshot(join(folder, `${name}.png`), ...COLOURS);
};

test('a click on the notification', async () => {
  const { ask, shown } = await world();
  await ask();
  expect(shown()).toBe('%1 mail');
  await picture('focus-before');
  // As dunst has it: the middle button does what the notification is for.
  x('xdotool', 'mousemove', '120', '60', 'click', '2');
  await until(() => shown() === '%0 agents', 'the agent’s pane in front', 60_000);
  await until(async () => (await screen.displayed()) === 0, 'the notification to be closed', 20_000);
  x('xdotool', 'mousemove', '990', '550');
  await picture('focus-after');
});

test('the button Show, and `belfry focus` from elsewhere', async () => {
  const { home, ask, shown } = await world();
  await ask();
  await screen.pressLabelled('Show');
  await until(() => shown() === '%0 agents', 'the agent’s pane in front', 60_000);
  x('xdotool', 'search', '--name', '^mail$', 'windowactivate');
  await until(() => activeTitle() === 'mail', 'the other terminal');
  expect(await belfry(home, ['focus'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^pane %0 of tmux is selected on \/dev\/pts\/\d+\nits window is in front\n$/),
    stderr: '',
  });
  expect(shown()).toBe('%0 agents');
  expect(JSON.parse((await belfry(home, ['focus', 'asked', '--json'])).stdout)).toMatchObject({
    agent: 'claude',
    session_id: 'asked',
    done: 'all',
    steps: [
      { what: 'pane', done: true },
      { what: 'window', done: true },
    ],
  });
  expect(await belfry(home, ['focus', 'nothing'])).toMatchObject({ code: 4, stdout: '' });
});
