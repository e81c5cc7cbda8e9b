// Reads stdin, bounded in size and time: a client may never close it, or never end.
import { fstatSync, readSync } from 'node:fs';
import { INPUT_LIMIT } from '../src/wire/envelope.ts';

/** What was read, and why not more. */
export interface Input {
  readonly raw: Buffer;
  readonly cut?: 'size' | 'time';
}

/** Longest time from the first look to the last byte, ms. */
const OVERALL = 2_000;
/** What flows at that moment may go on for so long, ms. */
const GRACE = 300;
/** A whole JSON document is taken as the end after this silence, ms. */
const SILENCE = 1_000;

/** The input so far, also before it has ended; `settled` comes once. */
export interface Reading {
  readonly soFar: () => Input;
  readonly settled: Promise<Input>;
}

/** Starts to read; never fails: what cannot be read is an empty input. */
export function readInput(): Reading {
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): boolean => {
    chunks.push(size + chunk.length > INPUT_LIMIT ? chunk.subarray(0, INPUT_LIMIT - size) : chunk);
    size += chunk.length;
    return size <= INPUT_LIMIT;
  };
  const result = (cut?: Input['cut']): Input => ({ raw: Buffer.concat(chunks), ...(cut && { cut }) });
  const late = (): Input => result(isWhole(chunks) ? undefined : 'time');
  const settled = isFile()
    ? Promise.resolve(readFile(take) ? result() : result('size'))
    : readStream(take, result, late);
  return { soFar: late, settled };
}

function isFile(): boolean {
  try {
    return fstatSync(0).isFile();
  } catch {
    return false;
  }
}

/** A file needs no stream, which would cost the loading of node:net. False: there was more than the limit. */
function readFile(take: (chunk: Buffer) => boolean): boolean {
  for (;;) {
    const chunk = Buffer.allocUnsafe(1 << 16);
    let length = 0;
    try {
      length = readSync(0, chunk, 0, chunk.length, null);
    } catch {
      return true; // what came until now is the input
    }
    if (!length) return true;
    if (!take(chunk.subarray(0, length))) return false;
  }
}

function readStream(
  take: (chunk: Buffer) => boolean,
  result: (cut?: Input['cut']) => Input,
  late: () => Input,
): Promise<Input> {
  return new Promise((resolve) => {
    let silence: NodeJS.Timeout | undefined;
    const stdin = process.stdin;
    const end = (input: Input): void => {
      stdin.pause();
      resolve(input);
    };
    let read = 0;
    // On a machine so busy that the time was over before the first look, the input lies in the pipe: it is read as long as it flows.
    const lastLook = (before: number): void => {
      setImmediate(() => (read > before && process.uptime() * 1000 < OVERALL + GRACE ? lastLook(read) : end(late())));
    };
    setTimeout(() => lastLook(read), OVERALL - process.uptime() * 1000);
    const listen = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        const input = late();
        if (!input.cut) end(input);
      }, SILENCE);
    };
    stdin.on('data', (chunk: Buffer) => {
      read += 1;
      if (take(chunk)) listen();
      else end(result('size'));
    });
    stdin.on('end', () => end(result()));
    stdin.on('error', () => end(result()));
  });
}

function isWhole(chunks: readonly Buffer[]): boolean {
  try {
    JSON.parse(Buffer.concat(chunks).toString());
    return true;
  } catch {
    return false;
  }
}
