// What services of the desktop say: a locked screen (logind), and the time without input (Mutter of GNOME, KDE).
import { type Detector, defineDetector, type Subject, type Viewer } from './detector.ts';
import { idleFor } from './idle-finding.ts';
import { isHere } from './window.ts';

const LOGIN = 'org.freedesktop.login1';

export const logind = defineDetector({
  name: 'logind',
  about: ['locked'],
  // A screen that is locked here says nothing of whoever is connected from elsewhere.
  applies: ({ platform, viewers }) => platform === 'linux' && viewers.some(isHere),
  detect: async ({ viewers }, run) => {
    if (!viewers.every(isHere)) return [];
    const what = [LOGIN, '/org/freedesktop/login1/session/auto', `${LOGIN}.Session`, 'LockedHint'];
    const text = await run('busctl', ['--system', '--auto-start=no', 'get-property', ...what]);
    return text?.trim() === 'b true' ? [{ about: 'locked', answer: 'yes', evidence: 'the screen is locked' }] : [];
  },
});

/** Reads a number as `busctl call` prints it: "t 4851". */
export function busNumber(text: string | null): number | null {
  const found = /^[tux] (\d{1,15})\s*$/.exec(text ?? '')?.[1];
  return found === undefined ? null : Number(found);
}

const desktopEnv = ({ viewers }: Subject, desktop: RegExp): Viewer['env'] | undefined =>
  viewers.find((viewer) => isHere(viewer) && desktop.test(viewer.env['XDG_CURRENT_DESKTOP'] ?? ''))?.env;

/** `call`: service, object, interface and method that return the time in ms. */
const idleService = (name: string, desktop: RegExp, call: readonly string[]): Detector =>
  defineDetector({
    name,
    about: ['idle'],
    applies: (subject) => desktopEnv(subject, desktop) !== undefined,
    detect: async (subject, run) =>
      idleFor(
        busNumber(await run('busctl', ['--user', '--auto-start=no', 'call', ...call], desktopEnv(subject, desktop))),
        subject,
      ),
  });

const MUTTER = 'org.gnome.Mutter.IdleMonitor';
const SCREEN_SAVER = 'org.freedesktop.ScreenSaver';

export const mutter = idleService('mutter', /\bgnome\b/i, [
  ...[MUTTER, '/org/gnome/Mutter/IdleMonitor/Core'],
  ...[MUTTER, 'GetIdletime'],
]);

export const kde = idleService('kde', /\bkde\b/i, [
  ...[SCREEN_SAVER, '/org/freedesktop/ScreenSaver'],
  ...[SCREEN_SAVER, 'GetSessionIdleTime'],
]);
