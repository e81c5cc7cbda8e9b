// Starts the daemon in the background and waits until it is ready.
import { existsSync } from 'node:fs';
import { sendCommand } from '../../ipc/client.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { startDaemonDetached, startUnderWay } from '../../runtime/autostart.ts';
import { type DaemonInfo, runningDaemon } from '../../runtime/daemon-file.ts';
import type { Paths } from '../../runtime/paths.ts';
import { daemonProgram } from './program-path.ts';
import { lastError } from './last-error.ts';
import { sleep } from '../../lib/clock.ts';

/** A start under a heavy load and with a long spool takes some seconds, ms. */
const PATIENCE = 20_000;
const LOOK = 25;

/** For a command that asks the daemon: one runs, is started if need be, or answers from another machine, whose socket somebody has forwarded to this place. */
export async function ensureListening(paths: Paths): Promise<void> {
  if (runningDaemon(paths) || (await isAnswered(paths))) return;
  await ensureDaemon(paths, true);
}

async function isAnswered(paths: Paths): Promise<boolean> {
  const asked = await sendCommand(paths, 'status');
  if (asked.state === 'answered') asked.close();
  return asked.state === 'answered';
}

/** The running daemon, started if need be. `auto`: on behalf of another command, so the last good settings suffice. */
export async function ensureDaemon(paths: Paths, auto: boolean): Promise<{ info: DaemonInfo; started: boolean }> {
  const running = runningDaemon(paths);
  if (running) return { info: running, started: false };
  if (!existsSync(paths.state))
    await (await import('../commands/install/remember-own-folders.ts')).rememberFolders(paths);
  const began = Date.now();
  let ours = begin(paths, auto);
  while (Date.now() < began + PATIENCE) {
    const info = runningDaemon(paths);
    if (info) return { info, started: ours === info.pid };
    if (ours === null) {
      // The other start or stop has ended: this process may start one.
      if (!startUnderWay(paths)) ours = begin(paths, auto);
    } else if (!isThere(ours)) break;
    await sleep(LOOK);
  }
  const why = ours === null ? null : lastError(paths.daemonLog, ours);
  const where = `see ${paths.daemonLog}, or run \`belfry daemon\``;
  throw new UserError(`the daemon did not start${why === null ? '' : `: ${why}`}; ${where}`, EXIT.unreachable);
}

/** Begins a start; null: a daemon runs or another start is in progress. */
function begin(paths: Paths, auto: boolean): number | null {
  const result = startDaemonDetached(paths, daemonProgram(), { auto });
  if (result.state === 'failed') throw new UserError(`the daemon cannot be started: ${result.error}`, EXIT.unreachable);
  return result.state === 'started' ? result.pid : null;
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // ended, or never ours
  }
}
