// Inspects processes: which ancestor of a hook is the client, and whether a client is still there.
import { listProcesses, type ProcessTable } from '../../lib/programs/processes.ts';
import type { ClientProcess } from '../../model/session/session.ts';
import type { Origin } from '../../ipc/envelope.ts';
import { isAlive } from '../../runtime/process-table.ts';

export interface ProcessInspector {
  /**
   * The nearest ancestor of this name that is alive here, or was seen alive here and is gone by now; null when there is none, or
   * nobody has seen it here: it runs on another host, in a container, or behind SSH.
   */
  findClient(origin: Origin, names: readonly string[]): Promise<ClientProcess | null>;
  /** Those that have exited. */
  findExited(processes: readonly ClientProcess[]): Promise<readonly ClientProcess[]>;
}

/** Those of a machine elsewhere that have exited; none while nobody can say. */
export type ExitedElsewhere = (where: string, processes: readonly ClientProcess[]) => Promise<readonly ClientProcess[]>;

/** A list made this recently (ms) is reused; most hooks of a busy moment share one. */
const CACHE_MS = 1_000;
const MAX_ANCESTORS = 12;

const plainName = (name: string): string => name.toLowerCase().replace(/\.exe$/, '');

/** By /proc on Linux, by the system's process list elsewhere. */
export function createProcessInspector(
  platform: NodeJS.Platform,
  host: string,
  now: () => number,
  elsewhere: ExitedElsewhere = async () => [],
): ProcessInspector {
  let listed: { readonly at: number; readonly table: Promise<ProcessTable> } | null = null;

  function table(): Promise<ProcessTable> {
    if (listed === null || Math.abs(now() - listed.at) > CACHE_MS)
      listed = { at: now(), table: listProcesses(platform) };
    return listed.table;
  }

  async function ancestors(origin: Origin): Promise<readonly ClientProcess[]> {
    if (origin.ancestors !== undefined) return origin.ancestors;
    if (platform === 'linux') return [];
    const all = await table().catch((): ProcessTable => new Map()); // no list: nothing can be seen
    const found: ClientProcess[] = [];
    for (let next = all.get(origin.ppid); next && found.length < MAX_ANCESTORS; next = all.get(next.ppid)) {
      found.push({ pid: next.pid, start: next.start, name: next.name });
      if (next.ppid === next.pid) break;
    }
    return found;
  }

  async function aliveHere(wanted: ClientProcess): Promise<boolean> {
    if (platform === 'linux') return isAlive(wanted.pid, wanted.start);
    return (await table()).get(wanted.pid)?.start === wanted.start;
  }

  return {
    findClient: async (origin, names) => {
      const { tty, remote } = origin;
      if (names.length === 0 || (remote === undefined && origin.host !== undefined && origin.host !== host))
        return null;
      const wanted = new Set(names.map(plainName));
      const all = await ancestors(origin);
      const at = all.findIndex((process) => wanted.has(plainName(process.name)));
      const found = all[at];
      if (found === undefined) return null;
      const parent = all[at + 1]?.pid;
      const client = { ...found, ...(parent !== undefined && { parent }), ...(tty !== undefined && { tty }) };
      if (remote !== undefined) return { ...client, where: remote }; // its relay saw it
      return origin.seen === true || (await aliveHere(client).catch(() => false)) ? client : null;
    },
    findExited: async (processes) => {
      const found: ClientProcess[] = [];
      for (const process of processes)
        if (process.where === undefined && !(await aliveHere(process))) found.push(process);
      for (const where of new Set(processes.flatMap((process) => process.where ?? [])))
        found.push(
          ...(await elsewhere(
            where,
            processes.filter((process) => process.where === where),
          )),
        );
      return found;
    },
  };
}
