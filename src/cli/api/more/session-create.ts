// A session made here is remembered, so that the watch of sessions can tell when it is idle.
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ownPaths } from '../../../wire/surroundings.ts';
import type { More } from './index.ts';

export const createSession: More = {
  resource: 'sessions',
  name: 'create',
  after: async (answer) => {
    const file = join(ownPaths().state, 'created-sessions');
    const id = answer['sessionId'];
    if (typeof id !== 'string' || /[\r\n]/.test(id)) return;
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await appendFile(file, `${id}\n`, { mode: 0o600 });
    } catch {
      // The session is there all the same; without the note the watch has to be given its id.
    }
  },
};
