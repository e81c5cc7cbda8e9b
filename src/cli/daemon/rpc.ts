// Asks the running daemon one thing; its refusal and its absence become errors with an exit code.
import { EXIT, type ExitCode, UserError } from '../../model/errors.ts';
import { sendCommand } from '../../ipc/client.ts';
import type { Paths } from '../../runtime/paths.ts';
import { awaitReplaced } from './wait-for-upgrade.ts';

/** Within it a daemon that lives says how it is, ms. */
const ALIVE = 5_000;

/** The data of the last line. Waits at most `patience` ms for it; where that is long, a daemon that hangs is noticed before, and is given nothing to do once it goes on. */
export async function ask(
  paths: Paths,
  op: string,
  args: Readonly<Record<string, unknown>>,
  patience: number,
): Promise<unknown> {
  if (op !== 'stop') await awaitReplaced(paths);
  if (patience > 2 * ALIVE) await ask(paths, 'status', {}, ALIVE);
  const asked = await sendCommand(paths, op, args, patience);
  if (asked.state === 'not-running')
    throw new UserError('the daemon is not running: start it with `belfry start`', EXIT.unreachable);
  if (asked.state === 'silent')
    throw new UserError('the daemon does not respond: try `belfry restart`', EXIT.unreachable);
  for await (const reply of asked.replies) {
    if ('error' in reply) throw new UserError(reply.error, exitOf(reply.exit));
    if (reply.done) return reply.data;
  }
  throw new UserError('the daemon stopped before it had answered: try again', EXIT.unreachable);
}

function exitOf(code: number): ExitCode {
  return Object.values(EXIT).find((known) => known === code) ?? EXIT.other;
}
