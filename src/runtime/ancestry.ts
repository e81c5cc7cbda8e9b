// A hook's ancestors and their terminal, in one walk: the daemon asks for both with each hook of the shell.
import { type Ancestor, ancestorOf, MOST_ANCESTORS, type ProcessEntry } from './process-table.ts';
import { nearestTerminal, upwardsFrom } from './terminal-of.ts';

/** Clients' own processes come with each of their hooks; what an interpreter runs takes two files more to read. */
const MOST_KNOWN = 200;

/** A process and its ancestors, the nearest first, with the path of their terminal, if any; no ancestors where they cannot be read. */
export interface Ancestry {
  readonly ancestors: readonly Ancestor[];
  readonly tty: string | null;
}

const known = new Map<string, Ancestor>();

/** Ancestry of the process with this pid, itself included. */
export function ancestryOf(pid: number): Ancestry {
  const entries = [...upwardsFrom(pid)];
  return { ancestors: entries.slice(0, MOST_ANCESTORS).map(knownOrNew), tty: nearestTerminal(entries) };
}

function knownOrNew(entry: ProcessEntry): Ancestor {
  const key = `${entry.pid} ${entry.start} ${entry.name}`;
  const found = known.get(key) ?? ancestorOf(entry);
  if (found.name === entry.name) return found;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, found);
  return found;
}
