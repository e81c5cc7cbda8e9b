// Finds the ancestors of a waiting hook: it still waits for our answer, so it and its parents are running.
import type { Envelope } from '../ipc/envelope.ts';
import {
  type Ancestor,
  ancestorOf,
  MOST_ASKED,
  MOST_NAMED,
  nearestTerminal,
  processEntry,
  upwardsFrom,
} from '../runtime/process-table.ts';

/** A process and its ancestors with the path of their terminal, if any, in one walk; no ancestors where they cannot be read. */
export function ancestryOf(pid: number): { readonly ancestors: readonly Ancestor[]; readonly tty: string | null } {
  const entries = upwardsFrom(pid, MOST_ASKED);
  return { ancestors: entries.slice(0, MOST_NAMED).map(ancestorOf), tty: nearestTerminal(entries) };
}

/** The envelope with its hook's ancestors and their terminal, if the hook is a process of this machine and did not name them itself. */
export function withAncestors(envelope: Envelope): Envelope {
  const { origin } = envelope;
  if (origin.ancestors || processEntry(origin.pid)?.ppid !== origin.ppid) return envelope;
  const { ancestors, tty } = ancestryOf(origin.ppid);
  return { ...envelope, origin: { ...origin, ancestors, seen: true, ...(tty !== null && { tty }) } };
}
