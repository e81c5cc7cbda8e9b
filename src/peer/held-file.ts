// Whether a process has a file open: what it says of its pid is shown so, for only that process can have opened it.
import { type BigIntStats, existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { outputOf } from '../lib/programs/processes.ts';

/** A file that is open here, so that no other one can have its number. */
export interface OpenFile {
  readonly path: string;
  readonly stats: BigIntStats;
}

/** Null: the system does not say, as on Windows. */
export async function isHeldBy(pid: number, file: OpenFile, platform = process.platform): Promise<boolean | null> {
  if (platform === 'linux') return isHeldByProc(pid, file);
  if (platform === 'win32') return null;
  const printed = await outputOf('lsof', ['-w', '-F', 'p', '--', file.path]).catch((error: unknown) =>
    hasRun(error) ? '' : null,
  );
  return printed === null ? null : holders(printed).includes(pid);
}

/** Reads `lsof -F p`: a line `pPID` for each process. */
export const holders = (printed: string): readonly number[] =>
  printed
    .split('\n')
    .filter((line) => /^p\d+$/.test(line))
    .map((line) => Number(line.slice(1)));

/** It ends with 1 where no process has the file open. */
const hasRun = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 1;

/** Null: there is no /proc. */
function isHeldByProc(pid: number, { path, stats: { dev, ino } }: OpenFile): boolean | null {
  const folder = `/proc/${pid}/fd`;
  let open: readonly string[];
  try {
    open = readdirSync(folder);
  } catch {
    return existsSync('/proc/self/fd') ? false : null; // gone, or another user's
  }
  const name = basename(path);
  return open.some((fd) => {
    const link = `${folder}/${fd}`;
    // By its name first: another file that it has open may lie where a look never ends.
    const held = orNull(() => (readlinkSync(link).includes(name) ? statSync(link, { bigint: true }) : null));
    return held?.ino === ino && held.dev === dev;
  });
}

/** Null: it was closed meanwhile. */
function orNull<T>(look: () => T | null): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
