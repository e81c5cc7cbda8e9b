// Starts the daemon in the background and waits until it is ready.
import { existsSync, closeSync, fstatSync, readSync } from 'node:fs';
import { sendCommand } from '../../ipc/client.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { startDaemonDetached, startUnderWay } from '../../runtime/autostart.ts';
import { type DaemonInfo, runningDaemon } from '../../runtime/daemon-file.ts';
import type { Paths } from '../../runtime/paths.ts';
import { daemonProgram } from './program-path.ts';
import { DISK_FULL, isDiskFull } from '../../lib/files/disk-full.ts';
import { sleep } from '../../lib/clock.ts';
import { openToRead } from '../../runtime/plain-file.ts';
import { asObject, parseJson } from '../../lib/json/json.ts';

/** A start under a heavy load and with a long spool takes some seconds, ms. */
const PATIENCE = 20_000;
const LOOK = 25;

/**
 * For a command that asks the daemon: one runs, is started if need be, or answers from another machine, whose socket somebody has forwarded
 * to this place. Resolves whether it was started for this.
 */
export async function ensureListening(paths: Paths): Promise<boolean> {
  if (runningDaemon(paths) || (await isAnswered(paths))) return false;
  return (await ensureDaemon(paths, true)).started;
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
  if (result.state === 'failed') {
    const why = isDiskFull(result.error) ? DISK_FULL : result.error;
    throw new UserError(`the daemon cannot be started: ${why}`, EXIT.unreachable);
  }
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

/** Bytes read, from the end of the log. */
const TAIL = 64 * 1024;

/** Why a daemon ended: the error that its process wrote into the log as its last. Null: it wrote none, or the log cannot be read. */
function lastError(log: string, pid: number): string | null {
  for (const line of tail(log).split('\n').reverse()) {
    const error = errorIn(line, pid);
    if (error !== null) return error;
  }
  return null;
}

function errorIn(line: string, pid: number): string | null {
  const { pid: writer, msg, error } = asObject(parseJson(line)); // nothing where the line is truncated or not ours
  if (writer !== pid || msg !== 'the daemon ended' || typeof error !== 'string') return null;
  return error.split('\n')[0] ?? null;
}

function tail(path: string): string {
  try {
    const file = openToRead(path);
    try {
      const bytes = Buffer.alloc(TAIL);
      const from = Math.max(0, fstatSync(file).size - TAIL);
      return bytes.subarray(0, readSync(file, bytes, 0, TAIL, from)).toString();
    } finally {
      closeSync(file);
    }
  } catch {
    return ''; // no log yet
  }
}
