// What somebody has typed and ticked for a question, kept wherever they go until it is answered.
import { type Signal, signal } from '@preact/signals';

export interface Draft {
  /** A reply, or why it is denied. */
  readonly words: string;
  /** Of each choice. */
  readonly choices: readonly ChoiceDraft[];
  /** Of what the choices are: another one is asked something else. */
  readonly seen: string;
}

export interface ChoiceDraft {
  /** Numbers of options, from 1. */
  readonly ticked: readonly number[];
  /** Words in place of an option. */
  readonly words: string;
}

/** Questions whose drafts are kept; the oldest go first. */
const MOST = 100;

const drafts = new Map<string, Signal<Draft>>();

/** The draft of a question as it is asked now: ticks of what was asked before are none, words stay. */
export function draftOf(id: string, seen: string, choices: number): Signal<Draft> {
  const none = Array.from({ length: choices }, (): ChoiceDraft => ({ ticked: [], words: '' }));
  const known = drafts.get(id);
  if (known !== undefined) {
    if (known.peek().seen !== seen) known.value = { words: known.peek().words, choices: none, seen };
    return known;
  }
  for (const oldest of drafts.keys()) if (drafts.size >= MOST) drafts.delete(oldest);
  const made = signal<Draft>({ words: '', choices: none, seen });
  drafts.set(id, made);
  return made;
}

/** It is answered. */
export const dropDraft = (id: string): boolean => drafts.delete(id);
