// The sessions that `belfry api` created: one id a line, appended by the command line.
import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** Its name in the state folder. */
export const CREATED = 'created-sessions';
/** Most ids that are read, the latest. */
const MAX_IDS = 200;
/** Bytes read from the end: more than so many ids take. */
const TAIL = 64 * 1024;

/** Reads the ids; none when there is no file. */
export async function createdSessions(state: string): Promise<readonly string[]> {
  const lines = (await tail(join(state, CREATED))).split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-MAX_IDS);
}

/** Its whole last lines. */
async function tail(path: string): Promise<string> {
  const file = await open(path).catch(() => null); // none was created yet
  if (file === null) return '';
  try {
    const from = Math.max(0, (await file.stat()).size - TAIL);
    const bytes = Buffer.alloc(TAIL);
    const { bytesRead } = await file.read(bytes, 0, TAIL, from);
    const text = bytes.toString('utf8', 0, bytesRead);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await file.close();
  }
}
