// What was done last, and whether it can be undone.
import { problemText } from '../api/live.ts';
import { announce } from '../parts/frame/announcer.tsx';

/** The way back, which resolves with what to say; else why there is none. */
type Last = { readonly undo: () => Promise<string> } | { readonly stays: string };

let last: Last = { stays: 'There is nothing to undo' };

/** Says what was done, with a way back. */
export function announceUndoable(words: string, undo: () => Promise<string>): void {
  last = { undo };
  announce(words, 'done', undoLast);
}

/** Something was done that nothing undoes: what was done before is not the last any more. `why`: a sentence without its full stop. */
export function noteFinal(why: string): void {
  last = { stays: why };
}

/** Undoes what was done last, or says why that cannot be. */
export async function undoLast(): Promise<void> {
  const done = last;
  if ('stays' in done) return announce(done.stays, 'failed');
  const spent: Last = { stays: 'There is nothing more to undo' };
  last = spent;
  try {
    announce(await done.undo(), 'done');
  } catch (error) {
    if (last === spent) last = done; // it still stands, and can be tried again
    announce(problemText(error), 'failed');
  }
}
