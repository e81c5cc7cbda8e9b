// What was told before, recorded with the code as it was before decisions got one writer and one gate.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** The lines of a record, in their order, each as `main.ts` printed it. */
export function recorded<T>(name: 'days' | 'upgrades'): readonly T[] {
  const text = brotliDecompressSync(readFileSync(join(import.meta.dirname, `${name}.jsonl.br`))).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}
