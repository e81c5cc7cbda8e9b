// Backup records: for each settings file we changed, its content before and a digest of what we wrote. Kept in our state folder, 0600.
import { chmod, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../src/model/errors.ts';
import { holderAlive, releaseLock, acquireLock } from '../../src/runtime/lock.ts';
import { makePrivateFolder } from '../../src/runtime/private-folder.ts';
import * as z from 'zod';
import { describeFileError } from './read.ts';
import { sleep } from '../../src/lib/clock.ts';
import { sha256 } from '../../src/lib/hash.ts';

/** Longest wait for another installation, ms. */
const PATIENCE = 15_000;

const recordSchema = z.object({
  v: z.literal(1),
  agent: z.string(),
  /** As named by the client. */
  path: z.string(),
  /** Base64 of the bytes before us; null: there was no file. */
  original: z.string().nullable(),
  /** SHA-256 of the bytes we wrote. */
  written: z.string(),
  /** Folders we made, outermost first. */
  made: z.array(z.string()),
});

/** What a file is restored from. */
export type BackupRecord = z.output<typeof recordSchema>;

/** The records below one folder. */
export interface BackupRecords {
  find(path: string): Promise<BackupRecord | null>;
  put(record: BackupRecord): Promise<void>;
  /** A copy of the file as it was right before a change, for people; the latest one is kept. */
  copy(path: string, bytes: Uint8Array): Promise<void>;
  drop(path: string): Promise<void>;
  all(): Promise<BackupRecord[]>;
  /** Runs `work` while no other installation runs on this machine's records. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Records in `folder` (state/backups). */
export function backupRecordsIn(folder: string): BackupRecords {
  const base = (path: string): string => join(folder, sha256(path, 16));
  const load = async (file: string): Promise<BackupRecord | null> => {
    const text = await readFile(file, 'utf8').catch(() => null); // none, or not readable: no exact restore
    if (text === null) return null;
    try {
      return recordSchema.parse(JSON.parse(text));
    } catch {
      return null; // damaged: then only our own entries are removed
    }
  };
  const makeFolder = (): void => {
    const trouble = makePrivateFolder(folder);
    if (trouble) throw new UserError(`cannot write ${trouble} (nothing was changed)`);
  };
  const write = async (file: string, content: string | Uint8Array): Promise<void> => {
    try {
      makeFolder();
      await writeFile(`${file}.new`, content, { mode: 0o600 });
      await chmod(`${file}.new`, 0o600);
      await rename(`${file}.new`, file);
    } catch (error) {
      throw describeFileError(error, file, 'write');
    }
  };
  const lock = join(folder, 'lock');
  const take = async (): Promise<void> => {
    makeFolder();
    const end = Date.now() + PATIENCE;
    while (!acquireLock(lock, holderAlive)) {
      if (Date.now() > end) throw new UserError('another `belfry install` is running: wait until it has finished');
      await sleep(25);
    }
  };
  return {
    alone: async (work) => {
      await take();
      try {
        return await work();
      } finally {
        releaseLock(lock);
      }
    },
    find: (path) => load(`${base(path)}.json`),
    put: (record) => write(`${base(record.path)}.json`, `${JSON.stringify(record)}\n`),
    copy: (path, bytes) => write(`${base(path)}.before`, bytes),
    drop: async (path) => {
      await rm(`${base(path)}.json`, { force: true });
      await rm(`${base(path)}.before`, { force: true });
    },
    all: async () => {
      const names = await readdir(folder).catch(() => []); // no folder: nothing was installed
      const found = await Promise.all(
        names
          .filter((name) => name.endsWith('.json'))
          .sort()
          .map((name) => load(join(folder, name))),
      );
      return found.filter((record) => record !== null);
    },
  };
}
