// `sessions create`: a session made here is remembered, so that the watch of sessions reports when it is idle; `--wait`.
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { oneLine } from '../../../lib/text/text.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { connectClient } from '../connect.ts';
import type { CustomCommand } from './custom-command.ts';
import { WAIT_OPTION, waitUntil } from './wait.ts';

export const createSession: CustomCommand = {
  resource: 'sessions',
  name: 'create',
  options: [[WAIT_OPTION, 'wait until it is no longer pending (default: 15m)']],
  after: async (answer, options, io) => {
    const { sessionId } = answer;
    if (typeof sessionId !== 'string') return undefined;
    await remember(sessionId);
    if (options.wait === undefined) return undefined;
    const client = await connectClient(io, options);
    return waitUntil(io, options.wait, {
      what: `session ${oneLine(sessionId)}`,
      look: () => client.sessions.get({ sessionId }),
      isOver: ({ status }) => status !== 'pending',
      state: ({ status }) => status,
      again: `belfry api sessions get ${oneLine(sessionId)}`,
    });
  },
};

async function remember(sessionId: string): Promise<void> {
  const file = join(resolveOwnPaths().state, 'created-sessions');
  if (/[\r\n]/.test(sessionId)) return;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await appendFile(file, `${sessionId}\n`, { mode: 0o600 });
  } catch {
    // The session is there all the same; without the note the watch has to be given its id.
  }
}
