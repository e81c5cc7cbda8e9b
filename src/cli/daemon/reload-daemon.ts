// Lets a running daemon use changed settings and secrets at once.
import { sendCommand } from '../../ipc/client.ts';
import type { Paths } from '../../runtime/paths.ts';

/** Longest wait for the daemon, ms. */
const PATIENCE = 5_000;

/** Without a running daemon there is nothing to do. */
export async function reloadDaemon(paths: Paths): Promise<void> {
  const answer = await sendCommand(paths, 'reload', {}, PATIENCE);
  if (answer.state === 'answered') for await (const reply of answer.replies) if ('error' in reply || reply.done) return;
}
