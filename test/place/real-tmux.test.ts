// A real tmux server with two terminals attached: the right one of them shows the session's pane, and nobody else's.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UNKNOWN_PLACE } from '../../src/model/session/place.ts';
import { createFocus, PLACES } from '../../src/place/index.ts';
import { until } from '../support/wait.ts';

let folder = '';
let socket = '';
const terminals: ChildProcess[] = [];

const tmux = (...words: readonly string[]): string =>
  execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { encoding: 'utf8' }).trim();

/** The process in a pane. */
const processOf = (pane: string): number => Number(tmux('display-message', '-p', '-t', pane, '#{pane_pid}'));

/** By the device of each terminal, the pane that it shows. */
const shown = (): Record<string, string> =>
  Object.fromEntries(
    tmux('list-clients', '-F', '#{client_tty} #{pane_id}')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ')),
  );

/** Attaches a terminal, later than every other by tmux's clock, and resolves with its device. */
async function attach(session: string): Promise<string> {
  const before = shown();
  const last = (): number => Math.max(0, ...tmux('list-clients', '-F', '#{client_activity}').split('\n').map(Number));
  const earlier = last();
  await until(() => Date.now() / 1_000 > earlier + 1, 'the next second');
  const child = spawn('script', ['-qfec', `tmux -S '${socket}' attach -t ${session}`, '/dev/null'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'], TERM: 'xterm-256color', SHELL: '/bin/sh' },
  });
  terminals.push(child);
  return until(() => Object.keys(shown()).find((tty) => !(tty in before)), 'the terminal to be attached');
}

const focus = createFocus(PLACES, { platform: 'linux', env: { PATH: process.env['PATH'] } });
const show = (pane: string, pid: number | null = processOf(pane)) =>
  focus.show({ place: { ...UNKNOWN_PLACE, tmux: { socket, pane } }, pid, cwd: null });
const NO_DESKTOP = { what: 'window', done: false, text: 'its terminal is on no desktop that is known here' };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tmux-'));
  socket = join(folder, 's');
  const size = ['-x', '80', '-y', '24', 'exec sleep 600'];
  tmux('new-session', '-d', '-s', 'main', ...size);
  tmux('new-window', '-t', 'main', 'exec sleep 600');
  tmux('split-window', '-t', 'main', 'exec sleep 600');
  tmux('new-session', '-d', '-s', 'other', ...size);
});

afterEach(() => {
  tmux('kill-server');
  for (const child of terminals.splice(0)) child.kill();
  rmSync(folder, { recursive: true, force: true });
});

test('selects window and pane in the terminal that was used last; the other one stays', async () => {
  const first = await attach('other');
  const second = await attach('main');
  expect(shown()).toEqual({ [first]: '%3', [second]: '%2' });
  expect(await show('%0')).toEqual([
    { what: 'pane', done: true, text: `pane %0 of tmux is selected on ${second}` },
    NO_DESKTOP,
  ]);
  expect(shown()).toEqual({ [first]: '%3', [second]: '%0' });
  await show('%1');
  expect(shown()).toEqual({ [first]: '%3', [second]: '%1' });
});

test('switches the terminal that was used last to the tmux session', async () => {
  const first = await attach('main');
  const second = await attach('other');
  expect(await show('%1')).toMatchObject([{ done: true }, NO_DESKTOP]);
  expect(shown()).toMatchObject({ [second]: '%1' });
  expect(Object.keys(shown())).toContain(first);
});

/** A process outside of tmux, whose environment says that it is in this pane: one that a program in a pane left behind. */
function strayFrom(pane: string): number {
  const env = { PATH: process.env['PATH'], TMUX: `${socket},1,0`, TMUX_PANE: pane };
  const child = spawn('sleep', ['600'], { env, stdio: 'ignore' });
  terminals.push(child);
  return child.pid ?? 0;
}

test.each([
  ['does not run in it', () => strayFrom('%0'), 'something else than the session runs in it now'],
  ['is not known', () => null, 'its process is not known'],
])('leaves a pane alone where the agent %s', async (_what, pid, expected) => {
  const only = await attach('main');
  const steps = await show('%0', pid());
  expect(steps).toMatchObject([{ what: 'pane', done: false, text: expect.stringContaining(expected) }]);
  expect(shown()).toEqual({ [only]: '%2' });
});

test('says what to do where no terminal is attached, and that a pane is gone', async () => {
  expect((await show('%0'))[0]).toMatchObject({ done: false, text: expect.stringContaining('attach -t') });
  const pid = processOf('%0');
  for (const gone of ['%77', '; kill-server'])
    expect(await show(gone, strayFrom(gone))).toMatchObject([{ done: false }]);
  expect(processOf('%0')).toBe(pid);
});
