// Every kind of place by the contract, what each makes of what programs print, and which window and terminal are chosen.
import { expect, test } from 'vitest';
import { clickResult } from '../../src/cli/doctor/place.ts';
import type { TmuxClient, TmuxPane } from '../../src/lib/programs/tmux.ts';
import { chooseWindow, type ListedWindow } from '../../src/place/choose-window.ts';
import { gnomeWindows } from '../../src/place/gnome.ts';
import { hyprlandWindows } from '../../src/place/hyprland.ts';
import { PLACES } from '../../src/place/index.ts';
import { kdeWindows } from '../../src/place/kde.ts';
import { kitty, processInKitty } from '../../src/place/kitty.ts';
import { sway, windowsInTree } from '../../src/place/sway.ts';
import { chooseClient, showWords } from '../../src/place/tmux.ts';
import { editorProgram, vscodeWindow } from '../../src/place/vscode.ts';
import { deviceInWezterm, wezterm } from '../../src/place/wezterm.ts';
import { activationScript, windowsDesktop } from '../../src/place/windows.ts';
import { parseWindow, parseWindowList, x11 } from '../../src/place/x11.ts';
import { zellij } from '../../src/place/zellij.ts';
import type { Viewer } from '../../src/presence/shared/detector.ts';
import { testPlace, toolsPrinting } from '../contracts/place.ts';

