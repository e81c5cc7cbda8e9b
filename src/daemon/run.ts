// The life of the daemon's process: one of a kind, ready, stopped cleanly.
import { homedir } from 'node:os';
import { loadInitial } from '../config/initial-load.ts';
import { systemClock } from '../lib/clock.ts';
import { VERSION } from '../lib/version.ts';
import { UserError } from '../model/errors.ts';
import { acquireInstance } from '../sources/single-instance.ts';
import { listenSocket } from '../sources/socket.ts';
import { watchSpool } from '../sources/spool.ts';
import type { Envelope } from '../ipc/envelope.ts';
import type { Acknowledgement } from '../ipc/frames.ts';
import { announceDaemon, withdrawDaemon } from '../runtime/daemon-file.ts';
import { startTime } from '../runtime/process-table.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import { serveCommand } from './commands/index.ts';
import { createDaemon, type DaemonDeps, type Daemon } from './create-daemon.ts';
import { openLog } from './log.ts';

/** Longest a clean stop takes, ms. */
const STOP = 10_000;
/** The spool goes first, so that a restart keeps a session's order; a long one goes on beside the socket, ms. */
const SPOOL_FIRST = 2_000;

/** Runs until it is told to stop. `auto`: started by a hook. Throws UserError when it cannot start. */
export async function runDaemon({ auto }: { readonly auto: boolean }): Promise<void> {
  process.umask(0o077);
  const paths = resolveOwnPaths();
  const now = systemClock.now();
  const initial = await loadInitial(paths.config, paths.state, auto, now);
  const claim = await acquireInstance(paths);
  if (claim.state === 'failed') throw new UserError(claim.error);
  if (claim.state === 'running')
    throw new UserError(
      `a daemon already runs${claim.pid === null ? '' : ` (pid ${claim.pid})`}: \`belfry status\` shows it`,
    );
  const log = openLog(paths.daemonLog);
  if (initial.invalid)
    log(
      `the settings file is broken, the ${initial.origin === 'defaults' ? 'built-in' : 'last good'} settings are in force`,
      {
        at: initial.invalid.line,
      },
    );
  try {
    const deps = { paths, initial, clock: systemClock, env: process.env, home: homedir(), log };
    await main(deps, now);
  } finally {
    claim.release();
  }
}

async function main(deps: Omit<DaemonDeps, 'damaged'>, startedAt: number): Promise<void> {
  const { paths, log } = deps;
  const shutdown = shutdownOnSignal();
  const damaged = (): void => {
    log('the journal is damaged: stopping, so that the next start can set it aside and carry over what can be read');
    process.exitCode = 1; // whoever keeps the service starts it again
    shutdown.request();
  };
  const daemon = await createDaemon({ ...deps, damaged });
  const sources: { close(): Promise<void> }[] = [];
  try {
    const opened = openSources(daemon, deps, sources, startedAt, shutdown);
    await Promise.race([opened, shutdown.requested]); // a start that is not wanted any more need not come to its end
    await shutdown.requested;
    log('stopping');
  } finally {
    withdrawDaemon(paths, process.pid);
    for (const source of sources) await source.close();
    await daemon.stop(STOP);
    log('stopped');
  }
}

/** Opens the sources, each pushed into `sources` once it is open, and announces the daemon. */
async function openSources(
  daemon: Daemon,
  { paths, log, clock }: Pick<DaemonDeps, 'paths' | 'log' | 'clock'>,
  sources: { close(): Promise<void> }[],
  startedAt: number,
  shutdown: Shutdown,
): Promise<void> {
  const accept =
    (source: string) =>
    async (envelope: Envelope): Promise<Acknowledgement> => {
      try {
        await daemon.ingest.accept(envelope, source);
        return { ok: true, id: envelope.id };
      } catch (error) {
        log('an event could not be journaled', { entry: envelope.id, error: String(error) });
        return { ok: false, error: 'the journal cannot be written' };
      }
    };
  const { spool: folder, quarantine } = paths;
  const spool = watchSpool({ folder, quarantine, accept: accept('spool'), log, clock });
  sources.push(spool);
  await Promise.race([spool.idle(), new Promise((resolve) => clock.setTimer(SPOOL_FIRST, () => resolve(null)))]);
  if (shutdown.isRequested()) return;
  await daemon.start();
  if (shutdown.isRequested()) return;
  const parts = { ...daemon, startedAt, stop: shutdown.request };
  const socket = await listenSocket({
    paths,
    accept: accept('socket'),
    command: (command, reply) => serveCommand(command, reply, parts),
    log,
  });
  if (socket.state === 'failed') throw new UserError(socket.error);
  if (socket.state === 'running') throw new UserError('another daemon answers at the socket: `belfry status` shows it');
  sources.push(socket);
  if (shutdown.isRequested()) return socket.close();
  announceDaemon(paths, {
    pid: process.pid,
    start: startTime(process.pid),
    version: VERSION,
    socket: paths.socket,
    startedAt,
  });
  log('ready', { version: VERSION, node: process.version });
  process.on('SIGHUP', () => void daemon.liveConfig.reload());
}

interface Shutdown {
  /** Resolves with the first SIGTERM, SIGINT or `stop` command. */
  readonly requested: Promise<void>;
  readonly isRequested: () => boolean;
  readonly request: () => void;
}

function shutdownOnSignal(): Shutdown {
  let received = false;
  let request = (): void => undefined;
  const requested = new Promise<void>((resolve) => {
    request = () => {
      received = true;
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, request);
  });
  return { requested, isRequested: () => received, request };
}
