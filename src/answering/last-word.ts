// Why somebody who waited has left on their own: code inside a client says so, a hook does not.
import { LAST_WORDS, type LastWord } from '../ipc/ask.ts';
import { AT_TERMINAL } from '../model/terminal-only.ts';
import type { Asked } from './wait.ts';

const MEANING: Readonly<Record<LastWord, string>> = {
  answered: AT_TERMINAL,
  prompted: 'it got a prompt at its terminal',
  ended: 'its session ended',
};

/** `word`: as it came, of any form. Null: it did not say. */
export function lastWordOf({ answering }: Asked, word: unknown): string | null {
  if (answering.inside === undefined) return null;
  const known = LAST_WORDS.find((one) => one === word);
  // It says why it leaves as long as it runs.
  return known === undefined ? 'the agent no longer waits' : MEANING[known];
}
