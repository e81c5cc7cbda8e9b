// The processes above a hook that waits for us.
import type { Origin } from '../../../ipc/envelope.ts';
import { ancestorsFrom, processEntry } from '../../../runtime/process-table.ts';

/** The hook waits for us, so it and its parents are running. */
export function withAncestors(origin: Origin): Origin {
  const { pid, ppid, remote } = origin;
  if (remote !== undefined) return origin; // its relay has named them
  return processEntry(pid)?.ppid === ppid ? { ...origin, ancestors: ancestorsFrom(ppid), seen: true } : origin;
}
