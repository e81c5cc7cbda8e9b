// A client in a terminal: a tmux server of its own, with keys to send and a screen to read.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { isAlive } from '../../src/runtime/process-table.ts';
import { until } from '../support/wait.ts';

const execute = promisify(execFile);

/** For what a client draws, ms; several of half a gigabyte run at once. */
const LIMIT = 240_000;

/** Ms that a dialog is given for one key, and how often it is pressed. */
const PATIENCE = 15_000;
const MOST_TIMES = 8;

/** Ms between a line and its Enter, as with a person: what comes within 30 ms is part of a paste to Gemini. */
const PAUSE = 120;

/** What clients say while they work. */
const WORKS = /esc (?:to )?(?:interrupt|cancel)/i;
/** Whether a screen says nothing of work that a key would stop; some dialogs say it too. */
export const isIdle = (screen: string): boolean => !WORKS.test(screen);
/** Looks at a screen that is the same each time. */
const STILL = 8;

/** One terminal of 120 by 50. */
export interface Terminal {
  /** Keys as tmux names them, or text as it is typed. */
  keys(...keys: readonly string[]): Promise<void>;
  /** Types a line, waits until the screen shows it once more than before, and presses Enter; `patience`: ms after which it is typed again, once. */
  enter(line: string, patience?: number): Promise<void>;
  /** Presses a key until the screen shows that it was taken: on a busy machine a dialog is drawn before it takes keys. */
  press(key: string, taken: (screen: string) => boolean): Promise<void>;
  screen(): Promise<string>;
  /** Waits until the screen is such a one and changes no more. */
  rests(isSuch: (screen: string) => boolean): Promise<void>;
  /** Waits until the screen shows it. */
  shows(what: string | RegExp, limit?: number): Promise<string>;
  /** Pid of the program in it. */
  pid(): Promise<number>;
  /** Waits until the program has ended. */
  ended(limit: number): Promise<void>;
  /** Ends the terminal and what runs in it. */
  close(): Promise<void>;
}

/** Starts `command` in a new terminal; ended when the running test has finished. */
export async function openTerminal(
  folder: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Terminal> {
  const socket = join(folder, `tmux-${Date.now()}`);
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await execute('tmux', ['-f', '/dev/null', '-S', socket, ...args], { env: { ...env, TERM: 'xterm-256color' } }))
      .stdout;
  await tmux('new-session', '-d', '-s', 'main', '-x', '120', '-y', '50', '-c', cwd, ...command);
  const pid = async (): Promise<number> => Number(await tmux('list-panes', '-t', 'main', '-F', '#{pane_pid}'));
  const client = await pid();
  const close = async (): Promise<void> => {
    await tmux('kill-server').catch(() => undefined); // ended before
    await until(() => !isAlive(client, null), 'the program in the terminal to end');
  };
  onTestFinished(close);
  const screen = (): Promise<string> => tmux('capture-pane', '-p', '-t', 'main');
  return {
    keys: async (...keys) => void (await tmux('send-keys', '-t', 'main', ...keys)),
    enter: async (line, patience = LIMIT) => {
      const times = async (): Promise<number> => (await screen()).split(line).length;
      const before = await times();
      const type = () => tmux('send-keys', '-t', 'main', '-l', line);
      const typed = (limit: number): Promise<boolean> =>
        until(async () => (await times()) > before, 'the line', limit).catch(() => false);
      await type();
      // On a busy machine a prompt is drawn before it takes keys.
      if (!(await typed(patience))) {
        await tmux('send-keys', '-t', 'main', 'C-u');
        await type();
        if (!(await typed(LIMIT))) throw new Error(`"${line}" cannot be typed; the screen shows:\n${await screen()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      await tmux('send-keys', '-t', 'main', 'Enter');
    },
    press: async (key, taken) => {
      for (let time = 1; time <= MOST_TIMES; time++) {
        await tmux('send-keys', '-t', 'main', key);
        if (await until(async () => taken(await screen()), 'the key to be taken', PATIENCE).catch(() => false)) return;
      }
      throw new Error(`${key} is not taken; the screen shows:\n${await screen()}`);
    },
    screen,
    rests: async (isSuch) => {
      let last = '';
      let same = 0;
      const isStill = async (): Promise<boolean> => {
        const now = await screen();
        same = now === last && isSuch(now) ? same + 1 : 0;
        last = now;
        return same >= STILL;
      };
      await until(isStill, 'the screen to rest', LIMIT).catch((error: Error) => {
        throw new Error(`${error.message}; it shows:\n${last}`);
      });
    },
    shows: async (what, limit = LIMIT) => {
      let last = '';
      const has = async (): Promise<boolean> => {
        last = await screen();
        return typeof what === 'string' ? last.includes(what) : what.test(last);
      };
      await until(has, `"${String(what)}" on the screen`, limit).catch((error: Error) => {
        throw new Error(`${error.message}; it shows:\n${last}`);
      });
      return last;
    },
    pid,
    ended: async (limit) => {
      await until(() => !isAlive(client, null), 'the program to end', limit).catch(async (error: Error) => {
        throw new Error(`${error.message}; it shows:\n${await screen()}`);
      });
    },
    close,
  };
}
