// Whether an agent runs this command: one of its processes is an ancestor of ours.
import { listProcesses } from '../lib/processes.ts';
import type { Agent } from '../model/agent.ts';
import { ancestorsFrom } from '../runtime/process-table.ts';

/** Steps upwards that are looked at. */
const MOST = 12;

/** Name of that agent; null: none is seen. */
export async function runningBelow(agents: readonly Agent[]): Promise<string | null> {
  const names = process.platform === 'linux' ? ancestorsFrom(process.ppid).map(({ name }) => name) : await listed();
  const found = new Set(names.map((name) => name.toLowerCase().replace(/\.exe$/, '')));
  return agents.find((agent) => agent.processNames.some((name) => found.has(name.toLowerCase())))?.name ?? null;
}

async function listed(): Promise<readonly string[]> {
  const table = await listProcesses(process.platform);
  const names: string[] = [];
  for (let next = table.get(process.ppid); next && names.length < MOST; next = table.get(next.ppid)) {
    names.push(next.name);
    if (next.ppid === next.pid) break;
  }
  return names;
}
