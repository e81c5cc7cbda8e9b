// What a tmux server says of a pane: whether it is there, which clients show it, and whether what they say of the focus can be trusted.

/** A terminal attached to the server. */
export interface TmuxClient {
  readonly pid: number;
  readonly tty: string;
  /** Its last key or change of focus, or that it was attached, Unix ms: in whole seconds. */
  readonly activity: number;
  /** When it was attached, Unix ms: that may have been a program which connects again. */
  readonly created: number;
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
  /** The server shows something else in its place: a list to choose from, its scrollback, a clock. */
  readonly isCovered: boolean;
  /** Processes that the server runs outside its panes: in popups, or for what it prints. */
  readonly jobs: readonly number[];
  /** Terminals that show something: neither a suspended or locked one, nor a program that controls the server. */
  readonly clients: readonly TmuxClient[];
}

/** Where a pane is. */
export interface TmuxPlace {
  readonly socket: string;
  readonly pane: string;
}

const PANE = '#{pane_id} #{window_id} #{session_id} #{pane_pid} #{focus-events} #{message-limit} #{?pane_in_mode,1,0}';
const CLIENT =
  '#{client_pid} #{client_tty} #{client_activity} #{client_created} #{pane_id} #{window_id} #{session_id} #{client_flags} #{client_control_mode} #{client_termfeatures}';

/** The words that ask for all of it in one go. */
export function tmuxQuestion({ socket, pane }: TmuxPlace): readonly string[] {
  const show = ['display-message', '-p', '-t', pane, PANE];
  const log = ['if-shell', '-F', '-t', pane, '#{session_attached}', 'show-messages ; show-messages -J']; // without a client it fails
  return ['-S', socket, ...show, ';', 'list-clients', '-F', CLIENT, ';', ...log];
}

/** Reads what it prints: a line of the pane, one for each client, then the log of the server, newest first, and its jobs. */
export function parseTmux(text: string): TmuxPane | null {
  const [first = '', ...lines] = text.split('\n');
  const [pane = '', window = '', session = '', pid = '', focusEvents, limit = '', mode] = first.split(' ');
  if (!pane || !window) return null; // no such pane
  const jobs = lines.flatMap((line) => JOB.exec(line)?.[1] ?? []).map(Number);
  const log = lines.filter((line) => !CLIENT_LINE.test(line) && !JOB.test(line) && line !== '');
  const reports = (tty: string): boolean => focusEvents === '1' && wasAsked(tty, log, Number(limit));
  const clients = lines.flatMap((line) => clientOf(line, reports));
  return { pane, window, session, pid: Number(pid), isCovered: mode === '1', jobs, clients };
}

const CLIENT_LINE = /^(\d+) (\S+) (\d+) (\d+) (%\d+) (@\d+) (\$\d+) (\S*) (0|1) (\S*)$/;
const JOB = /^Job \d+: .*\[fd=-?\d+, pid=(\d+), status=-?\d+\]$/;

function clientOf(line: string, reports: (tty: string) => boolean): TmuxClient[] {
  const [, pid, tty = '', activity, created, pane = '', window = '', session = '', flags = '', control, features = ''] =
    CLIENT_LINE.exec(line) ?? [];
  const flagged = flags.split(',');
  if (pid === undefined || control === '1' || flagged.includes('suspended')) return [];
  const focused = reports(tty) && features.split(',').includes('focus') ? flagged.includes('focused') : null;
  const times = { activity: Number(activity) * 1_000, created: Number(created) * 1_000 };
  return [{ pid: Number(pid), tty, ...times, pane, window, session, focused }];
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
