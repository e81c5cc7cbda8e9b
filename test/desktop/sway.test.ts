// sway with foot and kitty: whether the person looks at a session there, and a session's window and tab in front, on whatever workspace.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNKNOWN_PLACE } from '../../src/model/session/place.ts';
import { createFocus, PLACES } from '../../src/place/index.ts';
import { focusedInTree } from '../../src/presence/compositors.ts';
import { createDetection, DETECTORS } from '../../src/presence/index.ts';
import { terminalProcess } from '../../src/presence/shared/terminal-process.ts';
import { type SwayDesktop, startSway } from '../support/sway-desktop.ts';
import { until } from '../support/wait.ts';

let desktop: SwayDesktop;
beforeAll(async () => {
  desktop = await startSway();
});
afterAll(() => desktop.close());

const env = { PATH: process.env['PATH'] };
const focus = createFocus(PLACES, { platform: 'linux', env });
const show = (pid: number) => focus.show({ place: UNKNOWN_PLACE, pid, cwd: null });
/** Without the answers of a second ago. */
const looks = async (pid: number) => {
  const detect = createDetection(DETECTORS, { platform: 'linux', env, now: Date.now, steady: () => performance.now() });
  return (await detect({ place: UNKNOWN_PLACE, pid, looking: true, idle: 180_000, only: 'idle' })).looking;
};
const focused = (): number | null => focusedInTree(desktop.command('-r', '-t', 'get_tree'));
const terminalOf = (pid: number): number | undefined => terminalProcess(pid)?.pid;

/** Opens it where it is in front, and waits until it is. */
async function open(name: string, ...terminal: readonly string[]): Promise<number> {
  const pid = await desktop.open(name, ...terminal);
  await until(() => focused() === terminalOf(pid), `the window of ${name}`, 60_000);
  return pid;
}

test('foot: the window of each session, on two workspaces', async () => {
  const first = await open('first', 'foot');
  desktop.command('workspace 2');
  const second = await open('second', 'foot');
  const both = () => Promise.all([looks(first), looks(second)]);
  await until(async () => (await both()).join() === 'no,yes', 'the second one to be seen', 30_000);
  for (const [pid, expected] of [
    [first, 'yes,no'],
    [second, 'no,yes'],
  ] as const) {
    expect(await show(pid)).toEqual([{ what: 'window', done: true, text: 'its window has the focus in sway' }]);
    expect(focused()).toBe(terminalOf(pid));
    await until(async () => (await both()).join() === expected, expected, 30_000);
  }
});

test('kitty: the tab of each session, then its window', async () => {
  const socket = `unix:${desktop.path('kitty')}`;
  const kitty = [
    'kitty',
    '-o',
    'linux_display_server=wayland',
    '-o',
    'allow_remote_control=yes',
    '--listen-on',
    socket,
  ];
  const first = await open('one', ...kitty);
  const second = await desktop.open('two', 'kitty', '@', '--to', socket, 'launch', '--type=tab');
  desktop.command('workspace 3');
  await open('elsewhere', 'foot');
  for (const [pid, id, other] of [
    [first, 1, second],
    [second, 2, first],
  ] as const) {
    expect(await show(pid)).toEqual([
      { what: 'pane', done: true, text: `window ${id} of kitty is selected` },
      { what: 'window', done: true, text: 'its window has the focus in sway' },
    ]);
    expect(focused()).toBe(terminalOf(pid));
    // Its older program starts too slowly to answer in time every time: then nothing is known.
    expect(['yes', 'unknown']).toContain(await looks(pid));
    expect(['no', 'unknown']).toContain(await looks(other));
  }
});
