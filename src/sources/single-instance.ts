// One daemon for one home: a lock held by the running one, checked against its socket.
import { connect } from 'node:net';
import { daemonLock } from '../runtime/autostart.ts';
import { holderAlive, holdsLock, readLock, releaseLock, acquireLock } from '../runtime/lock.ts';
import type { Paths } from '../runtime/paths.ts';
import { makePrivateFolder } from '../runtime/private-folder.ts';

/** The right to be the daemon of this home. */
export type InstanceClaim =
  | { readonly state: 'ours'; readonly release: () => void }
  /** `pid`: null when its lock file is gone but its socket answers. */
  | { readonly state: 'running'; readonly pid: number | null }
  | { readonly state: 'failed'; readonly error: string };

/** Takes the right before anything else is opened; asking again while it is ours is fine. */
export async function acquireInstance(paths: Paths): Promise<InstanceClaim> {
  const lock = daemonLock(paths);
  const ours: InstanceClaim = { state: 'ours', release: () => releaseLock(lock) };
  const trouble = makePrivateFolder(paths.run);
  if (trouble) return { state: 'failed', error: trouble };
  try {
    // Taken before: giving it back stays with whoever took it first.
    if (holdsLock(lock)) return { state: 'ours', release: () => undefined };
    if (!acquireLock(lock, holderAlive)) return { state: 'running', pid: readLock(lock)?.pid ?? null };
  } catch (error) {
    return { state: 'failed', error: `${lock}: ${(error as Error).message}` };
  }
  if (!(await answers(paths.socket))) return ours;
  releaseLock(lock);
  return { state: 'running', pid: null };
}

/** Whether somebody listens there; a second without an answer counts as yes. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    const end = (result: boolean): void => {
      probe.destroy();
      resolve(result);
    };
    probe.setTimeout(1_000, () => end(true));
    probe.on('connect', () => end(true));
    probe.on('error', () => end(false));
  });
}
