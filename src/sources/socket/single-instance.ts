// One daemon for one home: a lock held by the running one, checked against its socket.
import { connect } from 'node:net';
import { daemonLock } from '../../runtime/autostart.ts';
import { holderAlive, holdsLock, readLock, releaseLock, acquireLock } from '../../runtime/lock.ts';
import type { Paths } from '../../runtime/paths.ts';
import { makePrivateFolder } from '../../runtime/private-folder.ts';
import { trustedSocket } from '../../runtime/trusted-socket.ts';
import { sleep } from '../../lib/clock.ts';

/** A daemon that stops is waited for so long, ms. */
const LEAVE = 30_000;
const LOOK = 25;

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
    // Taken before: whoever acquired it first releases it.
    if (holdsLock(lock)) return { state: 'ours', release: () => undefined };
    for (const end = Date.now() + LEAVE; !acquireLock(lock, holderAlive); ) {
      const holder = readLock(lock);
      if (holder?.leaving !== true || Date.now() > end) return { state: 'running', pid: holder?.pid ?? null };
      await sleep(LOOK);
    }
  } catch (error) {
    return { state: 'failed', error: `${lock}: ${(error as Error).message}` };
  }
  const socket = trustedSocket(paths);
  if (socket === null || !(await answers(socket))) return ours;
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
