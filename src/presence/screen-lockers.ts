// Programs that lock the screen and tell logind nothing: one that runs has locked it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { processEntry, terminalPath } from '../runtime/process-table.ts';
import { defineDetector, type Run, type Subject, type Viewer } from './shared/detector.ts';
import { environmentOf } from './shared/process-environment.ts';
import { isHere, lockedFor } from './shared/active-window.ts';

/** /proc keeps so many characters of a name. */
const LONGEST = 15;
/** They run for as long as the screen is locked, and at no other time. */
const LOCKERS = new Set(
  (
    'i3lock slock xsecurelock xtrlock xlock sxlock alock slimlock xscreensaver-auth kscreenlocker_greet ' +
    'swaylock swaylock-plugin gtklock hyprlock waylock physlock vlock vlock-main'
  )
    .split(' ')
    .map((name) => name.slice(0, LONGEST)),
);
/** It runs all the time, and says whether it has blanked or locked the screen. */
const XSCREENSAVER = 'xscreensaver';
/** Processes that are looked at before others get their turn. */
const AT_ONCE = 100;

interface Named {
  readonly pid: number;
  readonly name: string;
}

/** Those with such a name, of whichever user: some lockers change theirs. */
async function running(): Promise<readonly Named[]> {
  const found: Named[] = [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  for (const [index, pid] of pids.entries()) {
    const name = nameOf(pid);
    if (LOCKERS.has(name) || name === XSCREENSAVER) found.push({ pid: Number(pid), name });
    if (index % AT_ONCE === AT_ONCE - 1) await new Promise(setImmediate);
  }
  return found;
}

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd();
  } catch {
    return ''; // gone
  }
}

/** People's ids, and of those no `nobody`, which some lockers become. */
const isPerson = (uid: number): boolean => uid >= 1_000 && uid < 65_000;
/** Nobody signed in for it. */
const UNSET = 4_294_967_295;

/** Whether it is certainly the process of another person here. */
function isOfAnother(pid: number): boolean {
  const own = process.getuid?.() ?? 0;
  try {
    const { uid } = statSync(`/proc/${pid}`);
    const signedIn = Number(readFileSync(`/proc/${pid}/loginuid`, 'utf8'));
    return (isPerson(uid) && uid !== own) || (signedIn !== UNSET && signedIn !== own && isPerson(signedIn));
  } catch {
    return false; // cannot be seen
  }
}

const displayOf = (env: Viewer['env']): string | undefined =>
  env['WAYLAND_DISPLAY'] ?? env['DISPLAY']?.replace(/\.\d+$/, '');

/** Whether a locker with this environment, null where it cannot be read, may have locked the screen that this viewer is on. */
export function sharesScreen(locker: Viewer['env'] | null, viewer: Viewer['env']): boolean {
  const display = displayOf(locker ?? {});
  return display === undefined || Object.keys(viewer).length === 0 || displayOf(viewer) === display;
}

/** Whether it has locked what shows the session, as far as that can be seen: on another display, or in another terminal only, it has not. */
function locks({ pid, name }: Named, viewers: readonly Viewer[]): boolean {
  const entry = processEntry(pid);
  if (entry === null || isOfAnother(pid)) return false;
  if (name.startsWith('vlock') && terminalPath(entry.tty)?.startsWith('/dev/pts/')) return false;
  const own = environmentOf(pid);
  return viewers.some((viewer) => isHere(viewer) && sharesScreen(own, viewer.env));
}

/** As `xscreensaver-command -time` says it. */
export const isSaved = (text: string | null): boolean => / screen (?:locked|blanked) since /.test(text ?? '');

async function hasSaved(viewers: readonly Viewer[], run: Run): Promise<boolean> {
  const env = viewers.find((viewer) => isHere(viewer) && viewer.env['DISPLAY'])?.env;
  return env !== undefined && isSaved(await run('xscreensaver-command', ['-time'], env));
}

export const lockers = defineDetector({
  name: 'lockers',
  about: ['locked', 'looking'],
  applies: ({ platform, viewers }: Subject) => platform === 'linux' && viewers.some(isHere),
  detect: async (subject, run) => {
    for (const one of await running()) {
      const { viewers } = subject;
      if (one.name === XSCREENSAVER ? await hasSaved(viewers, run) : locks(one, viewers))
        return lockedFor(subject, `${one.name} has locked the screen`);
    }
    return [];
  },
});