const ENVS: Readonly<Record<string, Viewer['env']>> = {
  tmux: { TMUX: '/nowhere,1,0', TMUX_PANE: '%1' },
  zellij: { ZELLIJ_SESSION_NAME: 'main', ZELLIJ_PANE_ID: '3' },
  screen: { STY: '1.pts-0.host' },
  kitty: { KITTY_WINDOW_ID: '3', KITTY_LISTEN_ON: 'unix:/nowhere' },
  wezterm: { WEZTERM_PANE: '3' },
  iterm: { TERM_PROGRAM: 'iTerm.app' },
  'apple-terminal': { TERM_PROGRAM: 'Apple_Terminal' },
  'windows-terminal': { WT_SESSION: 'a' },
  'vscode-terminal': { TERM_PROGRAM: 'vscode' },
  'vscode-window': { TERM_PROGRAM: 'vscode' },
  sway: { SWAYSOCK: '/nowhere' },
  hyprland: { HYPRLAND_INSTANCE_SIGNATURE: 'a' },
  kde: { WAYLAND_DISPLAY: 'wayland-0', XDG_CURRENT_DESKTOP: 'KDE' },
  gnome: { WAYLAND_DISPLAY: 'wayland-0', XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' },
  x11: { DISPLAY: ':1', WINDOWID: '1' },
  'macos-application': { TERM_PROGRAM: 'ghostty' },
};
const PLATFORMS: Readonly<Record<string, NodeJS.Platform>> = {
  iterm: 'darwin',
  'apple-terminal': 'darwin',
  'macos-application': 'darwin',
  'windows-terminal': 'win32',
  windows: 'win32',
};
/** Nothing says how these went. */
const TRUSTING = ['vscode-window', 'macos-application', 'windows'];

for (const kind of PLACES)
  testPlace(
    kind,
    { pid: 1, env: ENVS[kind.name] ?? {} },
    PLATFORMS[kind.name] ?? 'linux',
    TRUSTING.includes(kind.name),
  );

test('what programs print', () => {
  const tree = { nodes: [{ id: 1, nodes: [{ id: 7, pid: 70, name: 'api' }], floating_nodes: [{ id: 8, pid: 80 }] }] };
  expect(windowsInTree(JSON.stringify(tree))).toEqual([
    { id: '7', pid: 70, title: 'api' },
    { id: '8', pid: 80, title: '' },
  ]);
  expect(hyprlandWindows('[{"address":"0xa1","pid":7,"title":"t"},{"address":"; reboot","pid":7}]')).toEqual([
    { id: '0xa1', pid: 7, title: 't' },
  ]);
  expect(gnomeWindows(JSON.stringify({ type: 's', data: ['[{"id":9,"pid":7,"wm_class":"x"}]'] }))).toEqual([
    { id: '9', pid: 7, title: '' },
  ]);
  expect(kdeWindows('{00000000-0000-0000-0000-00000000000a}\nno\n')).toHaveLength(1);
  expect(parseWindowList('_NET_CLIENT_LIST(WINDOW): window id # 0x60000d, 0x80000d\n')).toEqual([
    '0x60000d',
    '0x80000d',
  ]);
  expect(parseWindowList('_NET_CLIENT_LIST:  not found.\n')).toEqual([]);
  expect(parseWindow('0x1', '_NET_WM_PID(CARDINAL) = 77\n_NET_WM_NAME(UTF8_STRING) = "a \\"b\\""\n')).toEqual({
    id: '0x1',
    pid: 77,
    title: 'a \\"b\\"',
  });
  expect(parseWindow('0x1', '_NET_WM_PID:  not found.\n')).toEqual({ id: '0x1', pid: null, title: '' });
  expect(processInKitty('[{"tabs":[{"windows":[{"id":3,"pid":5}]}]}]', 3)).toBe(5);
  expect(deviceInWezterm('[{"pane_id":3,"tty_name":"/dev/pts/5"}]', 3)).toBe('/dev/pts/5');
  expect(
    editorProgram([
      { pid: 2, name: 'zsh' },
      { pid: 1, name: 'cursor' },
    ]),
  ).toBe('cursor');
  expect(activationScript([12, 7])).toContain('foreach ($id in 12,7)');
});

const at = (name: string, pid = 7): Viewer => ({ pid, env: ENVS[name] ?? {} });
const above = async (pid: number) => [
  { pid, name: 'claude' },
  { pid: 5, name: 'zsh' },
  { pid: 4, name: 'zellij' },
];
const target = (viewer: Viewer) => ({ viewer, cwd: '/home/ada/api' });

test.each([
  [
    'kitty',
    kitty,
    (_: string, args: readonly string[]) => (args.includes('ls') ? KITTY : ''),
    'focus-window --match id:3',
  ],
  ['zellij', zellij, () => '', 'zellij --session main action focus-pane-id terminal_3'],
  ['wezterm', wezterm, (p: string) => (p === 'ps' ? 'pts/5\n' : WEZTERM), 'wezterm cli activate-pane --pane-id 3'],
  ['vscode-window', vscodeWindow, () => '', 'code /home/ada/api'],
] as const)('%s selects what is still the session’s', async (name, kind, output, expected) => {
  const tools = toolsPrinting(output, { above });
  const { steps } = await kind.focus(target(at(name)), tools);
  expect(steps[0]).toMatchObject({ done: true });
  expect(tools.ran.join('\n')).toContain(expected);
});
const KITTY = '[{"tabs":[{"windows":[{"id":3,"pid":5}]}]}]';
const WEZTERM = '[{"pane_id":3,"tty_name":"/dev/pts/5"}]';

test.each([
  ['kitty', kitty, (_: string, args: readonly string[]) => (args.includes('ls') ? KITTY.replace('5', '99') : '')],
  ['wezterm', wezterm, (p: string) => (p === 'ps' ? 'pts/6\n' : WEZTERM)],
] as const)('%s leaves alone what is another’s by now', async (name, kind, output) => {
  const tools = toolsPrinting(output, { above });
  const { steps } = await kind.focus(target(at(name)), tools);
  expect(steps).toMatchObject([{ done: false }]);
  expect(tools.ran.join('\n')).not.toMatch(/focus-window|activate-pane/);
});

const window = (id: string, pid: number | null, title = ''): ListedWindow => ({ id, pid, title });
test.each([
  ['its terminal’s only one', [window('1', 4), window('2', 9)], '1'],
  ['the nearest process that has one', [window('1', 4), window('2', 5)], '2'],
  ['of several the one that names the folder', [window('1', 5, 'web - vi'), window('2', 5, 'api - vi')], '2'],
  ['none, where several do', [window('1', 5, 'api'), window('2', 5, 'api')], 'its terminal has 2 windows'],
  ['none, where none does', [window('1', 5), window('2', 5)], 'its terminal has 2 windows'],
  ['none of another program', [window('1', 9), window('2', null)], 'no window of its terminal was found'],
])('the window: %s', async (_what, windows, expected) => {
  const found = await chooseWindow(windows, target(at('x11')), { above });
  expect('id' in found ? found.id : found.text).toContain(expected);
});

/** An X server with these windows: number, pid. */
const xServer =
  (windows: readonly (readonly [number, number | null])[], obeys = true) =>
  (program: string, args: readonly string[]): string | null => {
    const hex = (id: number): string => `0x${id.toString(16)}`;
    if (program === 'xdotool') {
      active = obeys ? Number(args[1]) : active;
      return '';
    }
    if (args[1] === '_NET_CLIENT_LIST')
      return `_NET_CLIENT_LIST(WINDOW): window id # ${windows.map(([id]) => hex(id)).join(', ')}\n`;
    if (args[1] === '_NET_ACTIVE_WINDOW') return `_NET_ACTIVE_WINDOW(WINDOW): window id # ${hex(active)}\n`;
    const pid = windows.find(([id]) => hex(id) === args[1])?.[1] ?? null;
    return pid === null ? '_NET_WM_PID:  not found.\n' : `_NET_WM_PID(CARDINAL) = ${pid}\n`;
  };
let active = 0;

test.each([
  [
    'the one it named',
    [
      [1, 5],
      [2, 9],
    ],
    '1',
    true,
    [1, true],
  ],
  [
    'the one it named, which does not say whose it is',
    [
      [1, null],
      [2, 9],
    ],
    '1',
    true,
    [1, true],
  ],
  [
    'not the one it named, which is another’s by now',
    [
      [1, 9],
      [2, 5],
    ],
    '1',
    true,
    [2, true],
  ],
  ['not one that is gone', [[2, 9]], '1', true, [0, false]],
  [
    'found by its process',
    [
      [1, 9],
      [2, 5],
    ],
    undefined,
    true,
    [2, true],
  ],
  ['not where the window manager refuses', [[1, 5]], '1', false, [0, false]],
] as const)('X11: %s', async (_what, windows, named, obeys, [expected, isDone]) => {
  active = 0;
  const viewer = { pid: 7, env: { DISPLAY: ':1', WINDOWID: named } };
  const { steps } = await x11.focus(target(viewer), toolsPrinting(xServer(windows, obeys), { above }));
  expect([active, steps[0]?.done]).toEqual([expected, isDone]);
});

test('sway focuses the container, and looks whether it did', async () => {
  const tree = (focused: number) =>
    JSON.stringify({ nodes: [7, 8].map((id) => ({ id, pid: id === 7 ? 5 : 9, focused: id === focused })) });
  for (const obeys of [true, false]) {
    let focused = 8;
    const tools = toolsPrinting(
      (_program, args) => {
        if (args.includes('get_tree')) return tree(focused);
        if (obeys && args.includes('[con_id=7] focus')) focused = 7;
        return '';
      },
      { above },
    );
    expect((await sway.focus(target(at('sway')), tools)).steps).toMatchObject([{ done: obeys }]);
  }
});

test('Windows activates the first process above that has a window', async () => {
  const tools = toolsPrinting('WindowsTerminal\r\n', { above });
  expect((await windowsDesktop.focus(target(at('windows')), tools)).steps).toMatchObject([
    { done: true, text: 'the window of WindowsTerminal is in front' },
  ]);
  expect(tools.ran[0]).toContain('7,5,4');
});

const client = (tty: string, session: string, activity: number): TmuxClient => ({
  pid: 1,
  tty,
  session,
  activity,
  created: 0,
  pane: '%9',
  window: `@${session}`,
  focused: null,
});
const pane = (...clients: readonly TmuxClient[]): TmuxPane => ({
  pane: '%1',
  window: '@1',
  session: '$1',
  pid: 5,
  isCovered: false,
  jobs: [],
  clients,
});
test.each([
  ['the one used last', [client('a', '$1', 1), client('b', '$1', 2)], [], 'b'],
  ['the one used last, whatever it shows', [client('a', '$1', 1), client('b', '$2', 2)], [], 'b'],
  ['one that shows it and can be raised', [client('a', '$1', 1), client('b', '$2', 2)], ['a', 'b'], 'a'],
  ['the later of those', [client('a', '$1', 1), client('b', '$1', 2), client('c', '$2', 3)], ['a', 'b', 'c'], 'b'],
  ['none', [], [], undefined],
])('the terminal of tmux: %s', (_what, clients, raisable, expected) => {
  const canRaise: readonly string[] = raisable;
  expect(chooseClient(pane(...clients), ({ tty }) => canRaise.includes(tty))?.tty).toBe(expected);
});

test('a terminal that shows another session of tmux is switched', () => {
  const words = (one: TmuxClient) => showWords('/s', pane(one), one).join(' ');
  expect(words(client('a', '$1', 1))).toBe('-S /s select-window -t $1:@1 ; select-pane -t %1');
  expect(words(client('a', '$2', 1))).toBe(
    '-S /s switch-client -c a -t $1 ; select-window -t $1:@1 ; select-pane -t %1',
  );
  expect(words({ ...client('a', '$2', 1), window: '@1' })).toContain('select-window -t $2:@1'); // in a group
});

test('what doctor says', () => {
  const tmux = { what: 'pane', able: true, text: 'tmux' } as const;
  expect(clickResult([tmux, { what: 'window', able: false, text: 'GNOME on Wayland' }])).toEqual({
    level: 'ok',
    text: 'a click on a notification from here goes to its pane (tmux), but not to its window: GNOME on Wayland',
  });
  expect(clickResult([{ what: 'window', able: false, text: 'X11 without xdotool', fix: 'install it' }])).toMatchObject({
    level: 'warn',
    fix: 'install it',
  });
});
