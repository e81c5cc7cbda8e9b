// A lock that is a file: taken by one process at a time, taken over when its holder has exited.
import { linkSync, renameSync, type Stats, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { inode, isCopied } from './copied-file.ts';
import { readPlainFile } from './plain-file.ts';
import { isAlive, startTime } from './process-table.ts';

/** Who holds a lock. */
export interface LockHolder {
  readonly pid: number;
  /** See process-table; null where the platform does not say. */
  readonly start: string | null;
  /** Unix ms when it was taken. */
  readonly at: number;
  /** The holder stops: whoever wants the lock gets it soon. */
  readonly leaving?: true;
}

/** A claim on a dead holder's lock that its claimant left behind is void after this time, ms. */
const CLAIM_AGE = 5_000;

/** Whether the holder's process still runs. */
export function holderAlive(holder: LockHolder): boolean {
  return isAlive(holder.pid, holder.start);
}

/** Who holds the lock; null: nobody, or the file cannot be read as a lock, or it was copied here from another home. */
export function readLock(path: string): LockHolder | null {
  try {
    const value = JSON.parse(readPlainFile(path, 4_096)) as (Partial<LockHolder> & { file?: unknown }) | null;
    if (typeof value?.pid !== 'number' || typeof value.at !== 'number' || isCopied(path, value.file)) return null;
    const start = typeof value.start === 'string' ? value.start : null;
    return { pid: value.pid, at: value.at, start, ...(value.leaving && { leaving: true }) };
  } catch {
    return null; // missing or not ours
  }
}

/**
 * Takes the lock at `path` for this process, `held` deciding whether a present holder still counts. True when it is ours.
 * Two who find the same dead holder race for a hard link named after that lock file: one wins, and only as long as the
 * lock still is the file it judged. Throws only for a folder that cannot be written.
 */
export function acquireLock(path: string, held: (holder: LockHolder) => boolean): boolean {
  const mine = writeHolder(path, process.pid);
  try {
    return makeLink(mine, path) || takeOver(path, mine, held);
  } finally {
    remove(mine);
  }
}

/** Makes another process the holder of a lock that this one holds. */
export function transferLock(path: string, pid: number): void {
  renameSync(writeHolder(path, pid), path);
}

/** Says that this process will give the lock back soon. */
export function announceLeaving(path: string): void {
  if (holdsLock(path)) renameSync(writeHolder(path, process.pid, { leaving: true }), path);
}

/** Gives the lock back if this process holds it. */
export function releaseLock(path: string): void {
  if (holdsLock(path)) remove(path);
}

/** Whether this process holds the lock. */
export function holdsLock(path: string): boolean {
  return readLock(path)?.pid === process.pid;
}

function writeHolder(path: string, pid: number, more: Pick<LockHolder, 'leaving'> = {}): string {
  const file = `${path}.${process.pid}`;
  remove(file);
  const holder: LockHolder = { pid, start: startTime(pid), at: Date.now(), ...more };
  writeFileSync(file, JSON.stringify({ ...holder, file: path }), { mode: 0o600, flag: 'wx' });
  return file;
}

function takeOver(path: string, mine: string, held: (holder: LockHolder) => boolean): boolean {
  const judged = inode(path);
  const holder = readLock(path);
  if (holder && held(holder)) return false;
  const claim = `${path}.claim`;
  if (!makeLink(path, claim)) {
    const since = statLink(claim)?.ctimeMs;
    if (since && Date.now() - since > CLAIM_AGE) remove(claim);
    return !statLink(path) && makeLink(mine, path);
  }
  try {
    if (inode(claim) !== judged) return false; // somebody was faster
    renameSync(mine, path);
    return true;
  } finally {
    remove(claim);
  }
}

function makeLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}

const statLink = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // was not there
  }
}
