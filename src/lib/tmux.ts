// What a tmux server says of a pane: whether it is there, which clients show it, and whether what they say of the focus can be trusted.

/** A terminal attached to the server. */
export interface TmuxClient {
  readonly pid: number;
  readonly tty: string;
  /** Its last key or change of focus, Unix ms. */
  readonly activity: number;
  /** The pane that it shows and that gets its keys. */
  readonly pane: string;
  readonly window: string;
  readonly session: string;
  /** Whether its terminal has the focus; null: it was not asked to report that, so its word means nothing. */
  readonly focused: boolean | null;
}

export interface TmuxPane {
  readonly pane: string;
  readonly window: string;
  readonly session: string;
  /** The process that runs in it. */
  readonly pid: number;
  readonly clients: readonly TmuxClient[];
}

/** Where a pane is. */
export interface TmuxPlace {
  readonly socket: string;
  readonly pane: string;
}

const PANE = '#{pane_id} #{window_id} #{session_id} #{pane_pid} #{focus-events} #{message-limit}';
const CLIENT =
  '#{client_pid} #{client_tty} #{client_activity} #{pane_id} #{window_id} #{session_id} #{client_flags} #{client_control_mode} #{client_termfeatures}';

/** The words that ask for all of it in one go. */
export function tmuxQuestion({ socket, pane }: TmuxPlace): readonly string[] {
  const show = ['display-message', '-p', '-t', pane, PANE];
  const log = ['if-shell', '-F', '-t', pane, '#{session_attached}', 'show-messages']; // without a client it fails
  return ['-S', socket, ...show, ';', 'list-clients', '-F', CLIENT, ';', ...log];
}

/** Reads what it prints: a line of the pane, one for each client, then the log of the server, newest first. */
export function parseTmux(text: string): TmuxPane | null {
  const [first = '', ...lines] = text.split('\n');
  const [pane = '', window = '', session = '', pid = '', focusEvents, limit = ''] = first.split(' ');
  if (!pane || !window) return null; // no such pane
  const log = lines.filter((line) => !CLIENT_LINE.test(line) && line !== '');
  const reports = (tty: string): boolean => focusEvents === '1' && wasAsked(tty, log, Number(limit));
  const clients = lines.flatMap((line) => clientOf(line, reports));
  return { pane, window, session, pid: Number(pid), clients };
}

const CLIENT_LINE = /^(\d+) (\S+) (\d+) (%\d+) (@\d+) (\$\d+) (\S*) (0|1) (\S*)$/;

function clientOf(line: string, reports: (tty: string) => boolean): TmuxClient[] {
  const [, pid, tty = '', activity, pane = '', window = '', session = '', flags = '', control, features = ''] =
    CLIENT_LINE.exec(line) ?? [];
  if (pid === undefined || control === '1') return [];
  const focused = reports(tty) && features.split(',').includes('focus') ? flags.split(',').includes('focused') : null;
  return [{ pid: Number(pid), tty, activity: Number(activity) * 1_000, pane, window, session, focused }];
}

/** A terminal is asked to report its focus when it attaches, and only where the option is on by then; until asked it counts as focused. */
const SWITCHED = / command: (?:set(?:-option)? .*focus-events|source(?:-file)?\b)/;

function wasAsked(tty: string, log: readonly string[], limit: number): boolean {
  const switched = log.findIndex((line) => SWITCHED.test(line));
  const attached = log.findIndex((line) => ATTACHED.exec(line)?.[1] === tty);
  if (attached !== -1) return switched === -1 || attached < switched;
  return log.length > 0 && switched === -1 && log.length < limit; // the whole log is there, and nothing was switched since the server began
}

const ATTACHED = /^\S+ (\S+) command: (?:attach|new)(?:-session)?\b/;
