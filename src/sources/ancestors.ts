// Finds the ancestors of a waiting hook: it still waits for our answer, so it and its parents are running.
import type { Envelope } from '../ipc/envelope.ts';
import { ancestorsFrom, processEntry } from '../runtime/process-table.ts';
import { terminalOf } from '../runtime/terminal-of.ts';

/** The envelope with its hook's ancestors and their terminal, if the hook is a process of this machine and did not name them itself. */
export function withAncestors(envelope: Envelope): Envelope {
  const { origin } = envelope;
  if (origin.ancestors || processEntry(origin.pid)?.ppid !== origin.ppid) return envelope;
  const tty = terminalOf(origin.ppid);
  const found = { ancestors: ancestorsFrom(origin.ppid), seen: true, ...(tty !== null && { tty }) } as const;
  return { ...envelope, origin: { ...origin, ...found } };
}
