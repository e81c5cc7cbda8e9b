// Where on the screen a hook ran: what its environment says of the terminal, for focusing it and for channels that draw there.
import type { Origin } from '../../ipc/envelope.ts';

/** Null: the environment does not say. */
export interface Place {
  /** What draws the screen: a multiplexer other than tmux, TERM_PROGRAM, or the kind in TERM. */
  readonly terminal: string | null;
  /** Path of the terminal that the agent is on. */
  readonly tty: string | null;
  /** Socket and pane; one server may serve many panes. */
  readonly tmux: { readonly socket: string; readonly pane: string } | null;
  /** The window system's id of the window. */
  readonly windowId: string | null;
  /** The terminal's own id of the tab or pane. */
  readonly paneId: string | null;
  /** The X or Wayland display. */
  readonly display: string | null;
  /** Client address and ports of an SSH connection. */
  readonly ssh: string | null;
}

/** The environment said nothing. */
export const UNKNOWN_PLACE: Place = {
  terminal: null,
  tty: null,
  tmux: null,
  windowId: null,
  paneId: null,
  display: null,
  ssh: null,
};

const PANES = [
  'WEZTERM_PANE',
  'KITTY_WINDOW_ID',
  'WT_SESSION',
  'ITERM_SESSION_ID',
  'TERM_SESSION_ID',
  'ZELLIJ_SESSION_NAME',
  'STY',
] as const;

/** The place that the hints of an envelope name; null where they name none. */
export function placeOf({ env, tty }: Pick<Origin, 'env' | 'tty'>): Place | null {
  const first = (...names: readonly string[]): string | null => names.map((name) => env[name]).find(Boolean) ?? null;
  const [socket] = (env['TMUX'] ?? '').split(',');
  const pane = env['TMUX_PANE'];
  const place: Place = {
    terminal: within(env) ?? first('TERM_PROGRAM', 'TERMINAL_EMULATOR', 'TERM'),
    tty: tty ?? first('SSH_TTY'),
    tmux: socket && pane ? { socket, pane } : null,
    windowId: first('WINDOWID'),
    paneId: first(...PANES),
    display: first('WAYLAND_DISPLAY', 'DISPLAY'),
    ssh: first('SSH_CONNECTION'),
  };
  return Object.values(place).some((value) => value !== null) ? place : null;
}

/** What hides its terminal: within these the variables of the terminal around it are still set, or it sets none. */
function within(env: Origin['env']): string | null {
  if (env['STY']) return 'screen';
  if (env['ZELLIJ_SESSION_NAME']) return 'zellij';
  return env['WT_SESSION'] && !env['TERM_PROGRAM'] ? 'Windows_Terminal' : null;
}
