// Runs a built program on a terminal of its own (util-linux's `script`) and types what a person would, after what they would wait for.
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { until } from './wait.ts';

export const KEYS = { enter: '\r', space: ' ', down: '\u001b[B', up: '\u001b[A', cancel: '\u0003' } as const;

/** What has to be on the screen since the last step, and what is typed then; or what happens elsewhere before. */
export type Step = readonly [see: string, type: string | (() => Promise<string>)];

/** How it ended, and all that was on the screen, without control sequences. */
export interface TerminalRun {
  readonly code: number | null;
  readonly screen: string;
}

/** Ends when the program does. */
export async function onTerminal(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  steps: readonly Step[],
  columns = 80,
): Promise<TerminalRun> {
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 40; exec ${quoted}`, '/dev/null'], {
    env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: 'pipe',
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += stripVTControlCharacters(text);
  });
  child.stdin.on('error', () => undefined); // it may have ended before the last key
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
  try {
    let from = 0;
    for (const [see, type] of steps) {
      await until(() => child.exitCode !== null || screen.includes(see, from), `"${see}" on the screen`, 30_000);
      from = screen.length;
      const keys = typeof type === 'string' ? type : await type();
      for (const key of keys.split(/(?=[\r ])|(?<=[\r ])|(?=\u001b)|(?<=\u001b\[B)/)) child.stdin.write(key);
    }
    return { code: await ended, screen };
  } catch (error) {
    throw new Error(`nothing of the kind came after:\n${screen.slice(-2_000)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}
