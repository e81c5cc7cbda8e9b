// Who runs: a process's start time (to recognize a reused pid) and its ancestors, where the platform lets us read them cheaply.
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Processes on the way up that are asked for their terminal, at most. */
export const MOST_ASKED = 24;

/** Path of the terminal of this process, or of its nearest ancestor that has one; null: none, or it cannot be read. */
export const terminalOf = (pid: number): string | null => nearestTerminal(upwardsFrom(pid, MOST_ASKED));

/** The first of these terminals. */
export function nearestTerminal(entries: readonly ProcessEntry[]): string | null {
  for (const { tty } of entries) if (tty !== 0) return terminalPath(tty);
  return null;
}

/** Majors of Linux (Documentation/admin-guide/devices.txt): consoles, and the eight of pseudo terminals. */
const CONSOLES = 4;
const [FIRST_PTS, LAST_PTS] = [136, 143];
const MOST_CONSOLES = 64;

/** The path of a device number; null: it is no terminal of a person. */
export function terminalPath(device: number): string | null {
  const major = (device >>> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  if (major >= FIRST_PTS && major <= LAST_PTS) return `/dev/pts/${(major - FIRST_PTS) * 256 + minor}`;
  return major === CONSOLES && minor < MOST_CONSOLES ? `/dev/tty${minor}` : null;
}

/** One process as /proc shows it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly ppid: number;
  /** Clock ticks since boot, as text. */
  readonly start: string;
  readonly name: string;
  /** Device number of the controlling terminal; 0: none. */
  readonly tty: number;
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
    return {
      pid,
      ppid: Number(fields[1]),
      start,
      name: text.slice(text.indexOf('(') + 1, close),
      tty: Number(fields[4]),
    };
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

/** A process and its ancestors, the nearest first, at most so many and as far as they can be read; empty where that is not cheap. */
export function upwardsFrom(pid: number, most: number): ProcessEntry[] {
  const entry = pid > 1 && most > 0 ? processEntry(pid) : null;
  return entry === null ? [] : [entry, ...upwardsFrom(entry.ppid, most - 1)];
}

/** By the name that says what runs. */
export const ancestorOf = (entry: ProcessEntry): Ancestor => ({
  pid: entry.pid,
  start: entry.start,
  name: scriptName(entry),
});

/** Ancestors that an envelope has, at most. */
export const MOST_NAMED = 12;

/** From `pid` upwards to the first process or twelve steps; empty where it cannot be read cheaply. */
export const ancestorsFrom = (pid: number): Ancestor[] => upwardsFrom(pid, MOST_NAMED).map(ancestorOf);

/** Programs that run others: their own name says nothing. Newer versions of Node call their main thread so. */
export const INTERPRETER = /^(?:node|bun|deno|python|MainThread)/;
/** `/usr/bin/qwen` is qwen, `.../copilot/dist/index.js` is copilot: many packages call their first file so, and its folder. */
const GENERIC = /^(?:|dist|bin|lib|bundle|(?:index|main|cli)(?:\.[cm]?[jt]s)?)$/;

/** The last part of a path that says something; undefined: none does. */
export const lastNamedPart = (parts: readonly string[]): string | undefined =>
  parts
    .filter((part) => !GENERIC.test(part))
    .at(-1)
    ?.replace(/\.[cm]?[jt]s$/, '');

/** A process may have its interpreter's name, or its thread's: then its executable says more, or the script that it runs. */
function scriptName({ pid, name }: ProcessEntry): string {
  if (!INTERPRETER.test(name)) return name;
  try {
    const program = basename(readlinkSync(`/proc/${pid}/exe`));
    if (!INTERPRETER.test(program)) return program.slice(0, 64);
    const [, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const script = args.find((arg) => arg && !arg.startsWith('-'));
    return lastNamedPart(script?.slice(-512).split('/') ?? [])?.slice(0, 64) ?? program;
  } catch {
    return name; // gone in between
  }
}
