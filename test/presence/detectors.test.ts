// Every detector of the registry by the contract, and how each reads what its programs print.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { busNumber } from '../../src/presence/desktop-services.ts';
import { focusedInTree, hyprlandActive } from '../../src/presence/compositors.ts';
import type { Subject, Viewer } from '../../src/presence/shared/detector.ts';
import { createDetection, DETECTORS } from '../../src/presence/index.ts';
import { frontApplication, hidIdle, isScreenLocked, judgeFront } from '../../src/presence/macos.ts';
import { kittyFocus, weztermFocus } from '../../src/presence/terminals.ts';
import { judgeWindows } from '../../src/presence/shared/active-window.ts';
import { isLockScreen, judgeWindowsFront, parseWindows } from '../../src/presence/windows.ts';
import { parseActiveWindow } from '../../src/presence/x11.ts';
import { testDetector } from '../contracts/presence.ts';

const NOWHERE = {
  terminal: 'Apple_Terminal',
  tty: null,
  tmux: null,
  windowId: null,
  paneId: null,
  display: null,
  ssh: null,
};
const ENVS: Readonly<Record<string, Viewer['env']>> = {
  kitty: { KITTY_WINDOW_ID: '1', KITTY_LISTEN_ON: 'unix:/nowhere' },
  wezterm: { WEZTERM_PANE: '1' },
  sway: { SWAYSOCK: '/nowhere' },
  hyprland: { HYPRLAND_INSTANCE_SIGNATURE: 'a' },
  x11: { DISPLAY: ':1', WINDOWID: '1' },
  xprintidle: { DISPLAY: ':1' },
  'screen-saver': { XDG_CURRENT_DESKTOP: 'MATE' },
  mutter: { XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' },
  kde: { XDG_CURRENT_DESKTOP: 'KDE' },
};

const PLATFORMS: Readonly<Record<string, NodeJS.Platform>> = { macos: 'darwin', windows: 'win32' };

for (const detector of DETECTORS) {
  const subject: Subject = {
    place: { ...NOWHERE, tmux: detector.name === 'tmux' ? { socket: '/nowhere', pane: '%1' } : null },
    viewers: [{ pid: 1, env: ENVS[detector.name] ?? {} }],
    platform: PLATFORMS[detector.name.split('-')[0] ?? ''] ?? 'linux',
    idle: 180_000,
    now: Date.UTC(2026, 5, 1),
  };
  testDetector(detector, subject);
}

test('what programs print', () => {
  const tree = { nodes: [{ nodes: [{ focused: false, pid: 7 }], floating_nodes: [{ focused: true, pid: 8 }] }] };
  const panes = [
    {
      is_focused: true,
      tabs: [
        {
          is_focused: true,
          windows: [
            { id: 3, is_focused: true },
            { id: 4, is_focused: false },
          ],
        },
      ],
    },
  ];
  expect(parseActiveWindow('_NET_ACTIVE_WINDOW(WINDOW): window id # 0x400003\n')).toBe(0x40_00_03);
  expect([parseActiveWindow('4194307\n'), parseActiveWindow('# 0x0'), parseActiveWindow('not found.')]).toEqual([
    4_194_307,
    null,
    null,
  ]);
  expect([focusedInTree(JSON.stringify(tree)), hyprlandActive('{"pid":9}'), hyprlandActive('{"pid":-1}')]).toEqual([
    8,
    9,
    null,
  ]);
  expect([3, 4, 5].map((id) => kittyFocus(JSON.stringify(panes), id))).toEqual([true, false, null]);
  expect([weztermFocus('[{"focused_pane_id":2}]'), weztermFocus('[{}]')]).toEqual([[2], null]);
  expect([busNumber('t 4851\n'), busNumber('s "x"')]).toEqual([4_851, null]);
  expect([hidIdle('  | "HIDIdleTime" = 4851000000'), isScreenLocked('"CGSSessionScreenIsLocked"=Yes')]).toEqual([
    4_851,
    true,
  ]);
  const front = frontApplication('"LSDisplayName"="Safari"');
  expect(judgeFront(front, 'Apple_Terminal')).toMatchObject([{ answer: 'no', evidence: 'Safari is in front' }]);
  expect(judgeFront('Terminal', 'Apple_Terminal')).toMatchObject([{ answer: 'unknown' }]);
});

test('Windows: one answer says all', () => {
  expect(parseWindows('{"idle":4851,"front":"chrome"}')).toEqual({ idle: 4_851, front: 'chrome' });
  expect(parseWindows('At line:1 char:1')).toEqual({ idle: null, front: null });
  expect([isLockScreen('LockApp'), isLockScreen('LogonUI'), isLockScreen('chrome'), isLockScreen(null)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const tab = { terminal: null, paneId: '0f8fad5b-d9cb-469f-a165-70867728950e' };
  expect(judgeWindowsFront('chrome', tab)).toMatchObject([{ answer: 'no', evidence: 'chrome is in front' }]);
  expect(judgeWindowsFront('WindowsTerminal', tab)).toMatchObject([{ answer: 'unknown' }]);
  expect(judgeWindowsFront('Code', { terminal: 'vscode', paneId: null })).toMatchObject([{ answer: 'unknown' }]);
  expect(judgeWindowsFront('chrome', { terminal: 'mintty', paneId: null })).toEqual([]);
  expect(judgeWindowsFront('LockApp', tab)).toEqual([]); // said by another
});

const viewer = (env: Viewer['env'] = {}): Viewer => ({ pid: 1, env });
const windows = (viewers: readonly Viewer[], active: boolean | null, shows = 1): string =>
  judgeWindows(
    viewers,
    () => active,
    () => ({ pid: 2, shows }),
  ).answer;

test.each([
  ['its only window is active', windows([viewer()], true), 'yes'],
  ['one of several tabs', windows([viewer()], true, 2), 'unknown'],
  ['another window', windows([viewer()], false), 'no'],
  ['not comparable', windows([viewer()], null), 'unknown'],
  ['over ssh', windows([viewer({ SSH_CONNECTION: 'a' })], true), 'unknown'],
  ['over ssh as well', windows([viewer(), viewer({ SSH_CONNECTION: 'a' })], false), 'unknown'],
  ['within zellij', windows([viewer({ ZELLIJ_SESSION_NAME: 'a' })], true), 'unknown'],
  ['within another tmux', windows([viewer({ TMUX: 'a' })], true), 'unknown'],
  ['nobody', windows([], true), 'unknown'],
])('windows: %s', (_what, answer, expected) => expect(answer).toBe(expected));

test.runIf(process.platform !== 'win32')('programs that hang are ended: unknown, soon', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hang-'));
  writeFileSync(join(folder, 'tmux'), '#!/bin/sh\nexec /bin/sleep 60\n', { mode: 0o755 });
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  const detect = createDetection(DETECTORS, { platform: 'linux', env, now: Date.now, steady: () => performance.now() });
  const place = { ...NOWHERE, tmux: { socket: '/nowhere', pane: '%1' } };
  const began = Date.now();
  const question = { place, pid: null, looking: true, idle: 180_000, only: 'idle' } as const;
  expect(detect(question)).toBe(detect(question)); // one answer for a second
  expect(await detect(question)).toMatchObject({ looking: 'unknown', idle: 'unknown' });
  expect(Date.now() - began).toBeLessThan(30_000);
});
