// The commands of the local socket, by name.
import { EXIT, UserError } from '../../model/errors.ts';
import type { Command, Reply } from '../../ipc/frames.ts';
import { isDiskFull } from '../journal-outage.ts';
import { statusOf } from '../status.ts';
import { ack } from './ack.ts';
import { answer } from './answer.ts';
import { away, back } from './away.ts';
import { check } from './check.ts';
import { dashboard } from './dashboard.ts';
import { digest } from './digest.ts';
import { mute, unmute } from './mute.ts';
import type { CommandHandler, CommandContext } from './context.ts';
import { replay } from './replay.ts';
import { secrets } from './secrets.ts';
import { send } from './send.ts';
import { test } from './test.ts';
import { wrapped } from './wrapped.ts';

const status: CommandHandler = (_args, parts) => statusOf({ ...parts, now: parts.clock.now() });

/** Reads the settings again and takes them over, secrets too, even when the file is the same. */
const reload: CommandHandler = async (_args, { liveConfig }) => {
  const trouble = await liveConfig.reload(true);
  const broken = liveConfig.invalid()?.line ?? null;
  if (trouble !== null && broken === null) throw new UserError(`${trouble}: the old settings stay in force`);
  return { origin: liveConfig.origin(), broken };
};

const stop: CommandHandler = async (_args, parts) => {
  parts.stop();
  return { stopping: true };
};

const COMMANDS: Readonly<Record<string, CommandHandler>> = {
  status,
  check,
  secrets,
  send,
  test,
  replay,
  ack,
  mute,
  unmute,
  answer,
  away,
  back,
  digest,
  dashboard,
  wrapped,
  reload,
  stop,
};

/** Runs one command by its name. Throws UserError for expected trouble. */
export async function runCommand(
  op: string,
  args: Readonly<Record<string, unknown>>,
  parts: CommandContext,
): Promise<unknown> {
  const run = Object.hasOwn(COMMANDS, op) ? COMMANDS[op] : undefined;
  if (!run)
    throw new UserError(`the running daemon does not know "${op}": run \`belfry restart\` to upgrade it`, EXIT.usage);
  return run(args, parts);
}

/** Serves one command: exactly one line of answer. */
export async function serveCommand(
  command: Command,
  reply: (reply: Reply) => Promise<void>,
  parts: CommandContext,
): Promise<void> {
  try {
    await reply({ data: await runCommand(command.op, command.args, parts), done: true });
  } catch (error) {
    const known = error instanceof UserError ? error : fullDisk(error, parts.folder);
    if (known === null) throw error;
    await reply({ error: known.message, exit: known.exit, done: true });
  }
}

/** The error for a full disk, where the log cannot be written either; null: another error. */
function fullDisk(error: unknown, folder: string): UserError | null {
  if (!isDiskFull(String(error))) return null;
  return new UserError(`the disk of ${folder} is full: free some space, then try again`, EXIT.other);
}
