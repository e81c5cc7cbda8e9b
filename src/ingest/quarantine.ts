// Inputs that cannot be read are kept, 0600 in a 0700 folder, for a person to inspect; a bounded number of them.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pruneFolder, QUARANTINED } from '../lib/files/prune-folder.ts';

/** Keeps `bytes` under `name` with the reason as its first line. */
export type Quarantine = (name: string, bytes: Uint8Array, why: string) => Promise<void>;

/** A quarantine in this folder. */
export function quarantineIn(folder: string): Quarantine {
  return async (name, bytes, why) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)}.input`);
    const part = `${file}.${randomUUID().slice(0, 8)}.part`;
    const head = Buffer.from(`${JSON.stringify({ why, at: new Date().toISOString(), bytes: bytes.byteLength })}\n`);
    await writeFile(part, Buffer.concat([head, bytes]), { mode: 0o600, flag: 'wx' });
    await rename(part, file);
    pruneFolder(folder, QUARANTINED);
  };
}
