// Which processes are above another one: by /proc on Linux, by the system's list elsewhere.
import { listProcesses } from '../lib/programs/processes.ts';
import type { Run } from '../presence/shared/detector.ts';
import { ancestorsFrom } from '../runtime/process-table.ts';
import type { Above, PlaceTools } from './place-kind.ts';

/** Most steps upwards. */
const MAX_STEPS = 16;

/** The one with this pid first; empty: it is gone, or there is no list. */
export async function processesAbove(pid: number, platform: NodeJS.Platform): Promise<readonly Above[]> {
  if (platform === 'linux') return ancestorsFrom(pid);
  const table = await listProcesses(platform).catch(() => new Map<number, never>());
  const found: Above[] = [];
  for (let next = table.get(pid); next && found.length < MAX_STEPS; next = table.get(next.ppid)) {
    found.push({ pid: next.pid, name: next.name });
    if (next.ppid === next.pid) break;
  }
  return found;
}

/** Whether `pid` is one of these processes, or runs below one of them. */
export async function runsBelow(
  pid: number | null,
  owners: readonly number[],
  { above }: Pick<PlaceTools, 'above'>,
): Promise<boolean> {
  return pid !== null && (await above(pid)).some((process) => owners.includes(process.pid));
}

/** The device of the terminal of a process, such as /dev/pts/3; null: it has none, or is gone. */
export async function terminalDevice(pid: number | null, run: Run): Promise<string | null> {
  const text = pid === null ? null : await run('ps', ['-o', 'tty=', '-p', String(pid)]);
  const name = text?.trim() ?? '';
  return /^(?:pts\/|tty)\w{1,16}$/.test(name) ? `/dev/${name}` : null;
}
