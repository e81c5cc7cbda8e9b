// Who runs: a process's start time (to recognize a reused pid) and its ancestors, where the platform lets us read them cheaply.
import { readFileSync, readlinkSync } from 'node:fs';

/** One process as /proc shows it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly ppid: number;
  /** Clock ticks since boot, as text. */
  readonly start: string;
  readonly name: string;
}

/** Null when there is no such process or the platform has no /proc. */
export function processEntry(pid: number): ProcessEntry | null {
  if (process.platform !== 'linux') return null;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const close = text.lastIndexOf(')');
    const fields = text.slice(close + 2).split(' ');
    const state = fields[0];
    const start = fields[19];
    if (!start || state === 'Z') return null;
    return { pid, ppid: Number(fields[1]), start, name: text.slice(text.indexOf('(') + 1, close) };
  } catch {
    return null; // gone
  }
}

/** Start time of a process; null when it is gone or the platform does not say cheaply. */
export function startTime(pid: number): string | null {
  return processEntry(pid)?.start ?? null;
}

/** Whether the process with this pid, and this start time where known, is there. */
export function isAlive(pid: number, start: string | null): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  if (process.platform === 'linux') {
    const found = processEntry(pid);
    return found !== null && (start === null || found.start === start);
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // there, but another user's
  }
}

/** One of a hook's ancestors, as the envelope has it. */
export interface Ancestor {
  readonly pid: number;
  readonly start: string;
  readonly name: string;
}

/** From `pid` upwards to the first process or twelve steps; empty where it cannot be read cheaply. */
export function ancestorsFrom(pid: number): Ancestor[] {
  const found: Ancestor[] = [];
  for (let next = pid; next > 1 && found.length < 12; ) {
    const entry = processEntry(next);
    if (!entry) break;
    found.push({ pid: entry.pid, start: entry.start, name: scriptName(entry) });
    next = entry.ppid;
  }
  return found;
}

/** Programs that run others: their own name says nothing. Newer versions of Node call their main thread so. */
const INTERPRETER = /^(?:node|bun|deno|python|MainThread)/;
/** Files that packages call so, whatever they are. */
const ENTRY = /^(?:index|main|cli)$/;
/** Folders in which they lie. */
const INNER = /^(?:dist|bin|lib|bundle)$/;

/** A process may have its interpreter's name, or its thread's: then its executable says more, or the script that it runs. */
function scriptName(entry: ProcessEntry): string {
  if (!INTERPRETER.test(entry.name)) return entry.name;
  try {
    const program = fileName(readlinkSync(`/proc/${entry.pid}/exe`));
    if (!INTERPRETER.test(program)) return program.slice(0, 64);
    const [, ...args] = readFileSync(`/proc/${entry.pid}/cmdline`, 'utf8').split('\0');
    return nameOfScript(args.find((arg) => arg && !arg.startsWith('-')))?.slice(0, 64) ?? program;
  } catch {
    return entry.name; // gone in between
  }
}

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `/usr/bin/qwen` is qwen, `.../copilot/dist/index.js` is copilot. */
function nameOfScript(path: string | undefined): string | null {
  if (path === undefined) return null;
  const parts = path.split('/').filter((part) => part !== '');
  const own = parts.pop()?.replace(/\.[cm]?[jt]s$/, '') ?? '';
  if (!ENTRY.test(own)) return own === '' ? null : own;
  return parts.findLast((part) => !INNER.test(part)) ?? own;
}
