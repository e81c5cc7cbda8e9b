// Runs the daemon's process: single instance, start, clean shutdown.
import { rmSync, lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { agents } from '../agents/index.ts';
import { loadInitial } from '../config/live/initial-load.ts';
import { envelopeKey } from '../ingest/ordering-key.ts';
import { sleep, systemClock } from '../lib/clock.ts';
import { VERSION } from '../lib/version.ts';
import { UserError } from '../model/errors.ts';
import { acquireInstance } from '../sources/socket/single-instance.ts';
import { ASK } from '../ipc/ask.ts';
import { listenSocket } from '../sources/socket/socket.ts';
import { watchSpool } from '../sources/spool/spool.ts';
import type { Envelope } from '../ipc/envelope.ts';
import { type Acknowledgement, PROOFS } from '../ipc/frames.ts';
import { daemonLock, startLock } from '../runtime/autostart.ts';
import { buildOf } from '../runtime/build-id.ts';
import { announceDaemon, withdrawDaemon } from '../runtime/daemon-file.ts';
import { announceLeaving, releaseLock } from '../runtime/lock.ts';
import type { Paths } from '../runtime/paths.ts';
import { startTime } from '../runtime/process-table.ts';
import { homelessTrouble, resolveOwnPaths } from '../runtime/own-paths.ts';
import type { CommandContext } from './commands/context.ts';
import { createDaemon, type DaemonDeps, type Daemon } from './create-daemon.ts';
import { openLog } from './shared/log.ts';
import { AGAIN, type Supervisor, prepareSuccessor, startAnother } from './upgrade/successor.ts';
import { type Upgrade, watchProgram } from './upgrade/watch-program.ts';
import { listSpool } from '../sources/spool/spool-folder.ts';

/** Longest a clean stop takes, ms. */
const STOP = 10_000;
/** The spool is read first, so that a restart keeps a session's order; the socket opens after this long (ms) even so. */
const SPOOL_FIRST = 2_000;

/** How it is run: `auto` by a hook, `program` is its daemon.js. */
export interface RunOptions {
  readonly auto: boolean;
  readonly program: string;
  readonly supervisor: Supervisor;
}

/** Why a daemon ended: it was asked to, or its program was replaced and a successor takes over. */
export type Ended = 'stopped' | 'replaced';

/** Runs until a signal or the `stop` command. Throws UserError when it cannot start. */
export async function runDaemon(options: RunOptions): Promise<Ended> {
  const { auto } = options;
  process.umask(0o077);
  const trouble = homelessTrouble();
  if (trouble) throw new UserError(`there is no home folder, and ${trouble}: set BELFRY_HOME`);
  const paths = resolveOwnPaths();
  const now = systemClock.now();
  const initial = await loadInitial(paths, auto, now);
  const claim = await acquireInstance(paths);
  if (claim.state === 'failed') throw new UserError(claim.error);
  if (claim.state === 'running')
    throw new UserError(
      `a daemon already runs${claim.pid === null ? '' : ` (pid ${claim.pid})`}: \`belfry status\` shows it`,
    );
  const log = openLog(paths.daemonLog);
  if (initial.invalid)
    log(
      initial.invalid.isMachine
        ? `the machine-wide settings file is broken, ${initial.machine.isLastGood ? 'the last good one is' : 'nothing of it is'} in force`
        : `the settings file is broken, the ${initial.origin === 'defaults' ? 'built-in' : 'last good'} settings are in force`,
      {
        at: initial.invalid.line,
      },
    );
  for (const line of initial.leftOut) log('left out of the settings', { what: line });
  try {
    const { program } = options;
    const deps = { paths, initial, clock: systemClock, env: process.env, home: homedir(), program, log };
    return await main(deps, now, options);
  } finally {
    claim.release();
  }
}

async function main(
  deps: Omit<DaemonDeps, 'damaged'>,
  startedAt: number,
  { program, supervisor }: RunOptions,
): Promise<Ended> {
  const { paths, log, clock } = deps;
  const shutdown = shutdownOnSignal();
  let end = 'stopped' as Ended;
  const upgrade = watchProgram(program, {
    clock,
    log,
    replaced: () => {
      if (shutdown.isRequested()) return;
      end = 'replaced';
      shutdown.request();
    },
  });
  const damaged = (): void => {
    log('the journal is damaged: stopping, so that the next start can set it aside and carry over what can be read');
    process.exitCode = 1; // the service manager starts it again
    shutdown.request();
  };
  const daemon = await createDaemon({ ...deps, damaged });
  const sources: { close(): Promise<void> }[] = [];
  try {
    const opened = openSources(daemon, deps, sources, { startedAt, shutdown, upgrade, program, supervisor });
    await Promise.race([opened, shutdown.requested]); // a shutdown request does not wait for the start to finish
    await shutdown.requested;
    log(end === 'replaced' ? 'the program was replaced: making way for the new one' : 'stopping');
  } finally {
    const from = Date.now();
    upgrade.stop();
    announceLeaving(daemonLock(paths));
    withdrawDaemon(paths, process.pid);
    if (end === 'replaced') prepareSuccessor(supervisor, paths, program);
    await Promise.all(sources.map((source) => source.close()));
    await daemon.stop(STOP);
    log('stopped');
    if (end === 'stopped' && (shutdown.late() || lateFiles(paths.spool, from)))
      startAnother(paths, program, supervisor);
  }
  if (end === 'replaced' && supervisor !== 'background') process.exitCode = AGAIN;
  return end;
}

/** Opens the sources, each pushed into `sources` once it is open, and announces the daemon. */
async function openSources(
  daemon: Daemon,
  deps: Pick<DaemonDeps, 'paths' | 'log' | 'clock'>,
  sources: { close(): Promise<void> }[],
  opening: Opening,
): Promise<void> {
  const { paths, log, clock } = deps;
  const { shutdown } = opening;
  const accept = acceptorOf(daemon, log, opening);
  const { spool: folder, quarantine } = paths;
  const keyOf = (input: Pick<Envelope, 'agent' | 'raw'>): string | null => envelopeKey(agents, input);
  const spool = watchSpool({ folder, quarantine, accept: accept('spool'), log, clock, keyOf });
  sources.push(spool);
  daemon.askToo(spool.precedes);
  daemon.spoolOpened(spool.unread);
  await Promise.race([spool.idle(), sleep(SPOOL_FIRST, clock)]);
  if (shutdown.isRequested()) return;
  sources.push({ close: () => daemon.http.stop() });
  const context = { ...daemon, startedAt: opening.startedAt, stop: shutdown.request };
  daemon.http.attach(context);
  await daemon.start();
  if (shutdown.isRequested()) return;
  await daemon.remotes.start(accept('remote'), daemon.answering.serve);
  sources.push(daemon.remotes);
  const socket = await openSocket(context, deps, accept('socket'), opening);
  daemon.askToo(socket.precedes);
  // Waiting hooks leave first: the socket closes when its last connection has ended.
  sources.push({ close: daemon.answering.stop }, socket);
  if (shutdown.isRequested()) return socket.close();
  announce(daemon, paths, socket.socket, opening);
  releaseLock(startLock(paths));
  log('ready', { version: VERSION, node: process.version });
  process.on('SIGHUP', () => void daemon.liveConfig.reload());
}

type Accept = (envelope: Envelope) => Promise<Acknowledgement>;

function acceptorOf({ ingest }: Daemon, log: DaemonDeps['log'], { shutdown, upgrade }: Opening) {
  return (source: string): Accept =>
    async (envelope) => {
      try {
        shutdown.received();
        await ingest.accept(envelope, source);
        upgrade.look();
        return { ok: true, id: envelope.id };
      } catch (error) {
        log('an event could not be journaled', { entry: envelope.id, error: String(error) });
        return { ok: false, error: 'the journal cannot be written' };
      }
    };
}

async function openSocket(
  context: CommandContext,
  { paths, log }: Pick<DaemonDeps, 'paths' | 'log'>,
  accept: Accept,
  { upgrade }: Opening,
) {
  rmSync(join(paths.run, PROOFS), { recursive: true, force: true }); // what a daemon left that was killed
  const socket = await listenSocket({
    paths,
    accept,
    log,
    command: async (command, reply, gone, next) => {
      if (command.op === ASK) return context.answering.serve(command.args, reply, gone);
      const { serveCommand } = await import('./commands/index.ts'); // with the first command
      await serveCommand(command, reply, next, context);
      upgrade.look();
    },
  });
  if (socket.state === 'failed') throw new UserError(socket.error);
  if (socket.state === 'running') throw new UserError('another daemon answers at the socket: `belfry status` shows it');
  return socket;
}

/** Says where it is reached, now and whenever the addresses of its HTTP interface change. */
function announce({ http, bus }: Daemon, paths: Paths, socket: string, opening: Opening): void {
  const { program, startedAt, shutdown, supervisor } = opening;
  const { pid } = process;
  const write = (addresses: readonly string[]): void =>
    announceDaemon(paths, {
      pid,
      start: startTime(pid),
      version: VERSION,
      socket,
      program,
      build: buildOf(program),
      supervisor,
      startedAt,
      http: addresses,
    });
  write(http.addresses());
  bus.subscribe((event) => {
    if (event.type === 'listening' && !shutdown.isRequested()) write(event.addresses);
  });
}

interface Opening {
  readonly startedAt: number;
  readonly shutdown: Shutdown;
  readonly upgrade: Upgrade;
  readonly program: string;
  readonly supervisor: Supervisor;
}

interface Shutdown {
  /** Resolves with the first SIGTERM, SIGINT or `stop` command. */
  readonly requested: Promise<void>;
  readonly isRequested: () => boolean;
  readonly request: () => void;
  /** Records an event, so that `late` says whether one came after the request to stop. */
  readonly received: () => void;
  readonly late: () => boolean;
}

function shutdownOnSignal(): Shutdown {
  let isRequested = false;
  let late = false;
  let request = (): void => undefined;
  const requested = new Promise<void>((resolve) => {
    request = () => {
      isRequested = true;
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, request); // one more must not cut the stop short
  });
  const received = (): void => {
    late ||= isRequested;
  };
  return { requested, isRequested: () => isRequested, request, received, late: () => late };
}

/** Whether the spool holds something that came at `from` (Unix ms) or later, from a hook that saw this daemon alive and so started no other; what lay there before is no reason to go on. */
function lateFiles(spool: string, from: number): boolean {
  return (listSpool(spool) ?? []).some(({ name }) => {
    const found = lstatSync(join(spool, name), { throwIfNoEntry: false });
    return found !== undefined && found.mtimeMs >= from;
  });
}
