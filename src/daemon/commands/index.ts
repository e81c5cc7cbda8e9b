// The commands of the local socket, by name.
import { EXIT, UserError } from '../../model/errors.ts';
import type { Command, ProofRequest, Reply } from '../../ipc/frames.ts';
import { isDiskFull } from '../../lib/files/disk-full.ts';
import { statusOf } from './status.ts';
import { ack } from './ack.ts';
import { answer } from './answer.ts';
import { away, back } from './away.ts';
import { check } from './check.ts';
import { clear } from './clear.ts';
import { goOn } from './continue.ts';
import { dashboard } from './dashboard.ts';
import { digest } from './digest.ts';
import { mute, unmute } from './mute.ts';
import type { CommandHandler, CommandContext } from './context.ts';
import { remoteConnect, remoteDisconnect, remotes, remoteTest } from './remotes.ts';
import { replay } from './replay.ts';
import { secrets } from './secrets.ts';
import { send } from './send.ts';
import { test } from './test.ts';
import { admitPeer, type AskedBy, type Peer } from './who-asks.ts';
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

/** A command, who may give it over the socket, and how a person gives what only they may. */
interface CommandEntry {
  readonly run: CommandHandler;
  readonly by: AskedBy;
  readonly instead: string;
}

const anyone = (run: CommandHandler): CommandEntry => ({ run, by: 'anyone', instead: '' });
const here = (run: CommandHandler): CommandEntry => ({
  run,
  by: 'here',
  instead: 'run it in a terminal of this machine',
});
const person = (run: CommandHandler, instead: string): CommandEntry => ({ run, by: 'person', instead });

/** What answers an agent, or keeps something from the person, is the person's. */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  status: anyone(status),
  check: anyone(check),
  send: anyone(send),
  wrapped: anyone(wrapped),
  remotes: anyone(remotes),
  'remote-connect': here(remoteConnect),
  'remote-disconnect': here(remoteDisconnect),
  'remote-test': here(remoteTest),
  secrets: here(secrets),
  test: here(test),
  replay: here(replay),
  unmute: here(unmute),
  back: here(back),
  digest: here(digest),
  reload: here(reload),
  stop: here(stop),
  answer: person(answer, 'answer in a terminal of your own, or on the page'),
  continue: person(goOn, 'run it in a terminal of your own'),
  ack: person(ack, 'acknowledge in a terminal of your own, or on the page'),
  mute: person(mute, 'mute in a terminal of your own, or on the page'),
  clear: person(clear, 'clear them in a terminal of your own'),
  away: person(away, 'run it in a terminal of your own'),
  dashboard: person(dashboard, 'open the page in a terminal of your own'),
};

function entryOf(op: string): CommandEntry {
  const entry = Object.hasOwn(COMMANDS, op) ? COMMANDS[op] : undefined;
  if (entry) return entry;
  throw new UserError(`the running daemon does not know "${op}": run \`belfry restart\` to upgrade it`, EXIT.usage);
}

/** Runs one command by its name. Throws UserError for expected trouble. */
export async function runCommand(
  op: string,
  args: Readonly<Record<string, unknown>>,
  parts: CommandContext,
): Promise<unknown> {
  return entryOf(op).run(args, parts);
}

/** Serves one command: exactly one line of answer, after what asks for a proof. */
export async function serveCommand(
  command: Command,
  reply: (reply: Reply | ProofRequest) => Promise<void>,
  next: Peer['next'],
  parts: CommandContext,
): Promise<void> {
  try {
    await admitPeer(command, entryOf(command.op), { ask: reply, next }, parts.run);
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
