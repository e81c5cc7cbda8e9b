// What was done last and can be undone.
import { announce } from '../parts/frame/announcer.tsx';

interface Undoable {
  /** Resolves with what to say. */
  readonly undo: () => Promise<string>;
}

let last: Undoable | null = null;

/** Says what was done, with a way back. */
export function announceUndoable(words: string, undo: () => Promise<string>): void {
  last = { undo };
  announce(words, 'done', undoLast);
}

/** Undoes what was done last; an answer that an agent has cannot be. */
export async function undoLast(): Promise<void> {
  const done = last;
  last = null;
  if (done === null) return announce('There is nothing to undo: an answer that an agent has stays', 'failed');
  try {
    announce(await done.undo(), 'done');
  } catch (error) {
    announce(String(error instanceof Error ? error.message : error), 'failed');
  }
}
