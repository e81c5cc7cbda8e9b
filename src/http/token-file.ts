// state/tokens.json: names, scopes and hashes of tokens; 0600, replaced whole, one writer at a time.
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { sleep } from '../lib/clock.ts';
import { parseJson } from '../lib/json.ts';
import { UserError } from '../model/errors.ts';

/** What a token may be used for. */
export const TOKEN_SCOPES = ['publish', 'read', 'answer'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

const tokenSchema = z.object({
  name: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  /** SHA-256 of the token, hexadecimal. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** ISO 8601. */
  created_at: z.string(),
  /** Day in UTC, such as 2026-06-01; null: never. */
  last_used: z.string().nullable(),
});
export type StoredToken = z.output<typeof tokenSchema>;

const fileSchema = z.object({ v: z.literal(1), tokens: z.array(tokenSchema) });

/** Bytes of the file at most. */
const LARGEST = 1024 * 1024;
/** A writer that left its lock behind has crashed after this long, ms. */
const STALE_LOCK = 10_000;
/** Ms until a lock is looked at again. */
const LOCK_WAIT = 20;

/** Where it is. */
export function tokenFileIn(state: string): string {
  return join(state, 'tokens.json');
}

/** Changes with each change of the file; empty where there is none. */
export async function statTokens(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await lstat(file);
    return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  } catch {
    return ''; // no tokens yet
  }
}

/** None where there is no file. Throws UserError for one that is not ours. */
export async function readTokens(file: string): Promise<readonly StoredToken[]> {
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new UserError(`${file} cannot be read (${(error as Error).message})`);
  }
  try {
    if ((await handle.stat()).size > LARGEST) throw new UserError(damaged(file));
    const read = fileSchema.safeParse(parseJson(await handle.readFile('utf8')));
    if (!read.success) throw new UserError(damaged(file));
    return read.data.tokens;
  } finally {
    await handle.close();
  }
}

/** Replaces the list by what `change` makes of it; nothing is written when that throws. */
export async function updateTokens(
  file: string,
  change: (tokens: readonly StoredToken[]) => readonly StoredToken[],
): Promise<void> {
  // The next version is the lock: nobody else can begin one before this is renamed or removed.
  const next = `${file}.lock`;
  const handle = await openLock(next);
  try {
    const tokens = change(await readTokens(file));
    await handle.writeFile(`${JSON.stringify({ v: 1, tokens }, null, 2)}\n`);
    await handle.sync();
    await handle.close();
    await rename(next, file);
  } catch (error) {
    await handle.close();
    await rm(next, { force: true });
    throw error;
  }
}

async function openLock(path: string): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(path, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (await isStale(path)) await rm(path, { force: true });
      else await sleep(LOCK_WAIT);
    }
  }
}

/** Bounded by it: whoever waits goes on after this long at the latest. */
async function isStale(path: string): Promise<boolean> {
  try {
    return Math.abs(Date.now() - (await lstat(path)).mtimeMs) > STALE_LOCK;
  } catch {
    return false; // released meanwhile
  }
}

function damaged(file: string): string {
  return `${file} is damaged: remove it and add the tokens again`;
}
