// Writing to a terminal that is not ours: only to one of this user, only what fits at once or soon, and never into one that is younger than the event.
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Outcome } from '../../model/delivery/delivery.ts';

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

/** Ends a sequence that was cut off, also one that is wrapped for tmux: whatever the program writes next would be part of it. */
const END_OF_SEQUENCE = '\x07\x1b\\';
/** Ms for which that is tried, and between tries. */
const FINISHING = 30_000;
const FINISHING_PAUSE = 100;
/** Terminals in which a sequence was cut off. */
const cutOff = new Set<string>();

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
  let isOpen = true;
  try {
    while (done < bytes.length) {
      const wrote = cutOff.has(path) ? 0 : writeSome(fd, bytes.subarray(done));
      if (wrote === null) return closed;
      done += wrote;
      if (wrote > 0) continue;
      if (!signal.aborted && performance.now() <= end) {
        await wait(PAUSE);
        continue;
      }
      if (done === 0) return stopped;
      isOpen = false;
      void finish(fd, path); // for a bounded time, and never rejects
      return { ...stopped, unknown: true };
    }
    return null;
  } finally {
    if (isOpen) closeSync(fd);
  }
}

/** Ends the sequence as soon as the terminal takes something again; keeps no program from ending. */
async function finish(fd: number, path: string): Promise<void> {
  cutOff.add(path);
  const end = performance.now() + FINISHING;
  let left: Buffer = Buffer.from(END_OF_SEQUENCE);
  while (left.length > 0 && performance.now() < end) {
    const wrote = writeSome(fd, left);
    if (wrote === null) break;
    left = left.subarray(wrote);
    if (left.length > 0) await wait(FINISHING_PAUSE, undefined, { ref: false });
  }
  closeSync(fd);
  cutOff.delete(path);
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
