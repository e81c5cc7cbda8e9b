// Looks a waiting hook's ancestors up: it has its answer from us still to come, so it and its parents are there.
import type { Envelope } from '../ipc/envelope.ts';
import { ancestorsFrom, processEntry } from '../runtime/process-table.ts';

/** The envelope with its hook's ancestors, if the hook is a process of this machine and did not name them itself. */
export function withAncestors(envelope: Envelope): Envelope {
  const { origin } = envelope;
  if (origin.ancestors || processEntry(origin.pid)?.ppid !== origin.ppid) return envelope;
  return { ...envelope, origin: { ...origin, ancestors: ancestorsFrom(origin.ppid) } };
}
