// What a tmux server says of a pane that is to show something, and the badge on it.
import { runProgram, type ProgramResult } from '../../lib/programs/run-program.ts';
import type { ChannelTools } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import type { Place } from '../../model/session/place.ts';
import { OPEN_OPTION } from './badge.ts';

type Failure = Extract<Outcome, { ok: false }>;

/** A pane that is there. */
export interface Pane {
  /** Path of its terminal, which tmux draws. */
  readonly tty: string;
  /** Whether tmux hands sequences on to its own terminal. */
  readonly passes: boolean;
  /** Value of OPEN_OPTION. */
  readonly open: string;
  /** Names of each terminal that shows its window now. */
  readonly terminals: readonly (readonly string[])[];
}

/** Runs `tmux` with the server's socket. */
export type Tmux = (...args: readonly string[]) => Promise<ProgramResult>;

const ID = /^%\d{1,9}$/;
const PANE = `#{pane_id}|#{window_id}|#{pane_tty}|#{allow-passthrough}|#{${OPEN_OPTION}}`;
const CLIENT = '#{client_control_mode}|#{window_id}|#{client_termname}|#{client_termtype}';

export function tmuxAt(
  { socket }: NonNullable<Place['tmux']>,
  { tools, signal, limit }: { readonly tools: ChannelTools; readonly signal: AbortSignal; readonly limit: number },
): Tmux {
  const env = { PATH: tools.env['PATH'], LC_ALL: 'C.UTF-8' };
  return (...args) => runProgram({ program: 'tmux', args: ['-S', socket, ...args], env, limit, signal });
}

/** The pane, or why there is none. */
export async function askPane(tmux: Tmux, pane: string): Promise<Pane | Failure> {
  const gone: Failure = { ok: false, reason: 'client', error: 'the pane of this session in tmux is closed' };
  if (!ID.test(pane)) return gone;
  const asked = await tmux('display-message', '-p', '-t', pane, PANE, ';', 'list-clients', '-F', CLIENT);
  const trouble = troubleOf(asked);
  if (trouble !== null) return trouble;
  const [first = '', ...lines] = asked.stdout.split('\n');
  const [id, window, tty = '', passes, ...open] = first.split('|');
  if (asked.code !== 0 || id !== pane || tty === '') return gone;
  const clients = lines
    .map((line) => line.split('|'))
    .filter(([control, shown]) => control === '0' && shown === window);
  // Older servers have no such option and hand everything on.
  const hands = passes === undefined || !/^(?:0|off)$/.test(passes);
  return {
    tty,
    passes: hands,
    open: open.join('|'),
    terminals: clients.map(([, , name = '', ...type]) => [type.join('|'), name]),
  };
}

/** Null: it ran, whatever it said. */
export function troubleOf({ cancelled, timedOut, fault }: ProgramResult): Failure | null {
  if (cancelled || timedOut)
    return { ok: false, reason: 'timeout', error: 'tmux did not answer in time', unknown: true };
  if (fault === null) return null;
  return {
    ok: false,
    reason: 'invalid-config',
    error: 'tmux was not found on the PATH of the daemon: run `belfry restart` where it is',
  };
}
