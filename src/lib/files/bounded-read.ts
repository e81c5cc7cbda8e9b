// Reads a bounded part of a regular file; devices, pipes and folders are not read.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

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
