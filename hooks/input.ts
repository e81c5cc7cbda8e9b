// Reads stdin, bounded in size and time: a client may never close it, or never end.
import { fstatSync, readSync } from 'node:fs';
import { INPUT_LIMIT } from '../src/ipc/envelope.ts';
import { openPipe } from './pipe.ts';

/** What was read, and why not more. */
export interface HookInput {
  readonly raw: Buffer;
  readonly cut?: 'size' | 'time';
}

/** Longest time from the process's start to the last byte, ms. */
const OVERALL = 2_000;
/** Input still flowing at that moment is read for this much longer, ms. */
const GRACE = 300;
/** A whole JSON document is taken as the end after this silence, ms. */
const SILENCE = 1_000;

/** An input that is being read. */
export interface InputReader {
  /** What has come so far. */
  readonly soFar: () => HookInput;
  /** Comes once, at the end or a bound. */
  readonly settled: Promise<HookInput>;
}

/** Starts to read; never fails: what cannot be read is an empty input. */
export function readStdin(): InputReader {
  const chunks: Buffer[] = [];
  let size = 0;
  const result = (cut?: HookInput['cut']): HookInput => {
    const [first, second] = chunks;
    return { raw: first && !second ? first : Buffer.concat(chunks), ...(cut && { cut }) };
  };
  const soFar = (): HookInput => result(isWhole(chunks) ? undefined : 'time');
  const settled = new Promise<HookInput>((resolve) => {
    const silence = setTimeout(() => {
      if (isWhole(chunks)) resolve(result());
    }, SILENCE);
    read((chunk) => {
      if (!chunk) resolve(result());
      if (!chunk || size > INPUT_LIMIT) return;
      chunks.push(chunk.subarray(0, INPUT_LIMIT - size));
      size += chunk.length;
      if (size > INPUT_LIMIT) resolve(result('size'));
      silence.refresh();
    });
    // On a machine so busy that the time was over before the first read, the input lies in the pipe: it is read as long as it flows.
    const lastLook = (before: number): void => {
      setImmediate(() => (size > before && msSinceStart() < OVERALL + GRACE ? lastLook(size) : resolve(soFar())));
    };
    setTimeout(() => lastLook(size), OVERALL - msSinceStart());
  });
  return { soFar, settled };
}

const msSinceStart = (): number => process.uptime() * 1000;

/** Gives each chunk, and null at the end; reading on past a bound does no harm. */
function read(take: (chunk: Buffer | null) => void): void {
  const found = fstatSync(0); // Node has opened it where the client had closed it
  const pipe = found.isFIFO() || found.isSocket() ? openPipe(0) : null;
  if (pipe) pipe.read(take);
  else if (found.isFile()) readFile(take, found.size);
  else readStream(take);
}

/** A terminal, a device, or a Node whose pipes we cannot use. */
function readStream(take: (chunk: Buffer | null) => void): void {
  process.stdin.on('data', take);
  for (const end of ['end', 'error']) process.stdin.on(end, () => take(null));
}

function readFile(take: (chunk: Buffer | null) => void, size: number): void {
  try {
    for (let total = 0; total <= INPUT_LIMIT; ) {
      const chunk = Buffer.allocUnsafe(Math.min(size + 1, INPUT_LIMIT + 1));
      const length = readSync(0, chunk);
      if (!length) break;
      take(chunk.subarray(0, length));
      total += length;
      if (length < chunk.length) break;
    }
  } catch {
    // what came until now is the input
  }
  take(null);
}

function isWhole(chunks: readonly Buffer[]): boolean {
  try {
    JSON.parse(Buffer.concat(chunks).toString());
    return true;
  } catch {
    return false;
  }
}
