// Runs the built programs as a user would: real processes, a HOME and BELFRY_HOME of their own, nothing inherited by chance.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from './wait.ts';

const dist = new URL('../../dist/', import.meta.url).pathname;
export const BELFRY = join(dist, 'belfry.js');
export const HOOK = join(dist, 'belfry-hook.cjs');

/** How a process ended. */
export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface RunOptions {
  readonly env?: Record<string, string | undefined>;
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
  /** Ms; the process is killed after it. */
  readonly limit?: number;
  /** Called with all of standard error so far, each time more comes. */
  readonly onStderr?: (text: string) => void;
}

/** An environment with only what a program needs: no desktop, no automatic start, no variable of whoever runs the tests. */
export function bareEnv(home: string, more: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: home,
    BELFRY_HOME: home,
    BELFRY_NO_AUTOSTART: '1',
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
  };
  for (const [name, value] of Object.entries(more)) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  return env;
}

/** Runs a program to its end. */
export function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  options: RunOptions = {},
): Promise<Ran> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { env, cwd: options.cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const timer = setTimeout(() => child.kill('SIGKILL'), options.limit ?? 60_000);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      err.push(chunk);
      options.onStderr?.(Buffer.concat(err).toString());
    });
    child.stdin.on('error', () => undefined); // a program may end before it has read all: that is its right
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({
        code,
        signal,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
        ms: performance.now() - began,
      });
    });
    child.stdin.end(options.input ?? '');
  });
}

/** `belfry ARGS` in this home. */
export function belfry(home: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(process.execPath, [BELFRY, ...args], bareEnv(home, options.env), options);
}

/** `belfry-hook ARGS` in this home with this input. */
export function hook(
  home: string,
  input: string | Uint8Array,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<Ran> {
  return run(process.execPath, [HOOK, ...args], bareEnv(home, options.env), { ...options, input });
}

/** A daemon in the foreground, ready; killed when the test has finished. */
export interface RunningDaemon {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Ends it and waits. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Ends the daemon that has taken the place of a home's first one, as `belfry restart` leaves it: no test has it as its child. */
function endSuccessor(home: string): void {
  try {
    const { pid } = JSON.parse(readFileSync(join(home, 'run', 'daemon.json'), 'utf8')) as { pid: number };
    const isOurs = process.platform !== 'linux' || readFileSync(`/proc/${pid}/environ`, 'utf8').includes(home);
    if (isOurs) process.kill(pid, 'SIGKILL');
  } catch {
    // there is none, or it has ended
  }
}

/** Starts `belfry daemon` and waits until run/daemon.json names its pid. `through`: a program, with arguments, that becomes it. */
export async function startDaemon(
  home: string,
  options: { env?: Record<string, string | undefined>; owned?: boolean; through?: readonly string[] } = {},
): Promise<RunningDaemon> {
  const [program = '', ...args] = [...(options.through ?? []), process.execPath, BELFRY, 'daemon'];
  const child = spawn(program, args, {
    env: bareEnv(home, options.env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const complaints: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await closed;
  };
  if (options.owned !== false)
    onTestFinished(async () => {
      await stop('SIGKILL');
      endSuccessor(home);
    });
  await until(
    () => {
      if (child.exitCode !== null)
        throw new Error(`the daemon ended with ${child.exitCode}: ${Buffer.concat(complaints).toString()}`);
      try {
        return (
          (JSON.parse(readFileSync(join(home, 'run', 'daemon.json'), 'utf8')) as { pid: number }).pid === child.pid
        );
      } catch {
        return false; // not written yet
      }
    },
    'the daemon to be ready',
    120_000,
  );
  return { process: child, pid: child.pid ?? 0, stop };
}
