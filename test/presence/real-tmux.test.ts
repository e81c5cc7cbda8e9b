// A real tmux server with real terminals attached: what it says of the focus counts only where its terminals were asked to report it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Presence } from '../../src/model/presence/presence.ts';
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
async function attach(session = 'main'): Promise<(keys: string) => void> {
  const before = tmux('list-clients').split('\n').length;
  const child = spawn('script', ['-qfec', `tmux -S '${socket}' attach -t ${session}`, '/dev/null'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'], TERM: 'xterm-256color', SHELL: '/bin/sh' },
  });
  terminals.push(child);
  await until(() => tmux('list-clients').split('\n').length > before, 'the terminal to be attached');
  return (keys) => void child.stdin?.write(keys);
}

/** A key that the agent's pane is given, and that the server has seen: not in the second in which it was attached. */
async function press(terminal: (keys: string) => void, key = ' '): Promise<void> {
  const used = (): string =>
    tmux('list-clients', '-F', '#{?#{==:#{client_activity},#{client_created}},,#{client_activity}}');
  const before = used();
  await until(() => {
    terminal(key);
    return used() !== before;
  }, 'the key');
}

/** Asks without the answers of a second ago. */
function ask(pane = '%0', idle = 180_000): Promise<Presence> {
  const env = { PATH: process.env['PATH'] };
  const detect = createDetection(DETECTORS, { platform: 'linux', env, now: Date.now, steady: () => performance.now() });
  const place = { terminal: 'tmux', tty: null, windowId: null, paneId: null, display: null, ssh: null };
  return detect({ place: { ...place, tmux: { socket, pane } }, pid: null, looking: true, idle, only: 'idle' });
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
  // A program that connects again attaches as well: that alone is nobody's input.
  expect(await looks('yes')).toMatchObject({ input: null, idle: 'unknown' });
  const since = Math.floor(Date.now() / 1_000) * 1_000;
  await press(first);
  const typed = await looks('yes');
  expect(typed.input).toBeGreaterThanOrEqual(since);
  expect(typed.input).toBeLessThanOrEqual(Date.now());
  expect(typed.evidence).toMatch(/^you look at pane %0 of tmux on \/dev\/\S+; input in tmux \d+ s ago$/);
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
  await press(await attach());
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
  await press(await attach());
  await until(async () => (await ask('%0', 1)).looking === 'no', 'idle');
  expect((await ask('%0', 1)).evidence).toMatch(/^you look at .*, but no input in tmux for \d+ s$/);
});

test('a pane or server that is gone is unknown', async () => {
  expect((await ask('%77')).looking).toBe('unknown');
  expect((await ask('; kill-server')).looking).toBe('unknown');
  expect(tmux('list-sessions')).toContain('main');
});

test('of two terminals that claim the focus the one used last counts: the other’s connection may be gone', async () => {
  tmux('set', '-g', 'focus-events', 'on');
  const gone = await attach();
  await press(gone);
  await looks('yes');
  // What is typed elsewhere is not typed there.
  tmux('new-session', '-d', '-s', 'other', 'sleep 600');
  const used = await attach('other');
  await press(used);
  expect((await looks('no')).evidence).toContain('another terminal of tmux was used since');
  // Whoever left the other one is not there either.
  used(FOCUS_OUT);
  await looks('no');
  await press(gone);
  await looks('yes');
});

test.each(['suspended', 'locked'])('a terminal that is %s shows nothing', async (how) => {
  tmux('set', '-g', 'focus-events', 'on');
  tmux('set', '-g', 'lock-command', 'sleep 600');
  const terminal = await attach();
  await press(terminal);
  await looks('yes');
  const tty = tmux('list-clients', '-F', '#{client_tty}').trim();
  tmux(...(how === 'locked' ? ['lock-client', '-t', tty] : ['suspend-client', '-t', tty]));
  expect((await looks('no')).evidence).toContain('no terminal is attached to tmux');
});

test('what covers the pane is not the pane: a popup, and what the server shows in its place', async () => {
  tmux('set', '-g', 'focus-events', 'on');
  tmux('set', '-g', 'status-right', '#(sleep 600)'); // that is no popup
  const terminal = await attach();
  await press(terminal);
  await looks('yes');
  const tty = tmux('list-clients', '-F', '#{client_tty}').trim();
  // Returns when the popup is closed.
  const popup = spawn('tmux', ['-S', socket, 'display-popup', '-E', '-c', tty, 'sleep 600'], { stdio: 'ignore' });
  terminals.push(popup);
  expect((await looks('unknown')).evidence).toContain('tmux may show something else over pane %0');
  tmux('display-popup', '-C', '-c', tty);
  await looks('yes');
  for (const mode of ['choose-tree', 'copy-mode', 'clock-mode']) {
    tmux(mode, '-t', '%0');
    await looks('unknown');
    tmux('send-keys', '-t', '%0', ...(mode === 'copy-mode' ? ['-X', 'cancel'] : ['q']));
    await looks('yes');
  }
});
