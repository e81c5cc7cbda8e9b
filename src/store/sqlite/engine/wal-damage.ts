// Examines a write-ahead log that a killed process left: SQLite itself drops whatever follows the first bad frame, silently.
// Form: sqlite.org/fileformat2.html, "The WAL File Format".
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;

/** Running checksum over pairs of 32-bit words. */
function sum(bytes: Buffer, from: number, to: number, big: boolean, [a, b]: readonly [number, number]) {
  let s0 = a;
  let s1 = b;
  for (let i = from; i < to; i += 8) {
    s0 = (s0 + (big ? bytes.readUInt32BE(i) : bytes.readUInt32LE(i)) + s1) >>> 0;
    s1 = (s1 + (big ? bytes.readUInt32BE(i + 4) : bytes.readUInt32LE(i + 4)) + s0) >>> 0;
  }
  return [s0, s1] as const;
}

/**
 * Frames of the current log, up to the end of its last transaction, that cannot be read any more; 0: none, or no log. What a killed
 * process left of a transaction that never ended is no damage: the last frame may be half there, and the checksums of a transaction
 * that outgrew the cache are right only at its end. So damage is what is followed by the end of a transaction.
 */
export function damagedFrames(file: string): number {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return 0; // no log
  }
  try {
    const { size } = fstatSync(fd);
    const header = Buffer.alloc(HEADER);
    if (readSync(fd, header, 0, HEADER, 0) < HEADER) return 0;
    const magic = header.readUInt32BE(0);
    const big = magic === MAGIC + 1;
    const page = header.readUInt32BE(8);
    const sums = sum(header, 0, 24, big, [0, 0]);
    const headerGood =
      (magic === MAGIC || big) && sums[0] === header.readUInt32BE(24) && sums[1] === header.readUInt32BE(28);
    if (!headerGood) return Math.floor((size - HEADER) / (FRAME_HEADER + 4096));
    return countBad(fd, size, page, big, header.subarray(16, 24), sums);
  } finally {
    closeSync(fd);
  }
}

function countBad(
  fd: number,
  size: number,
  page: number,
  big: boolean,
  salts: Buffer,
  start: readonly [number, number],
): number {
  const length = FRAME_HEADER + page;
  const frame = Buffer.alloc(length);
  let sums = start;
  let good = 0;
  let ended = 0; // frames up to the last one of this log that ends a transaction
  let broken = false;
  for (let n = 1; HEADER + n * length <= size; n++) {
    readSync(fd, frame, 0, length, HEADER + (n - 1) * length);
    const current = frame.subarray(8, 16).equals(salts);
    if (current && frame.readUInt32BE(4) > 0) ended = n;
    if (broken) continue;
    sums = sum(frame, FRAME_HEADER, length, big, sum(frame, 0, 8, big, sums));
    if (current && sums[0] === frame.readUInt32BE(16) && sums[1] === frame.readUInt32BE(20)) good = n;
    else broken = true;
  }
  return ended > good + 1 ? ended - good : 0;
}
