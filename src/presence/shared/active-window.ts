// What an active window says of a session: the windows of all that show it are compared with the one that is active.
import { type Finding, looking, type Subject, type Viewer } from './detector.ts';
import { type TerminalProcess, terminalProcess } from './terminal-process.ts';

/** Whether it runs on this desktop, rather than at the other end of a connection. */
export const isHere = ({ env }: Viewer): boolean => !env['SSH_CONNECTION'];

/** A screen that is locked here shows the session to nobody, yet says nothing of whoever is connected from elsewhere and may be seeing it too. */
export const lockedFor = ({ viewers }: Pick<Subject, 'viewers'>, evidence: string): readonly Finding[] =>
  viewers.every(isHere) ? [{ about: 'locked', answer: 'yes', evidence }] : [looking('no', evidence)];

/** Within a multiplexer a process does not know which window shows it. */
const isNested = ({ env }: Viewer): boolean => Boolean(env['TMUX'] || env['STY'] || env['ZELLIJ_SESSION_NAME']);

export type TerminalOf = (pid: number) => TerminalProcess | null;

/** One that shows the session: whether the active window is its terminal's; null: that cannot be known. */
export type Compare = (viewer: Viewer, terminal: TerminalProcess | null) => boolean | null;

/** `no` needs every viewer's window to be another one; `yes` needs a window that shows nothing else. */
export function judgeWindows(
  viewers: readonly Viewer[],
  isActive: Compare,
  terminalOf: TerminalOf = terminalProcess,
): Finding {
  let known = viewers.length > 0;
  for (const viewer of viewers) {
    const terminal = viewer.pid === null ? null : terminalOf(viewer.pid);
    const active = isHere(viewer) && !isNested(viewer) ? isActive(viewer, terminal) : null;
    if (active === true && terminal?.shows === 1) return looking('yes', 'its window is the active one');
    if (active !== false) known = false;
  }
  if (known) return looking('no', 'another window is the active one');
  return looking('unknown', 'the active window does not show which session you look at');
}
