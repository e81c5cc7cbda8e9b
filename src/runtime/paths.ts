// Where everything lives: interface.md, "Where things live". Pure: environment and platform come in.
import type { PlatformPath } from 'node:path';
import { joinPath } from './join-path.ts';

/** What the layout of files depends on; `process` has this shape but for `home` and `tmp`. */
export interface Environment {
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

/** Paths for this environment. `BELFRY_HOME` puts everything below one folder. */
export function resolvePaths(s: Environment): Paths {
  const one = s.env['BELFRY_HOME'];
  if (one) return inOne(s, resolved(s, one));
  const home = s.home ?? homelessFolder(s);
  if (s.platform === 'win32')
    return inOne(s, resolved(s, absolute(s, 'LOCALAPPDATA') ?? resolved(s, home, 'AppData', 'Local'), 'belfry'));
  if (s.platform === 'darwin') return inOne(s, resolved(s, home, 'Library', 'Application Support', 'belfry'));
  const config = resolved(s, absolute(s, 'XDG_CONFIG_HOME') ?? resolved(s, home, '.config'), 'belfry');
  const state = resolved(s, absolute(s, 'XDG_STATE_HOME') ?? resolved(s, home, '.local', 'state'), 'belfry');
  // The run folder is below the state folder, not XDG_RUNTIME_DIR: hooks of cron, ssh and containers lack that variable
  // and must still find the same daemon.
  return layout(s, config, state, state);
}

/** Stands for the home folder of a user who has none. */
export function homelessFolder(s: Environment): string {
  return resolved(s, s.tmp, `belfry-${s.uid ?? 'user'}`);
}

/** XDG says that a relative value is to be ignored. */
function absolute(s: Environment, name: string): string | undefined {
  const value = s.env[name];
  return value && (s.platform === 'win32' ? tools(s).isAbsolute(value) : value[0] === '/') ? value : undefined;
}

/** One absolute path of these. Most need no normalizing, and then the hook does not load node:path. */
function resolved(s: Environment, ...parts: string[]): string {
  const plain = parts.join('/');
  const tidy = plain[0] === '/' && !['//', '/./', '/../'].some((odd) => `${plain}/`.includes(odd));
  return tidy && s.platform !== 'win32' ? plain : tools(s).resolve(...parts);
}

function tools(s: Environment): PlatformPath {
  const { posix, win32 } = process.getBuiltinModule('node:path');
  return s.platform === 'win32' ? win32 : posix;
}

function inOne(s: Environment, base: string): Paths {
  return layout(s, base, base, joinPath(base, 'state', s.platform));
}

function layout(s: Environment, config: string, data: string, state: string): Paths {
  const join = (folder: string, name: string): string => joinPath(folder, name, s.platform);
  const run = join(data, 'run');
  return {
    config: join(config, 'config.toml'),
    run,
    socket: socketPath(s, join(run, 'belfry.sock')),
    daemonFile: join(run, 'daemon.json'),
    spool: join(data, 'spool'),
    quarantine: join(data, 'quarantine'),
    state,
    database: join(state, 'belfry.db'),
    daemonLog: join(state, 'daemon.log'),
    hookLog: join(state, 'hook.log'),
  };
}

function socketPath(s: Environment, wanted: string): string {
  if (s.platform === 'win32') return `\\\\.\\pipe\\belfry-${digest(wanted)}`;
  if (Buffer.byteLength(wanted) <= SOCKET_PATH_LIMIT) return wanted;
  return `/tmp/belfry-${s.uid ?? 0}-${digest(wanted)}/belfry.sock`;
}

/** Crypto is loaded only where a digest is needed: it costs the hook milliseconds. */
function digest(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex').slice(0, 16);
}
