// The few looks at files that are done here or in a process of their own: their words and what does them.
import { type FileHandle, lstat, open, opendir, readlink } from 'node:fs/promises';
import { constants } from 'node:fs';

async function reading<T>(path: string, work: (file: FileHandle, size: number) => Promise<T>): Promise<T | null> {
  let file: FileHandle;
  try {
    // Not blocking: opening a pipe that nobody writes to would hang. Where a link leads was found out before.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch {
    return null; // not there, or not ours to read
  }
  try {
    const stat = await file.stat();
    return stat.isFile() ? await work(file, stat.size) : null;
  } catch {
    return null; // went away while being read
  } finally {
    await file.close();
  }
}

async function piece(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, from);
  return buffer.subarray(0, bytesRead);
}

/** The first `most` bytes as text; null when there is no such file. */
export function readStart(path: string, most: number): Promise<string | null> {
  return reading(path, async (file, size) => (await piece(file, 0, Math.min(size, most))).toString('utf8'));
}

/** The last `most` bytes; `whole`: that is all of it. Null when there is no such file. */
export function readEnd(path: string, most: number): Promise<{ text: string; whole: boolean } | null> {
  return reading(path, async (file, size) => {
    const from = Math.max(0, size - most);
    return { text: (await piece(file, from, size - from)).toString('utf8'), whole: from === 0 };
  });
}

/** What stands at a path; links are not followed. */
export interface FileEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Where a link leads, as it is written. */
  readonly target: string | null;
  /** Bytes. */
  readonly size: number;
  /** Unix ms. */
  readonly mtimeMs: number;
  readonly uid: number;
}

/** The last bytes of a file as text; `whole`: that is all of it. */
export interface FileEnd {
  readonly text: string;
  readonly whole: boolean;
}

/** One look. The path is whole and has no links in it; `most`: bytes, or names. */
export type FileRequest =
  | { readonly look: 'entry'; readonly path: string }
  | { readonly look: 'start' | 'end' | 'names'; readonly path: string; readonly most: number };

/** What was found; null: nothing, or nothing that may be read. */
export type FileAnswer = FileEntry | FileEnd | string | readonly string[] | null;

/** Does it; never rejects. */
export function perform(request: FileRequest): Promise<FileAnswer> {
  switch (request.look) {
    case 'entry':
      return entryAt(request.path).catch(() => null); // not there, or not ours to see
    case 'start':
      return readStart(request.path, request.most);
    case 'end':
      return readEnd(request.path, request.most);
    case 'names':
      return namesIn(request.path, request.most);
  }
}

async function entryAt(path: string): Promise<FileEntry> {
  const found = await lstat(path);
  const { size, mtimeMs, uid } = found;
  const isLink = found.isSymbolicLink();
  const kind = isLink ? 'link' : found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
  return { kind, target: isLink ? await readlink(path) : null, size, mtimeMs, uid };
}

async function namesIn(folder: string, most: number): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder, { bufferSize: 1_000 })) if (names.push(name) >= most) break;
  } catch {
    // not there, or not ours to read: what was seen of it counts
  }
  return names;
}
