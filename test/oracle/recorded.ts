// What was told on each of a thousand days, recorded with the code as it was at the end of version 0.1.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

export interface RecordedDay {
  readonly day: number;
  /** As `linesOf` has it. */
  readonly told: readonly string[];
}

/** In their order. */
export function recordedDays(): readonly RecordedDay[] {
  const text = brotliDecompressSync(readFileSync(join(import.meta.dirname, 'days.jsonl.br'))).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedDay);
}
