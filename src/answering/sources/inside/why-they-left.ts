// What those who waited say as they leave: why they do, and how far an answer got that they were given.
import { HANDED_WORDS, type HandedWord, LAST_WORDS, type LastWord } from '../../../ipc/ask.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Handed } from '../../../model/question/answering.ts';
import type { Ending } from '../../../model/question/endings.ts';

const MEANING: Readonly<Record<LastWord, Ending>> = {
  answered: 'at-terminal',
  prompted: 'prompted',
  ended: 'session-ended',
};

/** Why code inside a client leaves, which says so as long as it runs. `word`: as it came, of any form. */
export function endingOfWord(word: unknown): Ending {
  const known = LAST_WORDS.find((one) => one === word);
  return known === undefined ? 'left' : MEANING[known];
}

/** Ms within which one that was given an answer says what became of it; a machine may be busy, and somebody waits to hear. */
const SAYS = 5_000;

/** A reason to leave that crossed the answer on its way says that nobody took that. */
const HANDED: Readonly<Record<LastWord | HandedWord, Handed>> = {
  taken: 'taken',
  late: 'late',
  unsent: 'unsent',
  answered: 'late',
  prompted: 'late',
  ended: 'unsent',
};

/** How far an answer got that was just sent to whoever leaves with `gone`. */
export function handedTo(gone: AbortSignal, clock: Pick<Clock, 'setTimer'>): Promise<Handed> {
  return new Promise((resolve) => {
    const said = (): void => {
      cancel();
      const word = [...LAST_WORDS, ...HANDED_WORDS].find((one) => one === gone.reason);
      resolve(word === undefined ? 'unconfirmed' : HANDED[word]);
    };
    const cancel = clock.setTimer(SAYS, () => {
      gone.removeEventListener('abort', said);
      resolve('unconfirmed');
    });
    gone.addEventListener('abort', said, { once: true });
    if (gone.aborted) said();
  });
}
