// Runs a program to its end within bounded time; what is still running of it then, its children too, is ended.
import { spawn } from 'node:child_process';

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
}

/** How it ended. */
export interface ProgramResult {
  /** 0 to 255; null: it could not be started, was ended by a signal or took too long. */
  readonly code: number | null;
  readonly timedOut: boolean;
  readonly stdout: string;
}

/** Most bytes kept of what it prints. */
const MOST = 128 * 1024;
/** After the program has ended, a child of it may keep its output open: what was printed has come by then, ms. */
const DRAIN = 200;

/** Never throws. A program that leaves a child behind is not waited for; the child is ended only when the time is up. */
export function runProgram({ program, args, env, cwd, input, limit }: ProgramCall): Promise<ProgramResult> {
  const group = process.platform !== 'win32';
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let timedOut = false;
    let drain: NodeJS.Timeout | undefined;
    const script = !group && /\.(?:cmd|bat)$/i.test(program); // Windows starts these through its shell only
    const child = spawn(script ? `"${program}"` : program, [...args], {
      shell: script,
      ...(env ? { env: { ...env } } : {}),
      ...(cwd === undefined ? {} : { cwd }),
      detached: group, // its own process group, so that all of it can be ended
      windowsHide: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
    });
    const end = (code: number | null): void => {
      clearTimeout(timer);
      clearTimeout(drain);
      child.stdout?.destroy();
      resolve({ code, timedOut, stdout: Buffer.concat(chunks).toString('utf8') });
    };
    const timer = setTimeout(() => {
      timedOut = true;
      killAll(child.pid, group);
      end(null);
    }, limit);
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= MOST) chunks.push(chunk);
    });
    child.stdin?.on('error', () => undefined); // it may end before it has read all
    child.stdin?.end(input);
    child.on('error', () => end(null));
    child.on('exit', (code) => {
      drain = setTimeout(() => end(code), DRAIN);
    });
    child.on('close', (code) => end(code));
  });
}

function killAll(pid: number | undefined, group: boolean): void {
  if (pid === undefined) return;
  try {
    process.kill(group ? -pid : pid, 'SIGKILL');
  } catch {
    // it has just ended
  }
}
