// What services of the desktop say: a locked screen (logind), and the time without input (Mutter of GNOME, KDE).
import { type Detector, defineDetector, type Run, type Subject, type Viewer } from './shared/detector.ts';
import { idleOnDesktop } from './shared/idle-finding.ts';
import { isHere, lockedFor } from './shared/active-window.ts';

const LOGIN = 'org.freedesktop.login1';

/** A session's object, as systemd writes an id that begins with a digit. */
const sessionPath = (id: string): string =>
  `/org/freedesktop/login1/session/${id.replace(/^\d/, (digit) => `_3${digit}`)}`;

/** What it says of that session, by property; null: there is no such session, or no logind. */
async function hints(
  path: string,
  names: readonly string[],
  run: Run,
): Promise<Readonly<Record<string, boolean>> | null> {
  const what = [LOGIN, path, `${LOGIN}.Session`, ...names];
  const lines = (await run('busctl', ['--system', '--auto-start=no', 'get-property', ...what]))?.trim().split('\n');
  return lines?.length === names.length
    ? Object.fromEntries(names.map((name, at) => [name, lines[at] === 'b true']))
    : null;
}

/** The session of the terminal, which may be another than the daemon's; one that is not in front has neither screen nor keyboard. */
async function sessionHints({ viewers }: Subject, run: Run): Promise<Readonly<Record<string, boolean>> | null> {
  const id = viewers.find(isHere)?.env['XDG_SESSION_ID'] ?? '';
  const own = /^[a-z\d]{1,32}$/i.test(id) ? hints(sessionPath(id), ['LockedHint', 'IdleHint', 'Active'], run) : null;
  return (await own) ?? hints(sessionPath('auto'), ['LockedHint', 'IdleHint'], run);
}

export const logind = defineDetector({
  name: 'logind',
  about: ['locked', 'looking', 'idle'],
  applies: ({ platform, viewers }) => platform === 'linux' && viewers.some(isHere),
  detect: async (subject, run) => {
    const said = await sessionHints(subject, run);
    if (said?.['LockedHint']) return lockedFor(subject, 'the screen is locked');
    if (said?.['Active'] === false) return lockedFor(subject, 'another session has the screen');
    return said?.['IdleHint'] ? [{ about: 'idle', answer: 'yes', evidence: 'the session counts as idle' }] : [];
  },
});

/** Screen savers that keep it from logind, and what each calls its desktop. */
const SCREEN_SAVERS = ['MATE', 'XFCE', 'Cinnamon'].map((name) => ({
  desktop: new RegExp(`\\b${name}\\b`, 'i'),
  service: `org.${name.toLowerCase()}.ScreenSaver`,
  path: `/org/${name.toLowerCase()}/ScreenSaver`,
}));

const saverOf = (subject: Subject) => SCREEN_SAVERS.find(({ desktop }) => desktopEnv(subject, desktop) !== undefined);

export const screenSaver = defineDetector({
  name: 'screen-saver',
  about: ['locked', 'looking'],
  applies: (subject) => subject.platform === 'linux' && saverOf(subject) !== undefined,
  detect: async (subject, run) => {
    const saver = saverOf(subject);
    if (saver === undefined) return [];
    const call = ['call', saver.service, saver.path, saver.service, 'GetActive'];
    const text = await run('busctl', ['--user', '--auto-start=no', ...call], desktopEnv(subject, saver.desktop));
    return text?.trim() === 'b true' ? lockedFor(subject, 'the screen is locked') : [];
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
      idleOnDesktop(
        busNumber(await run('busctl', ['--user', '--auto-start=no', 'call', ...call], desktopEnv(subject, desktop))),
        subject,
      ),
  });

const MUTTER = 'org.gnome.Mutter.IdleMonitor';
const SCREEN_SAVER = 'org.freedesktop.ScreenSaver';

export const mutter = idleService('mutter', /\bgnome\b/i, [
  MUTTER,
  '/org/gnome/Mutter/IdleMonitor/Core',
  MUTTER,
  'GetIdletime',
]);

export const kde = idleService('kde', /\bkde\b/i, [
  SCREEN_SAVER,
  '/org/freedesktop/ScreenSaver',
  SCREEN_SAVER,
  'GetSessionIdleTime',
]);
