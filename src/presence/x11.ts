// X11: whether the active window is the one that the session's terminal gave as its own, and the time without input.
import { defineDetector, type Run, type Subject, type Viewer } from './shared/detector.ts';
import { idleOnDesktop } from './shared/idle-finding.ts';
import { isHere, judgeWindows } from './shared/active-window.ts';

/** Within Wayland an X display knows only of part of the windows. */
const onX = (viewer: Viewer): boolean =>
  isHere(viewer) && Boolean(viewer.env['DISPLAY']) && !viewer.env['WAYLAND_DISPLAY'];

const displayOf = ({ viewers }: Subject): Viewer | undefined => viewers.find(onX);

/** Reads `xprop -root _NET_ACTIVE_WINDOW` or `xdotool getactivewindow`; null: neither an id. */
export function parseActiveWindow(text: string | null): number | null {
  const found = /(?:^|# )(0x[0-9a-f]{1,8}|\d{1,10})\s*$/m.exec(text ?? '')?.[1];
  return found === undefined ? null : Number(found) || null;
}

/** The id of the active window; null: there is none, or nothing here can say. */
export async function activeWindow(run: Run, env: Viewer['env']): Promise<number | null> {
  return (
    parseActiveWindow(await run('xprop', ['-root', '_NET_ACTIVE_WINDOW'], env)) ??
    parseActiveWindow(await run('xdotool', ['getactivewindow'], env))
  );
}

export const x11 = defineDetector({
  name: 'x11',
  about: ['looking'],
  applies: (subject) => displayOf(subject)?.env['WINDOWID'] !== undefined,
  detect: async ({ viewers }, run) => {
    const [shown] = viewers.filter(onX);
    if (!shown) return [];
    const active = await activeWindow(run, shown.env);
    if (active === null) return [];
    const compare = (viewer: Viewer): boolean | null => {
      const id = Number(viewer.env['WINDOWID']);
      return onX(viewer) && viewer.env['DISPLAY'] === shown.env['DISPLAY'] && id > 0 ? id === active : null;
    };
    return [judgeWindows(viewers, compare)];
  },
});

export const x11Idle = defineDetector({
  name: 'xprintidle',
  about: ['idle'],
  applies: (subject) => displayOf(subject) !== undefined,
  detect: async (subject, run) => {
    const text = await run('xprintidle', [], displayOf(subject)?.env);
    return /^\d+\s*$/.test(text ?? '') ? idleOnDesktop(Number(text), subject) : [];
  },
});
