// Writing to a terminal that is not ours: only to one of this user, only what fits at once or soon, and never into one that is younger than the event.
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Outcome } from '../../model/delivery.ts';

/** Linux: pseudo terminals and consoles; macOS: ttys003. */
const PATH = /^\/dev\/(?:pts\/\d{1,7}|tty(?:s\d{3,4}|\d{1,3}))$/;
/** Ms between tries at a terminal that takes nothing just now. */
const PAUSE = 20;

type Failure = Extract<Outcome, { ok: false }>;
const closed: Failure = { ok: false, reason: 'client', error: 'the terminal of this session is closed' };
const foreign: Failure = {
  ok: false,
  reason: 'client',
  error: "the terminal of this session is not this user's, or is no terminal",
};
const stopped: Failure = {
  ok: false,
  reason: 'timeout',
  error: 'the terminal takes nothing at the moment: press Ctrl-Q in it if it was stopped with Ctrl-S',
};

/** Where it goes, and its bounds. */
export interface DeviceWrite {
  readonly path: string;
  /** Unix ms; numbers of closed terminals are given to new ones. Null: any. */
  readonly notAfter: number | null;
  readonly signal: AbortSignal;
  /** Ms. */
  readonly limit: number;
}

/** Null: all of it was written. */
export async function writeToDevice(
  text: string,
  { path, notAfter, signal, limit }: DeviceWrite,
): Promise<Failure | null> {
  if (!PATH.test(path)) return foreign;
  const fd = openDevice(path, notAfter);
  if (typeof fd !== 'number') return fd;
  const end = performance.now() + limit;
  const bytes = Buffer.from(text);
  let done = 0;
  try {
    while (done < bytes.length) {
      const wrote = writeSome(fd, bytes.subarray(done));
      if (wrote === null) return closed;
      done += wrote;
      if (wrote > 0) continue;
      if (signal.aborted || performance.now() > end) return done > 0 ? { ...stopped, unknown: true } : stopped;
      await wait(PAUSE);
    }
    return null;
  } finally {
    closeSync(fd);
  }
}

function openDevice(path: string, notAfter: number | null): number | Failure {
  let fd: number;
  try {
    // Neither becoming our terminal, nor waiting for it, nor by a link.
    fd = openSync(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? foreign : closed;
  }
  const stat = fstatSync(fd);
  const isOurs = stat.isCharacterDevice() && stat.uid === process.getuid?.();
  if (isOurs && (notAfter === null || stat.ctimeMs <= notAfter)) return fd;
  closeSync(fd);
  return isOurs ? closed : foreign;
}

/** 0: it takes nothing now; null: nobody is at its other end any more. */
function writeSome(fd: number, bytes: Buffer): number | null {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : null;
  }
}
