// X11: brings the window of the session's terminal to the front, by xdotool or wmctrl, and looks whether the window manager did it.
import type { Viewer } from '../presence/shared/detector.ts';
import { activeWindow } from '../presence/x11.ts';
import { chooseWindow, type ListedWindow, MOST_WINDOWS } from './choose-window.ts';
import { byProgram, definePlace, done, failed, type PlaceTools } from './place-kind.ts';

const PROGRAMS = ['xdotool', 'wmctrl'];

/** Reads `xprop -root _NET_CLIENT_LIST`. */
export function parseWindowList(text: string): readonly string[] {
  return (text.split('#')[1] ?? '').match(/0x[0-9a-f]{1,8}/g) ?? [];
}

/** Reads `xprop -id ID _NET_WM_PID _NET_WM_NAME`. */
export function parseWindow(id: string, text: string): ListedWindow {
  const pid = /^_NET_WM_PID\(CARDINAL\) = (\d{1,10})$/m.exec(text)?.[1];
  const title = /^_NET_WM_NAME\(\w+\) = "(.*)"$/m.exec(text)?.[1];
  return { id, pid: pid === undefined ? null : Number(pid), title: title ?? '' };
}

async function listWindows({ env }: Viewer, { run }: Pick<PlaceTools, 'run'>): Promise<readonly ListedWindow[]> {
  const ids = parseWindowList((await run('xprop', ['-root', '_NET_CLIENT_LIST'], env)) ?? '').slice(0, MOST_WINDOWS);
  return Promise.all(
    ids.map(async (id) => parseWindow(id, (await run('xprop', ['-id', id, '_NET_WM_PID', '_NET_WM_NAME'], env)) ?? '')),
  );
}

/** The window that the terminal named in its environment; null: it is gone, or another program's by now. */
function namedWindow(
  { env }: Viewer,
  windows: readonly ListedWindow[],
  owners: readonly number[],
): ListedWindow | null {
  const id = Number(env['WINDOWID'] ?? 0);
  const found = id > 0 ? windows.find((window) => Number(window.id) === id) : undefined;
  return found && (found.pid === null || owners.includes(found.pid)) ? found : null;
}

export const x11 = definePlace({
  name: 'x11',
  level: 'window',
  applies: ({ env }) => Boolean(env['DISPLAY']) && !env['WAYLAND_DISPLAY'],
  focus: async (target, tools) => {
    const { viewer } = target;
    const { run, above, becomes, has } = tools;
    const windows = await listWindows(viewer, tools);
    const owners = viewer.pid === null ? [] : (await above(viewer.pid)).map(({ pid }) => pid);
    const found = namedWindow(viewer, windows, owners) ?? (await chooseWindow(windows, target, tools));
    if ('done' in found) return { steps: [found] };
    const raised =
      (await run('xdotool', ['windowactivate', String(Number(found.id))], viewer.env)) ??
      (await run('wmctrl', ['-i', '-a', found.id], viewer.env));
    if (raised === null) {
      const why = PROGRAMS.some(has) ? 'the window manager cannot do it' : 'install xdotool or wmctrl';
      return { steps: [failed('window', `its window was not brought to the front: ${why}`)] };
    }
    const isActive = async (): Promise<boolean> => (await activeWindow(run, viewer.env)) === Number(found.id);
    if (await becomes(isActive)) return { steps: [done('window', 'its window is in front')] };
    return { steps: [failed('window', 'the window manager kept another window in front')] };
  },
  ability: async (_viewer, tools) => byProgram('window', 'X11', PROGRAMS, tools),
});
