// Runs a program to its end within bounded time; what is still running of it then, its children too, is ended.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { locateProgram } from './local-program.ts';

/** What to run. */
export interface ProgramCall {
  readonly program: string;
  /** Plain words: for a Windows script they are not quoted. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Text for its standard input; none: it is closed. */
  readonly input?: string;
  /** Longest time, ms. */
  readonly limit: number;
  /** Ends it, as if the time were up. */
  readonly signal?: AbortSignal;
}

/** How it ended. */
export interface ProgramResult {
  /** 0 to 255; null: it could not be started, was ended by a signal or took too long. */
  readonly code: number | null;
  readonly timedOut: boolean;
  /** Ended by the caller's signal. */
  readonly cancelled: boolean;
  /** Why it could not be started, as Node's error code; null: it was. */
  readonly fault: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Most bytes kept of what it prints, to each of the two. */
const MAX_BYTES = 128 * 1024;
/** After the program has ended, a child of it may keep its output open: what was printed has come by then, ms. */
const DRAIN = 200;

/** Never throws. A program that leaves a child behind is not waited for; the child is ended only when the time is up. */
export async function runProgram(call: ProgramCall): Promise<ProgramResult> {
  const nothing = { code: null, timedOut: false, cancelled: false, fault: null, stdout: '', stderr: '' };
  if (call.signal?.aborted) return { ...nothing, cancelled: true };
  try {
    return await ended(start(await shielded(call)), call);
  } catch (error) {
    return { ...nothing, fault: faultOf(error) }; // a NUL in a word or a variable
  }
}

/** What lies on a file system that may hang is entered and looked for by a shell: only that would hang. */
async function shielded(call: ProgramCall): Promise<ProgramCall> {
  const { args, env = process.env, cwd } = call;
  const { program, isHere } = await locateProgram({ program: call.program, cwd, path: env['PATH'] ?? '' });
  if (isHere) return { ...call, program };
  return { ...call, program: '/bin/sh', args: ['-c', ENTER, 'sh', cwd ?? '/', program, ...args], cwd: '/' };
}

/** 127, as for a program that is not there. */
const ENTER = 'cd -- "$1" || exit 127; shift; exec "$@"';

const hasGroups = process.platform !== 'win32';

function start({ program, args, env, cwd, input }: ProgramCall): ChildProcess {
  const script = !hasGroups && /\.(?:cmd|bat)$/i.test(program); // Windows starts these through its shell only
  return spawn(script ? `"${program}"` : program, [...args], {
    shell: script,
    ...(env ? { env: { ...env } } : {}),
    ...(cwd === undefined ? {} : { cwd }),
    detached: hasGroups, // its own process group, so that all of it can be ended
    windowsHide: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
}

function ended(child: ChildProcess, { input, limit, signal }: ProgramCall): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const stdout = keepBeginning(child.stdout);
    const stderr = keepBeginning(child.stderr);
    let drain: NodeJS.Timeout | undefined;
    const end = (how: Partial<ProgramResult>): void => {
      clearTimeout(timer);
      clearTimeout(drain);
      signal?.removeEventListener('abort', cancel);
      const printed = { stdout: stdout(), stderr: stderr() };
      resolve({ code: null, timedOut: false, cancelled: false, fault: null, ...printed, ...how });
    };
    const kill = (how: Partial<ProgramResult>): void => {
      killAll(child.pid);
      end(how);
    };
    const cancel = (): void => kill({ cancelled: true });
    const timer = setTimeout(() => kill({ timedOut: true }), limit);
    signal?.addEventListener('abort', cancel, { once: true });
    child.stdin?.on('error', () => undefined); // it may end before it has read all
    child.stdin?.end(input);
    child.on('error', (error) => end({ fault: faultOf(error) }));
    child.on('exit', (code) => {
      drain = setTimeout(() => end({ code }), DRAIN);
    });
    child.on('close', (code) => end({ code }));
  });
}

/** Reads to the end, keeps the beginning; calling the result ends the reading. */
function keepBeginning(stream: Readable | null): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size <= MAX_BYTES) chunks.push(chunk);
  });
  return () => {
    stream?.destroy();
    return Buffer.concat(chunks).toString('utf8');
  };
}

function faultOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
}

function killAll(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(hasGroups ? -pid : pid, 'SIGKILL');
  } catch {
    // it has just ended
  }
}
