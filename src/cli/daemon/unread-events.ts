// Events that could not be read: the files in quarantine, without those that have nothing in them.
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { QUARANTINED } from '../../lib/files/prune-folder.ts';
import { asObject, parseJson } from '../../lib/json/json.ts';

/** Longer than the first line of every file there. */
const HEAD = 4_096;

/** How many there are to look at, and how many hook inputs were empty. */
export async function unreadEvents(folder: string): Promise<{ readonly unread: number; readonly empty: number }> {
  const names = await readdir(folder).catch(() => []); // no folder: nothing was put there
  let unread = 0;
  for (const name of names.slice(0, QUARANTINED)) if (!(await isEmptyInput(join(folder, name)))) unread++;
  return { unread, empty: names.length - unread };
}

/** Somebody ran the hook with nothing on standard input: there is nothing to look at. */
async function isEmptyInput(path: string): Promise<boolean> {
  let file: FileHandle | null = null;
  try {
    file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const [head = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
    return asObject(parseJson(head))['why'] === 'it is empty';
  } catch {
    return false; // what cannot be read counts
  } finally {
    await file?.close();
  }
}
