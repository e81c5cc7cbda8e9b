// How the running daemon announces itself: run/daemon.json for programs, run/alive for the shell hook.
import { renameSync, unlinkSync, writeFileSync } from 'node:fs';
import type { Build } from './build-id.ts';
import { isCopied } from './copied-file.ts';
import { joinPath } from './join-path.ts';
import type { Paths } from './paths.ts';
import { readPlainFile } from './plain-file.ts';
import { isAlive, processEntry } from './process-table.ts';

/** Content of run/daemon.json. Fields are added, never renamed. */
export interface DaemonInfo {
  readonly pid: number;
  /** See process-table; null where the platform does not say. */
  readonly start: string | null;
  readonly version: string;
  readonly socket: string;
  /** Its daemon.js. */
  readonly program?: string;
  /** See runtime/build.ts; null where nothing says it. */
  readonly build?: Build | null;
  /** Who keeps it: daemon/successor.ts. */
  readonly supervisor?: string;
  /** Unix ms. */
  readonly startedAt: number;
  /** Addresses of the HTTP interface that are listened on. */
  readonly http?: readonly string[];
  /** Where this file was written: one that was copied with its home names another place. */
  readonly file?: string;
  readonly [more: string]: unknown;
}

/** File that holds `PID NAME`, the name being what /proc/PID/comm shows, without /proc the pid alone; and in a second line the run folder. */
export function aliveFile(paths: Pick<Paths, 'run'>): string {
  return joinPath(paths.run, 'alive');
}

/** File in the run folder that is there while somebody is asked for a permission or an answer; hooks after each tool leave at once without it. */
export const PROMPT_MARKER = 'prompt-open';

/**
 * Announces this process as the ready daemon: called once the socket listens and the spool is watched. Gives the
 * process a name by which the shell hook distinguishes it from one that got its pid later.
 */
export function announceDaemon(paths: Paths, info: DaemonInfo): void {
  process.title = 'belfry';
  const { daemonFile: file, run } = paths;
  writeFileAtomic(file, `${JSON.stringify({ ...info, file })}\n`);
  writeFileAtomic(aliveFile(paths), `${info.pid} ${processEntry(info.pid)?.name ?? ''}\n${run}\n`);
}

/** Removes the announcement, first of all when the daemon stops; another daemon's is left alone. */
export function withdrawDaemon(paths: Paths, pid: number): void {
  if (readDaemonFile(paths)?.pid !== pid) return;
  for (const path of [aliveFile(paths), paths.daemonFile]) {
    try {
      unlinkSync(path);
    } catch {
      // was removed by hand
    }
  }
}

/** The last daemon's file; null when there is nothing usable, or it speaks of another home's daemon. It may have exited since. */
export function readDaemonFile(paths: Pick<Paths, 'daemonFile'>): DaemonInfo | null {
  const value = ownFile(paths);
  if (typeof value?.pid !== 'number') return null;
  return {
    ...value,
    pid: value.pid,
    start: typeof value.start === 'string' ? value.start : null,
    version: typeof value.version === 'string' ? value.version : 'unknown',
    socket: typeof value.socket === 'string' ? value.socket : '',
    startedAt: typeof value.startedAt === 'number' ? value.startedAt : 0,
  };
}

/** Where the last daemon says that it listens: all of its file that a hook asks for. */
export function socketInFile(paths: Pick<Paths, 'daemonFile'>): string | null {
  const socket = ownFile(paths)?.socket;
  return typeof socket === 'string' ? socket : null;
}

function ownFile({ daemonFile }: Pick<Paths, 'daemonFile'>): Partial<DaemonInfo> | null {
  try {
    const value = JSON.parse(readPlainFile(daemonFile, 65_536)) as Partial<DaemonInfo> | null;
    return isCopied(daemonFile, value?.file) ? null : value;
  } catch {
    return null; // missing, half or foreign
  }
}

/** The running daemon's file; null when none runs. */
export function runningDaemon(paths: Pick<Paths, 'daemonFile'>): DaemonInfo | null {
  const info = readDaemonFile(paths);
  return info && isAlive(info.pid, info.start) ? info : null;
}

/** Under a temporary name, then renamed, so that no reader sees half a file. */
function writeFileAtomic(path: string, text: string): void {
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, text, { mode: 0o600 });
  renameSync(part, path);
}
