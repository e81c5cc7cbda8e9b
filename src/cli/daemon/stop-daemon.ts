// Stops the running daemon: asks it, and sends SIGTERM when it does not answer.
import { EXIT, UserError } from '../../model/errors.ts';
import { type DaemonInfo, runningDaemon } from '../../runtime/daemon-file.ts';
import type { Paths } from '../../runtime/paths.ts';
import { isAlive } from '../../runtime/process-table.ts';
import { sendCommand } from '../../ipc/client.ts';
import { sleep } from '../../lib/clock.ts';

/** The daemon finishes what is in flight within 10 s; then it has exited, ms. */
const PATIENCE = 15_000;
const LOOK = 25;

/** The daemon that was stopped; null when none ran. */
export async function stopDaemon(paths: Paths): Promise<DaemonInfo | null> {
  const info = runningDaemon(paths);
  if (!info) return null;
  const asked = await sendCommand(paths, 'stop', {}, 2_000);
  let isStopping = false;
  if (asked.state === 'answered') for await (const reply of asked.replies) isStopping ||= 'data' in reply;
  if (!isStopping) terminate(info.pid); // its socket does not answer, or refuses; its process still can
  for (const until = Date.now() + PATIENCE; Date.now() < until; ) {
    if (!isAlive(info.pid, info.start)) return info;
    await sleep(LOOK);
  }
  throw new UserError(
    `the daemon (pid ${info.pid}) does not stop: run \`kill -9 ${info.pid}\`; accepted events are kept`,
    EXIT.unreachable,
  );
}

function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // it ended meanwhile
  }
}
