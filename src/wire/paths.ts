// Where everything lives: interface.md, "Where things live". Pure: environment and platform come in.
import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';

/** What the layout of files depends on; `process` has this shape but for `home` and `tmp`. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder; undefined when neither the environment nor the password file has one. */
  readonly home: string | undefined;
  /** A folder for short-lived files, absolute. */
  readonly tmp: string;
  /** Numeric user id where the platform has one. */
  readonly uid: number | undefined;
}

/** Absolute paths of all that belfry keeps. */
export interface Paths {
  readonly config: string;
  readonly run: string;
  /** Unix socket path or Windows pipe name. */
  readonly socket: string;
  readonly daemonFile: string;
  readonly spool: string;
  readonly quarantine: string;
  readonly state: string;
  readonly database: string;
  readonly daemonLog: string;
  readonly hookLog: string;
}

/** The longest socket path the kernels accept (sun_path of 104 on macOS, less the NUL). */
export const SOCKET_PATH_LIMIT = 103;

/** Paths for these surroundings. `BELFRY_HOME` puts everything below one folder. */
export function resolvePaths(s: Surroundings): Paths {
  const join = s.platform === 'win32' ? win32.join : posix.join;
  const resolve = s.platform === 'win32' ? win32.resolve : posix.resolve;
  const one = s.env['BELFRY_HOME'];
  if (one) {
    const base = resolve(one);
    return layout(s, { config: base, run: join(base, 'run'), data: base, state: join(base, 'state') });
  }
  const home = s.home ?? join(s.tmp, `belfry-${s.uid ?? 'user'}`);
  if (s.platform === 'win32') {
    const base = join(absolute(s, 'LOCALAPPDATA') ?? win32.join(home, 'AppData', 'Local'), 'belfry');
    return layout(s, { config: base, run: join(base, 'run'), data: base, state: join(base, 'state') });
  }
  if (s.platform === 'darwin') {
    const base = join(home, 'Library', 'Application Support', 'belfry');
    return layout(s, { config: base, run: join(base, 'run'), data: base, state: join(base, 'state') });
  }
  const config = join(absolute(s, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'belfry');
  const state = join(absolute(s, 'XDG_STATE_HOME') ?? join(home, '.local', 'state'), 'belfry');
  // The run folder is below the state folder, not XDG_RUNTIME_DIR: hooks of cron, ssh and containers lack that variable
  // and must still find the same daemon.
  return layout(s, { config, run: join(state, 'run'), data: state, state });
}

/** XDG says that a relative value is to be ignored. */
function absolute(s: Surroundings, name: string): string | undefined {
  const value = s.env[name];
  if (!value) return undefined;
  return (s.platform === 'win32' ? win32 : posix).isAbsolute(value) ? value : undefined;
}

function layout(s: Surroundings, at: { config: string; run: string; data: string; state: string }): Paths {
  const join = s.platform === 'win32' ? win32.join : posix.join;
  return {
    config: join(at.config, 'config.toml'),
    run: at.run,
    socket: socketPath(s, join(at.run, 'belfry.sock')),
    daemonFile: join(at.run, 'daemon.json'),
    spool: join(at.data, 'spool'),
    quarantine: join(at.data, 'quarantine'),
    state: at.state,
    database: join(at.state, 'belfry.db'),
    daemonLog: join(at.state, 'daemon.log'),
    hookLog: join(at.state, 'hook.log'),
  };
}

function socketPath(s: Surroundings, wanted: string): string {
  const digest = createHash('sha256').update(wanted).digest('hex').slice(0, 16);
  if (s.platform === 'win32') return `\\\\.\\pipe\\belfry-${digest}`;
  if (Buffer.byteLength(wanted) <= SOCKET_PATH_LIMIT) return wanted;
  return `/tmp/belfry-${s.uid ?? 0}-${digest}/belfry.sock`;
}
