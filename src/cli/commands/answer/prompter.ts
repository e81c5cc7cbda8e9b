// Asks a person one line on the terminal. What was typed before they could see what they are asked is thrown away.
import { createInterface } from 'node:readline/promises';
import { sleep } from '../../../lib/clock.ts';

/** Ms between what is shown and the prompt: keys of that time were meant for something else. */
const UNREAD = 300;
const CTRL_C = '\u0003';

/** The line without blanks around it; null: they have had enough (Ctrl-C, Ctrl-D, or the terminal is gone). */
export async function askLine(prompt: string): Promise<string | null> {
  if (!(await dropTyped())) return null;
  const { stdin: input, stdout: output } = process;
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  lines.once('SIGINT', () => ended.abort());
  try {
    return (await lines.question(prompt, { signal: ended.signal })).trim();
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    output.write('\n');
    return null;
  } finally {
    lines.close();
  }
}

/** False: they have pressed Ctrl-C, or nothing more can be typed. */
async function dropTyped(): Promise<boolean> {
  const { stdin } = process;
  stdin.setRawMode(true);
  let isOver = false;
  const drop = (typed: Buffer | string): void => {
    isOver ||= String(typed).includes(CTRL_C);
  };
  const end = (): void => {
    isOver = true;
  };
  stdin.on('data', drop).once('end', end);
  await sleep(UNREAD);
  stdin.off('data', drop).off('end', end).pause();
  stdin.setRawMode(false);
  return !isOver;
}
