// The key that proves that a button was made by this Belfry: kept over restarts, so that buttons sent before still work.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BYTES = 32;

/** Below `folder`; made when there is none. Where it cannot be kept, buttons work until the next start. */
export function answerKey(folder: string): Buffer {
  const path = join(folder, 'answer.key');
  try {
    const kept = readFileSync(path);
    if (kept.length === BYTES) return kept;
  } catch {
    // none yet
  }
  const key = randomBytes(BYTES);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, key, { mode: 0o600 });
  } catch {
    // a full disk: what follows says so
  }
  return key;
}
