// The sessions that `belfry api` created: one id a line, appended by the command line.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Most ids that are looked at, the latest. */
const MOST = 200;

/** Reads the ids; none when there is no file. */
export async function createdSessions(state: string): Promise<readonly string[]> {
  const text = await readFile(join(state, 'created-sessions'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-MOST);
}
