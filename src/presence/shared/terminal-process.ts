// Which process is the terminal of a program, and whether it shows others as well: by /proc, so on Linux only.
import { readdirSync, readFileSync } from 'node:fs';
import { MOST_ASKED, processEntry, upwardsFrom } from '../../runtime/process-table.ts';

/** The terminal's own process, and how many terminals it shows: several are tabs or windows that cannot be distinguished by it. */
export interface TerminalProcess {
  readonly pid: number;
  readonly shows: number;
}

/** Of the program with this pid: its first ancestor on another terminal. Null where that cannot be read. */
export function terminalProcess(pid: number): TerminalProcess | null {
  let own = 0;
  for (const { pid: above, tty } of upwardsFrom(pid, MOST_ASKED)) {
    if (above === pid) own = tty;
    if (own === 0) return null;
    if (tty !== own) return { pid: above, shows: terminalsBelow(above, tty) };
  }
  return null;
}

/** Different terminals that the children of a process are on. */
function terminalsBelow(pid: number, except: number): number {
  const found = new Set<number>();
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
      for (const child of children.split(' ').filter(Boolean)) {
        const tty = processEntry(Number(child))?.tty ?? 0;
        if (tty !== 0 && tty !== except) found.add(tty);
      }
    }
  } catch {
    return Number.POSITIVE_INFINITY; // not readable: it may show any number
  }
  return found.size;
}
