// The processes by which it is judged whether an agent runs a command: those above it, and where one of those is lost, who shares its session.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { commandLines, environments, listProcesses } from '../lib/programs/processes.ts';
import { INTERPRETER, isAlive, processEntry, type ProcessEntry, upwardsFrom } from '../runtime/process-table.ts';
import type { JudgedProcess } from './agent-of-process.ts';

/** Steps upwards that are looked at: shells within shells are cheap to make. */
const MOST_ABOVE = 64;
/** Of one session, at most so many are looked at. */
const MOST_MATES = 256;
/** Processes looked at in one turn of the loop. */
const IN_ONE_TURN = 50;

/** The process with this pid first; empty: it is gone. Rejects where the system's list cannot be had. */
export async function processesAround(pid: number, platform = process.platform): Promise<readonly JudgedProcess[]> {
  return platform === 'linux' ? aroundByProc(pid) : aroundByList(pid, platform);
}

/** A background job whose shell has left is below nobody, and stays in the session that it was started in. */
async function aroundByProc(pid: number): Promise<readonly JudgedProcess[]> {
  const above = upwardsFrom(pid, MOST_ABOVE);
  const session = sessionOf(pid);
  if (session === 0 || above.some((one) => one.pid === session)) return above.map(judgedByProc);
  const leading = [...above, ...upwardsFrom(session, MOST_ABOVE)];
  const known = new Set(leading.map((one) => one.pid));
  const mates = (await matesOf(session)).filter((one) => !known.has(one.pid));
  return [...leading.map(judgedByProc), ...mates.flatMap(judgedIfThere)];
}

/** Nothing of one that has exited meanwhile: what it was cannot be seen, and it runs nothing any more. */
function judgedIfThere(mate: ProcessEntry): readonly JudgedProcess[] {
  const judged = judgedByProc(mate);
  return judged.words === null && !isAlive(mate.pid, mate.start) ? [] : [judged];
}

/** Pid of the leader of a process's session, who may be gone; 0: it has none, or the process is gone. Not in the table that hooks bring along. */
function sessionOf(pid: number): number {
  const text = orNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[3] ?? 0);
}

async function matesOf(session: number): Promise<readonly ProcessEntry[]> {
  const mates: ProcessEntry[] = [];
  const pids = readdirSync('/proc').map(Number).filter(Number.isSafeInteger);
  for (const [index, pid] of pids.entries()) {
    if (index % IN_ONE_TURN === IN_ONE_TURN - 1) await nextTurn();
    const entry = sessionOf(pid) === session ? processEntry(pid) : null;
    if (entry !== null) mates.push(entry);
    if (mates.length === MOST_MATES) break;
  }
  return mates;
}

function judgedByProc({ pid, name }: ProcessEntry): JudgedProcess {
  const program = orNull(() => basename(readlinkSync(`/proc/${pid}/exe`)));
  const strings = (file: string): readonly string[] | null =>
    orNull(() => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').slice(0, -1));
  return {
    names: program === null ? [name] : [name, program],
    words: strings('cmdline'),
    cwd: orNull(() => readlinkSync(`/proc/${pid}/cwd`)),
    variables: strings('environ'),
  };
}

/** Null: the process is gone, or another user's. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Where there is no /proc: those above, with the command lines of what runs scripts, and with environments where the system shows them. */
async function aroundByList(pid: number, platform: NodeJS.Platform): Promise<readonly JudgedProcess[]> {
  const table = await listProcesses(platform);
  const found: { readonly pid: number; readonly name: string }[] = [];
  for (let next = table.get(pid); next && found.length < MOST_ABOVE; next = table.get(next.ppid)) {
    found.push(next);
    if (next.ppid === next.pid) break;
  }
  const pids = found.map((one) => one.pid);
  const scripts = found.filter(({ name }) => INTERPRETER.test(name)).map((one) => one.pid);
  const none = new Map<number, never>();
  const [lines, variables] = await Promise.all([
    commandLines(platform, scripts).catch(() => none),
    environments(platform, pids).catch(() => none),
  ]);
  return found.map(({ pid: one, name }) => ({
    names: [name],
    words: lines.get(one) ?? null,
    cwd: null,
    isSplit: platform !== 'win32',
    variables: variables.get(one) ?? null,
  }));
}
