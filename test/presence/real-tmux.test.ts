// A real tmux server with real terminals attached: what it says of the focus counts only where its terminals were asked to report it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Presence } from '../../src/model/presence.ts';
import { createDetection, DETECTORS } from '../../src/presence/index.ts';
import { until } from '../support/wait.ts';

const FOCUS_IN = '\u001b[I';
const FOCUS_OUT = '\u001b[O';
let folder = '';
let socket = '';
const terminals: ChildProcess[] = [];

function tmux(...words: readonly string[]): string {
  return execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { encoding: 'utf8' });
}

/** Attaches a terminal; what is written to it is typed there. */
async function attach(): Promise<(keys: string) => void> {
  const before = tmux('list-clients').split('\n').length;
  const child = spawn('script', ['-qfec', `tmux -S '${socket}' attach -t main`, '/dev/null'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'], TERM: 'xterm-256color', SHELL: '/bin/sh' },
  });
  terminals.push(child);
  await until(() => tmux('list-clients').split('\n').length > before, 'the terminal to be attached');
  return (keys) => void child.stdin?.write(keys);
}

/** Asks without the answers of a second ago. */
function ask(pane = '%0', idle = 180_000): Promise<Presence> {
  const env = { PATH: process.env['PATH'] };
  const detect = createDetection(DETECTORS, { platform: 'linux', env, now: Date.now });
  const place = { terminal: 'tmux', tty: null, windowId: null, paneId: null, display: null, ssh: null };
  return detect({ place: { ...place, tmux: { socket, pane } }, pid: null, looking: true, idle });
}

const looks = (answer: Presence['looking'], pane?: string): Promise<Presence> =>
  until(
    async () => {
      const found = await ask(pane);
      return found.looking === answer && found;
    },
    `looking: ${answer}`,
    20_000,
  );

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tmux-'));
  socket = join(folder, 's');
  tmux('new-session', '-d', '-s', 'main', '-x', '80', '-y', '24', 'sleep 600');
});

afterEach(() => {
  tmux('kill-server');
  for (const child of terminals.splice(0)) child.kill();
  rmSync(folder, { recursive: true, force: true });
});

test('nobody is attached', async () => {
  expect(await looks('no')).toMatchObject({ evidence: 'no terminal is attached to tmux', idle: 'unknown' });
});

test('the focus counts once terminals are asked to report it', async () => {
  tmux('set', '-g', 'focus-events', 'on');
  const first = await attach();
  expect((await looks('yes')).evidence).toMatch(/^you look at pane %0 of tmux on \/dev\/\S+; input in tmux \d+ s ago$/);
  first(FOCUS_OUT);
  await looks('no');
  const second = await attach();
  await looks('yes');
  second(FOCUS_OUT);
  expect((await looks('no')).evidence).toContain('the terminal of pane %0 does not have the focus');
  second(FOCUS_IN);
  await looks('yes');
});

test.each([
  ['never', 0],
  ['after the terminal was attached', 1],
])('switched on %s, it is unknown', async (_when, on) => {
  await attach();
  if (on) tmux('set', '-g', 'focus-events', 'on');
  expect(await looks('unknown')).toMatchObject({ idle: 'no' });
});

test('another pane or window is not that session', async () => {
  tmux('set', '-g', 'focus-events', 'on');
  await attach();
  await looks('yes');
  tmux('split-window', '-t', 'main', 'sleep 600');
  expect((await looks('no', '%0')).evidence).toContain('another pane than %0 is active in tmux');
  await looks('yes', '%1');
  tmux('new-window', '-t', 'main', 'sleep 600');
  expect((await looks('no', '%1')).evidence).toContain('tmux shows another window');
});

test('whoever typed nothing for long does not look', async () => {
  tmux('set', '-g', 'focus-events', 'on');
  await attach();
  await until(async () => (await ask('%0', 1)).looking === 'no', 'idle');
  expect((await ask('%0', 1)).evidence).toMatch(/^you look at .*, but no input in tmux for \d+ s$/);
});

test('a pane or server that is gone is unknown', async () => {
  expect((await ask('%77')).looking).toBe('unknown');
  expect((await ask('; kill-server')).looking).toBe('unknown');
  expect(tmux('list-sessions')).toContain('main');
});
