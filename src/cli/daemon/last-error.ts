// Why a daemon ended: the error that its process wrote into the log as its last, on one line.
import { closeSync, fstatSync, readSync } from 'node:fs';
import { openToRead } from '../../runtime/plain-file.ts';
import { asObject, parseJson } from '../../lib/json.ts';

/** Bytes read, from the end of the log. */
const TAIL = 64 * 1024;

/** Null: it wrote none, or the log cannot be read. */
export function lastError(log: string, pid: number): string | null {
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
