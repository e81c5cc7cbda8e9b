// Starts a missing daemon, detached, once even when many ask at the same moment.
import { joinPath } from './join-path.ts';
import { holderAlive, transferLock, readLock, acquireLock, type LockHolder } from './lock.ts';
import type { Paths } from './paths.ts';
import { makePrivateFolder } from './private-folder.ts';

/** How long a start may take before another is tried, ms. */
const PATIENCE = 15_000;

/** The result of a request to start the daemon. */
export type Started =
  | { readonly state: 'started'; readonly pid: number }
  | { readonly state: 'running' }
  | { readonly state: 'starting' }
  | { readonly state: 'failed'; readonly error: string };

/** The lock of a daemon's start; names the new daemon's pid until it is ready. */
export function startLock(paths: Pick<Paths, 'run'>): string {
  return joinPath(paths.run, 'start.lock');
}

/** The lock a daemon holds as long as it runs. */
export function daemonLock(paths: Pick<Paths, 'run'>): string {
  return joinPath(paths.run, 'daemon.lock');
}

/**
 * Starts `program` (dist/daemon.js) under `node`, by default this one. `auto`: by a hook and not by a person, so the daemon takes the last
 * good configuration when the present one is broken. Returns at once; never throws.
 */
export function startDaemonDetached(
  paths: Paths,
  program: string,
  { auto, node = process.execPath }: { auto: boolean; node?: string },
): Started {
  const trouble = makePrivateFolder(paths.run);
  if (trouble) return { state: 'failed', error: trouble };
  try {
    if (daemonRuns(paths)) return { state: 'running' };
    if (!acquireLock(startLock(paths), startHeld)) return { state: 'starting' };
    if (daemonRuns(paths)) return { state: 'running' };
    const { spawn } = process.getBuiltinModule('node:child_process'); // the hook seldom needs it
    const child = spawn(node, [program, ...(auto ? ['--auto'] : [])], {
      cwd: '/',
      detached: true,
      env: daemonEnv(),
      stdio: 'ignore',
      windowsHide: true,
    });
    child.on('error', () => undefined); // reported by the missing pid
    child.unref();
    if (!child.pid) return { state: 'failed', error: 'Node cannot be run' };
    transferLock(startLock(paths), child.pid);
    return { state: 'started', pid: child.pid };
  } catch (error) {
    return { state: 'failed', error: (error as Error).message };
  }
}

/** Whether a daemon that runs or is starting may still become ready; false: none will without a new start. */
export function startUnderWay(paths: Pick<Paths, 'run'>): boolean {
  const holder = readLock(startLock(paths));
  return daemonRuns(paths) || (holder !== null && startHeld(holder));
}

/** One that stops does not count: what was kept since waits for the next one, which waits for its end. */
function daemonRuns(paths: Pick<Paths, 'run'>): boolean {
  const holder = readLock(daemonLock(paths));
  return holder !== null && !holder.leaving && holderAlive(holder);
}

/** Held by the starter, then by the daemon that is not ready yet; a dead one or a start without end does not count. */
function startHeld(holder: LockHolder): boolean {
  return Math.abs(Date.now() - holder.at) < PATIENCE && holderAlive(holder);
}

function daemonEnv(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, BELFRY_HOME: home, ...env } = process.env;
  // A relative home means the folder the hook runs in, which the daemon does not share.
  return home ? { ...env, BELFRY_HOME: process.getBuiltinModule('node:path').resolve(home) } : env;
}
