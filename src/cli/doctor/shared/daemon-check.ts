// What the daemon finds of its channels and of the service: with its environment, which is not this shell's. Asked once.
import type { Checked } from '../../../daemon/commands/check.ts';
import { sendCommand } from '../../../ipc/client.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { type CheckResult, warn } from '../check.ts';

/** Longest wait, ms: a channel has less. */
const PATIENCE = 15_000;

const asked = new Map<string, Promise<Checked | null>>();

/** The same answer for all checks of one run; null: no daemon answers, or one that cannot say. */
export function daemonCheck(paths: Paths): Promise<Checked | null> {
  const known = asked.get(paths.socket) ?? question(paths);
  asked.set(paths.socket, known);
  return known;
}

async function question(paths: Paths): Promise<Checked | null> {
  const answer = await sendCommand(paths, 'check', {}, PATIENCE);
  if (answer.state !== 'answered') return null;
  for await (const reply of answer.replies) {
    if ('error' in reply) return null; // of another version, which the check of the daemon reports
    // Written by daemon/commands/check.ts of the same package.
    if (reply.done) return reply.data as Checked;
  }
  return null;
}

/** Beside what this process found itself. */
export const fromThisShell = (verb: string): CheckResult =>
  warn(
    `${verb} from this shell, because no daemon answers; the daemon may have other variables`,
    'run `belfry start`, then `belfry doctor` again',
  );
