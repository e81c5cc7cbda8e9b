// `belfry run AGENT [ARGUMENTS]`: starts a client so that it can be answered beside its own prompt, and hands the terminal over to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Argument } from 'commander';
import { findProgram } from '../../../../installers/find-program.ts';
import { thisMachine } from '../../../../installers/install-context.ts';
import { clientEnv } from '../../../../installers/run-client.ts';
import { agents } from '../../../agents/index.ts';
import { announceWrapped, makeWrappedFiles, removeWrapped, WRAPPED } from '../../../ipc/wrapped-client.ts';
import { didYouMean } from '../../../lib/text/did-you-mean.ts';
import type { Agent } from '../../../model/agent/agent.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Wrapping } from '../../../model/agent/wrapping.ts';
import { autostartForbidden } from '../../../runtime/autostart-setting.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import { ask } from '../../daemon/rpc.ts';
import { noteFault } from '../../report-error.ts';

/** The daemon hears of it within this time, ms; else it finds the client when it starts the next time. */
const PATIENCE = 5_000;
/** What a terminal sends to all of its programs: the client decides what it means. */
const SHARED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];
const PASSED_ON: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP'];

/** Those that need it. */
const CAN = agents.flatMap((agent) => (agent.wrapping === undefined ? [] : [{ agent, wrapping: agent.wrapping }]));

type Files = Exclude<ReturnType<typeof makeWrappedFiles>, string>;

export const define: Define = (command, io) => {
  const which = new Argument('<AGENT>', 'the agent');
  which.argChoices = CAN.map(({ agent }) => agent.name);
  command
    .addArgument(which)
    .argument('[ARGUMENTS...]', "the client's own arguments, as they are")
    .passThroughOptions()
    .allowUnknownOption()
    .action(async (name: string, given: string[]) => {
      const { agent, wrapping } = wrapped(name);
      const machine = thisMachine();
      const program = findProgram(agent, machine);
      if (program === null)
        throw new UserError(`\`${agent.version?.[0] ?? name}\` was not found on this machine`, EXIT.notFound);
      const paths = resolveOwnPaths();
      const files = filesFor(wrapping, given, paths, io);
      const args = files === null ? given : [...wrapping.args(files.events, files.answers), ...given];
      const child = spawn(program, args, { stdio: 'inherit', env: clientEnv(program, machine) });
      try {
        const ended = endOf(child);
        // Not waited for: the client may end before the daemon has heard of it.
        if (files !== null && child.pid !== undefined) void announce(paths, files, agent, child.pid);
        leaveAs(await ended, files);
      } finally {
        if (files !== null) removeWrapped(files);
      }
    });
};

function wrapped(name: string): { readonly agent: Agent; readonly wrapping: Wrapping } {
  const found = CAN.find(({ agent }) => agent.name === name);
  if (found !== undefined) return found;
  const names = CAN.map(({ agent }) => agent.name);
  const known = agents.some((agent) => agent.name === name);
  const why = known
    ? `${name} needs no \`belfry run\`, which is for ${names.join(', ')}: start it as usual; docs/guide/answering.md says how it is answered`
    : `unknown agent "${name}"${didYouMean(name, names)}`;
  throw new UserError(why, EXIT.usage);
}

/** Null, with a note where it is asked at its terminal: the client is started without them. */
function filesFor(wrapping: Wrapping, given: readonly string[], paths: Paths, io: Io): Files | null {
  const isGiven = (option: string) => given.some((arg) => arg === option || arg.startsWith(`${option}=`));
  if (wrapping.oneShot.some(isGiven)) return null;
  const own = wrapping.conflicts.find(isGiven);
  const files = own === undefined ? makeWrappedFiles(paths) : `${own} is your own`;
  if (typeof files !== 'string') return files;
  noteFault(io, `it can be answered at its terminal only: ${files}`);
  return null;
}

/** The client runs already: what fails here costs it nothing. Never rejects. */
async function announce(paths: Paths, files: Files, agent: Agent, client: number): Promise<void> {
  try {
    announceWrapped(files, agent.name, client);
    if (process.env['BELFRY_NO_AUTOSTART'] !== '1' && !autostartForbidden(paths.config)) await ensureListening(paths);
    await ask(paths, WRAPPED, { id: files.id }, PATIENCE);
  } catch {
    // the terminal is the client's now, and the daemon finds it at its next start
  }
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Signals for this process alone are handed on. */
function endOf(child: ChildProcess): Promise<End> {
  for (const signal of SHARED) process.on(signal, () => undefined);
  for (const signal of PASSED_ON) process.on(signal, () => void child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new UserError(`the client cannot be started: ${error.message}`)));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Ends as the client did. */
function leaveAs({ code, signal }: End, files: Files | null): never {
  if (files !== null) removeWrapped(files);
  if (signal === null) process.exit(code ?? EXIT.other);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}
