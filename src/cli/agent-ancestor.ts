// Whether an agent runs this command: one of its processes is an ancestor of ours.
import { commandLines, listProcesses } from '../lib/processes.ts';
import type { Agent } from '../model/agent.ts';
import { INTERPRETER } from '../runtime/process-table.ts';
import { agentAmong, type JudgedProcess, judgedFrom } from '../runtime/running-agent.ts';

/** Steps upwards that are looked at. */
const MOST = 12;

/** Name of that agent; null: none is seen. */
export async function runningBelow(agents: readonly Agent[]): Promise<string | null> {
  const { platform, ppid } = process;
  const above = platform === 'linux' ? judgedFrom(ppid) : await listedAbove(platform, ppid);
  return agentAmong(agents, above)?.name ?? null;
}

/** Where there is no /proc: by the system's list, and the command lines of what runs scripts. */
async function listedAbove(platform: NodeJS.Platform, pid: number): Promise<readonly JudgedProcess[]> {
  const table = await listProcesses(platform);
  const found: { readonly pid: number; readonly name: string }[] = [];
  for (let next = table.get(pid); next && found.length < MOST; next = table.get(next.ppid)) {
    found.push(next);
    if (next.ppid === next.pid) break;
  }
  const scripts = found.filter(({ name }) => INTERPRETER.test(name)).map((one) => one.pid);
  const lines = await commandLines(platform, scripts).catch(() => new Map<number, never>());
  const isSplit = platform !== 'win32';
  return found.map(({ pid: one, name }) => ({ names: [name], words: lines.get(one) ?? null, cwd: null, isSplit }));
}
