// What an abuse case says. Each runs against both hook programs unless it names one.
import type { Writable } from 'node:stream';
import type { Envelope } from '../../../src/ipc/envelope.ts';
import type { Paths } from '../../../src/runtime/paths.ts';

/** The Node program, or the shell script as `install` writes it. */
export type HookName = 'node' | 'fast';

/** The surroundings of one run. */
export interface World {
  readonly home: string;
  readonly paths: Paths;
}

/** Who listens: a real one, nobody, or a broken one that says or does what the text names. */
export type DaemonState =
  | 'up'
  | 'down'
  | 'hung'
  | 'hangs up'
  | 'refuses'
  | 'garbage'
  | 'endless'
  | 'piecemeal'
  | 'deaf';

export interface Case {
  readonly name: string;
  readonly hooks?: readonly HookName[];
  /** Bytes, or a function that writes them and closes stdin or does not. */
  readonly input?: string | Uint8Array | ((stdin: Writable) => void);
  /** Shell text around the program, which is `"$@"`: redirections, limits, a umask. */
  readonly around?: string;
  readonly daemon?: DaemonState;
  readonly env?: (world: World) => Record<string, string | undefined>;
  readonly agent?: string;
  readonly event?: string;
  readonly print?: string;
  readonly prepare?: (world: World) => void;
  /** Sent as soon as the hook catches or ignores signals. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly times?: number };
  /** Raw bytes that must have been kept, `nothing`, or `whatever` (then only silence and exit 0 count). */
  readonly kept: string | Uint8Array | 'nothing' | 'whatever';
  readonly cut?: 'size' | 'time' | 'size or time';
  readonly check?: (envelope: Envelope, world: World) => void;
  /** What some shells say by themselves before they read any command. */
  readonly startNoise?: RegExp;
  readonly after?: (world: World) => void;
}

export const JSON_INPUT = '{"hook_event_name":"Stop","n":1}';
