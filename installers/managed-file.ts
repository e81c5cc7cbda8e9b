// One settings file changed safely: read, edit, verify, back up, replace; started over when somebody else wrote meanwhile.
import { UserError } from '../src/model/errors.ts';
import { unifiedDiff } from './diff/unified.ts';
import { type FileAccess, localFiles } from './files/access.ts';
import type { FileState } from './files/read.ts';
import { ConcurrentEdit } from './files/replace.ts';
import type { BackupRecords } from './files/backup-records.ts';
import { sha256 } from '../src/lib/hash.ts';

/** The wanted content of a file. */
export interface Edited {
  /** The new bytes. */
  readonly bytes: Uint8Array;
  /** The file without anything of ours, to restore; null: no file. */
  readonly base: () => Uint8Array | null;
}

export interface ChangeOptions {
  readonly agent: string;
  readonly records: BackupRecords;
  /** Only say what would change. */
  readonly dryRun: boolean;
  /** Whose files; by default this machine's. */
  readonly files?: FileAccess | undefined;
  /** Mode of a file that is made. */
  readonly newMode: number;
}

/** What was done to one file, or would be. */
export interface Changes {
  readonly file: string;
  readonly action: 'created' | 'changed' | 'restored' | 'removed' | 'unchanged';
  /** Unified diff with other people's secrets hidden; empty when unchanged. */
  readonly diff: string;
}

const base64 = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString('base64');

/** Most tries when somebody else writes the same file at the same time. */
const TRIES = 5;

/** Brings a file to what `edit` makes of it. */
export async function writeManaged(
  path: string,
  edit: (state: FileState) => Edited,
  options: ChangeOptions,
): Promise<Changes> {
  const { files = localFiles } = options;
  const work = async (state: FileState): Promise<Changes> => {
    const { bytes, base } = edit(state);
    if (state.bytes?.equals(bytes)) return { file: path, action: 'unchanged', diff: '' };
    const diff = unifiedDiff(path, state.bytes, bytes);
    if (!options.dryRun) {
      const old = await options.records.find(path);
      const intact = old !== null && state.bytes !== null && old.written === sha256(state.bytes);
      const original = intact ? old.original : base64(base());
      const made = state.bytes === null ? [] : (old?.made ?? []);
      if (state.bytes) await options.records.copy(path, state.bytes);
      const record = { v: 1, agent: options.agent, path, original, written: sha256(bytes), made } as const;
      await options.records.put(record);
      try {
        const folders = await files.replace(state, bytes, options.newMode);
        if (folders.length > 0) await options.records.put({ ...record, made: folders });
      } catch (error) {
        await (old ? options.records.put(old) : options.records.drop(path));
        throw error;
      }
    }
    return { file: path, action: state.bytes === null ? 'created' : 'changed', diff };
  };
  return options.dryRun ? work(await files.read(path)) : options.records.alone(() => retry(path, files, work));
}

/** Takes ours out: the original byte for byte when nothing else changed, else what `edit` leaves. */
export async function restoreManaged(
  path: string,
  edit: (state: FileState & { readonly bytes: Buffer }) => Uint8Array | null,
  options: ChangeOptions,
): Promise<Changes> {
  const { files = localFiles } = options;
  const work = async (state: FileState, dryRun: boolean): Promise<Changes> => {
    const record = await options.records.find(path);
    if (state.bytes === null) {
      if (record && !dryRun) await options.records.drop(path);
      return { file: path, action: 'unchanged', diff: '' };
    }
    const intact = record !== null && record.written === sha256(state.bytes);
    const left = intact
      ? record.original === null
        ? null
        : Buffer.from(record.original, 'base64')
      : edit({ ...state, bytes: state.bytes });
    if (left !== null && state.bytes.equals(left)) {
      if (record && !dryRun) await options.records.drop(path);
      return { file: path, action: 'unchanged', diff: '' };
    }
    if (!dryRun) {
      if (left === null) await files.remove(state);
      else await files.replace(state, left);
      if (left === null && record) await files.removeFolders(record.made);
      await options.records.drop(path);
    }
    const action = left === null ? 'removed' : intact ? 'restored' : 'changed';
    return { file: path, action, diff: unifiedDiff(path, state.bytes, left) };
  };
  // Where there is nothing to take out, nothing is made either: the lock needs a folder.
  const planned = await work(await files.read(path), true);
  if (options.dryRun) return planned;
  if (planned.action === 'unchanged' && (await options.records.find(path)) === null) return planned;
  return options.records.alone(() => retry(path, files, (state) => work(state, false)));
}

async function retry(
  path: string,
  { read }: FileAccess,
  work: (state: FileState) => Promise<Changes>,
): Promise<Changes> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      return await work(await read(path));
    } catch (error) {
      if (!(error instanceof ConcurrentEdit)) throw error;
    }
  }
  throw new UserError(`${path} keeps changing: close the program that writes it, then try again`);
}
