// Asks the daemon how it is, for the checks; asked once.
import type { DaemonStatus } from '../../../daemon/commands/status.ts';
import { sendCommand } from '../../../ipc/client.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { sleep } from '../../../lib/clock.ts';

/** The result of asking. */
export type Status =
  | { readonly state: 'answered'; readonly data: DaemonStatus }
  | { readonly state: 'not-running' | 'silent' }
  | { readonly state: 'refused'; readonly error: string };

/** Longest wait, ms. */
const PATIENCE = 5_000;

/** A daemon that follows its file has done so within this time, ms; it is asked again after this pause. */
const FOLLOWS = 5_000;
const AGAIN = 200;

const asked = new Map<string, Promise<Status>>();

/** The same answer for all checks of one run. */
export function daemonStatus(paths: Paths): Promise<Status> {
  const known = asked.get(paths.socket) ?? question(paths);
  asked.set(paths.socket, known);
  return known;
}

/** How the daemon is once it had the time to follow a file that was just changed. */
export async function settledStatus(paths: Paths, isSettled: (status: DaemonStatus) => boolean): Promise<Status> {
  const began = performance.now();
  let status = await daemonStatus(paths);
  while (status.state === 'answered' && !isSettled(status.data) && performance.now() - began < FOLLOWS) {
    await sleep(AGAIN);
    status = await question(paths);
    asked.set(paths.socket, Promise.resolve(status));
  }
  return status;
}

async function question(paths: Paths): Promise<Status> {
  const answer = await sendCommand(paths, 'status', {}, PATIENCE);
  if (answer.state !== 'answered') return { state: answer.state };
  for await (const reply of answer.replies) {
    if ('error' in reply) return { state: 'refused', error: reply.error };
    // Written by daemon/status.ts of the same package; another version is detected by the daemon check.
    if (reply.done) return { state: 'answered', data: reply.data as DaemonStatus };
  }
  return { state: 'silent' };
}
