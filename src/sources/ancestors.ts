// Finds the ancestors of a waiting hook: it still waits for our answer, so it and its parents are running.
import type { Envelope } from '../ipc/envelope.ts';
import { processEntry } from '../runtime/process-table.ts';
import { ancestryOf } from '../runtime/ancestry.ts';

/** The envelope with its hook's ancestors and their terminal, if the hook is a process of this machine and did not name them itself. */
export function withAncestors(envelope: Envelope): Envelope {
  const { origin } = envelope;
  if (origin.ancestors || processEntry(origin.pid)?.ppid !== origin.ppid) return envelope;
  const { ancestors, tty } = ancestryOf(origin.ppid);
  return { ...envelope, origin: { ...origin, ancestors, seen: true, ...(tty !== null && { tty }) } };
}
