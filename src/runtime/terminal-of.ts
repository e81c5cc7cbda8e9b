// Which terminal a process is on, by /proc: hooks are often started without one, so their ancestors are asked.
import { type ProcessEntry, upwardsFrom } from './process-table.ts';

/** Processes on the way up that are asked for their terminal, at most. */
export const MOST_ASKED = 24;

/** Path of the terminal of this process, or of its nearest ancestor that has one; null: none, or it cannot be read. */
export const terminalOf = (pid: number): string | null => nearestTerminal(upwardsFrom(pid, MOST_ASKED));

/** The first of these terminals. */
export function nearestTerminal(entries: readonly ProcessEntry[]): string | null {
  for (const { tty } of entries) if (tty !== 0) return terminalPath(tty);
  return null;
}

/** Majors of Linux (Documentation/admin-guide/devices.txt): consoles, and the eight of pseudo terminals. */
const CONSOLES = 4;
const [FIRST_PTS, LAST_PTS] = [136, 143];
const MOST_CONSOLES = 64;

/** The path of a device number; null: it is no terminal of a person. */
export function terminalPath(device: number): string | null {
  const major = (device >>> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  if (major >= FIRST_PTS && major <= LAST_PTS) return `/dev/pts/${(major - FIRST_PTS) * 256 + minor}`;
  return major === CONSOLES && minor < MOST_CONSOLES ? `/dev/tty${minor}` : null;
}
