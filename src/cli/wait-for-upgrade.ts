// A daemon of another version than this command's: one of the same package makes way when it is asked anything; that is waited for.
import { VERSION } from '../lib/version.ts';
import { runningDaemon } from '../runtime/daemon-file.ts';
import { sendCommand } from '../ipc/client.ts';
import type { Paths } from '../runtime/paths.ts';
import { daemonProgram } from './daemon-program.ts';
import { sleep } from '../lib/clock.ts';

/** A clean stop and a start under load; then the old one answers as well as it can, ms. */
const PATIENCE = 20_000;
const LOOK = 50;

/** Returns at once when the versions are the same, and for a daemon of another installation, which stays. */
export async function awaitReplaced(paths: Paths): Promise<void> {
  const old = runningDaemon(paths);
  if (!old || old.version === VERSION) return;
  if (old.program !== daemonProgram()) return;
  const asked = await sendCommand(paths, 'status');
  if (asked.state === 'answered') for await (const _reply of asked.replies); // it checks its program once it has answered
  for (const until = Date.now() + PATIENCE; Date.now() < until; ) {
    const info = runningDaemon(paths);
    if (info && info.pid !== old.pid) return;
    await sleep(LOOK);
  }
}
