// Who holds leases: a process of a machine, named so that another process there can tell that it has ended.
import { HERE } from '../../../model/session/whereabouts.ts';
import { isAlive, startTime } from '../../../runtime/process-table.ts';

/** `host:pid:start` of this process; the start is empty where the platform does not say. */
export function ownName(): string {
  return `${HERE.host}:${process.pid}:${startTime(process.pid) ?? ''}`;
}

/** Whether it is a process of this machine that has ended; of other machines' nothing is known, their leases run out. */
export function hasEnded(owner: string): boolean {
  const [, host, pid, start] = /^([\s\S]*):(\d+):([^:]*)$/.exec(owner) ?? [];
  return host === HERE.host && !isAlive(Number(pid), start === '' ? null : (start ?? null));
}
