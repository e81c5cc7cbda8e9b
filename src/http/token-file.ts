// state/tokens.json: tokens of `belfry token add` and browsers that were let in, as hashes; 0600, replaced whole, one writer at a time.
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { sleep } from '../lib/clock.ts';
import { createKeyedTurns } from '../lib/async/one-after-another.ts';
import { parseJson } from '../lib/json/json.ts';
import { replaceFile } from '../lib/files/replace-file.ts';
import { UserError } from '../model/errors.ts';
import { acquireLock, holderAlive, releaseLock } from '../runtime/lock.ts';
import { TOKEN_SCOPES } from './access.ts';

/** SHA-256 of the token, hexadecimal. */
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const tokenSchema = z.object({
  name: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  hash,
  /** ISO 8601. */
  created_at: z.string(),
  /** Day in UTC, such as 2026-06-01; null: never. */
  last_used: z.string().nullable(),
});
export type StoredToken = z.output<typeof tokenSchema>;

const pageSchema = z.object({
  /** `page-` and eight hexadecimal digits. */
  name: z.string(),
  hash,
  created_at: z.string(),
  /** Unix ms; 0: it has ended, and is kept for what it owns. */
  used_at: z.number(),
  /** It owns the notifications of its browser. */
  owns: z.boolean().default(false),
});
/** A browser that was let in. */
export type StoredPage = z.output<typeof pageSchema>;

const fileSchema = z.object({
  v: z.literal(1),
  tokens: z.array(tokenSchema),
  pages: z.array(pageSchema).default([]),
  /** Where the page was served last. */
  page_port: z.int().min(1).max(65_535).nullable().default(null),
});
/** What the file holds. */
export type TokenFile = z.output<typeof fileSchema>;

const NOTHING: TokenFile = { v: 1, tokens: [], pages: [], page_port: null };

/** Bytes of the file at most. */
const LARGEST = 1024 * 1024;
/** Ms until a lock is looked at again. */
const LOCK_WAIT = 20;
/** Longest wait for a writer that is alive, ms: a write takes milliseconds, so that one hangs. */
const PATIENCE = 5_000;

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

/** Nothing where there is no file. Throws UserError for one that is not ours. Waits for no writer. */
export async function readTokenFile(file: string): Promise<TokenFile> {
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NOTHING;
    throw new UserError(`${file} cannot be read (${(error as Error).message})`);
  }
  try {
    if ((await handle.stat()).size > LARGEST) throw new UserError(damaged(file));
    const read = fileSchema.safeParse(parseJson(await handle.readFile('utf8')));
    if (!read.success) throw new UserError(damaged(file));
    return read.data;
  } finally {
    await handle.close();
  }
}

const inTurn = createKeyedTurns();

/** Replaces the file by what `change` makes of it; nothing is written when that throws, or gives back what it was given. */
export function updateTokenFile(file: string, change: (content: TokenFile) => TokenFile): Promise<void> {
  return inTurn(file, async () => {
    const lock = `${file}.lock`;
    const until = Date.now() + PATIENCE;
    // That of a process which has ended is taken over at once.
    while (!acquireLock(lock, holderAlive)) {
      if (Date.now() > until) throw new UserError(`another process is changing ${file}: try again`);
      await sleep(LOCK_WAIT);
    }
    try {
      const before = await readTokenFile(file);
      const after = change(before);
      if (after !== before) await replaceFile(file, `${JSON.stringify(after, null, 2)}\n`);
    } finally {
      releaseLock(lock);
    }
  });
}

function damaged(file: string): string {
  return `${file} is damaged: remove it and add the tokens again`;
}
