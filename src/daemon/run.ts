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
import { compose, type Ground, type House } from './compose.ts';
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
  const first = await loadInitial(paths.config, paths.state, auto, now);
  const claim = await acquireInstance(paths);
  if (claim.state === 'failed') throw new UserError(claim.error);
  if (claim.state === 'running')
    throw new UserError(
      `a daemon already runs${claim.pid === null ? '' : ` (pid ${claim.pid})`}: \`belfry status\` shows it`,
    );
  const log = openLog(paths.daemonLog);
  if (first.invalid)
    log(
      `the settings file is broken, the ${first.origin === 'defaults' ? 'built-in' : 'last good'} settings are in force`,
      {
        at: first.invalid.line,
      },
    );
  try {
    const ground = { paths, first, clock: systemClock, env: process.env, home: homedir(), log };
    await live(ground, now);
  } finally {
    claim.release();
  }
}

async function live(ground: Omit<Ground, 'damaged'>, startedAt: number): Promise<void> {
  const { paths, log } = ground;
  const stopping = stopSignal();
  const damaged = (): void => {
    log('the journal is damaged: stopping, so that the next start can set it aside and carry over what can be read');
    process.exitCode = 1; // whoever keeps the service starts it again
    stopping.now();
  };
  const house = await compose({ ...ground, damaged });
  const sources: { close(): Promise<void> }[] = [];
  try {
    const opened = open(house, ground, sources, startedAt, stopping);
    await Promise.race([opened, stopping.came]); // a start that is not wanted any more need not come to its end
    await stopping.came;
    log('stopping');
  } finally {
    withdrawDaemon(paths, process.pid);
    for (const source of sources) await source.close();
    await house.stop(STOP);
    log('stopped');
  }
}

/** Opens the sources, each pushed into `sources` once it is open, and announces the daemon. */
async function open(
  house: House,
  { paths, log, clock }: Pick<Ground, 'paths' | 'log' | 'clock'>,
  sources: { close(): Promise<void> }[],
  startedAt: number,
  stopping: Stopping,
): Promise<void> {
  const accept =
    (source: string) =>
    async (envelope: Envelope): Promise<Acknowledgement> => {
      try {
        await house.ingest.accept(envelope, source);
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
  if (stopping.asked()) return;
  await house.start();
  if (stopping.asked()) return;
  const parts = { ...house, startedAt, stop: stopping.now };
  const socket = await listenSocket({
    paths,
    accept: accept('socket'),
    command: (command, reply) => serveCommand(command, reply, parts),
    log,
  });
  if (socket.state === 'failed') throw new UserError(socket.error);
  if (socket.state === 'running') throw new UserError('another daemon answers at the socket: `belfry status` shows it');
  sources.push(socket);
  if (stopping.asked()) return socket.close();
  announceDaemon(paths, {
    pid: process.pid,
    start: startTime(process.pid),
    version: VERSION,
    socket: paths.socket,
    startedAt,
  });
  log('ready', { version: VERSION, node: process.version });
  process.on('SIGHUP', () => void house.liveConfig.reload());
}

interface Stopping {
  /** Resolves with the first SIGTERM, SIGINT or `stop` command. */
  readonly came: Promise<void>;
  readonly asked: () => boolean;
  readonly now: () => void;
}

function stopSignal(): Stopping {
  let asked = false;
  let now = (): void => undefined;
  const came = new Promise<void>((resolve) => {
    now = () => {
      asked = true;
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, now);
  });
  return { came, asked: () => asked, now };
}
