// Which terminal a process is on, by /proc: hooks are often started without one, so their ancestors are asked.
import { readFileSync } from 'node:fs';

/** Most ancestors that are looked at. */
const MOST = 24;

/** What /proc says of a process. */
export interface ProcessStat {
  readonly ppid: number;
  /** Device number of the controlling terminal; 0: none. */
  readonly tty: number;
}

/** Null: it is gone, or there is no such platform. */
export function processStat(pid: number): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { ppid: Number(fields[1]), tty: Number(fields[4]) };
  } catch {
    return null;
  }
}

/** Path of the terminal of this process, or of its nearest ancestor that has one; null: none, or it cannot be read. */
export function terminalOf(pid: number): string | null {
  let next = pid;
  for (let step = 0; step < MOST && next > 1; step++) {
    const stat = processStat(next);
    if (stat === null) return null;
    if (stat.tty !== 0) return terminalPath(stat.tty);
    next = stat.ppid;
  }
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
