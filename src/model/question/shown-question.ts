// The question behind a notification, as a message of it is given it.
import type { Choice } from './answering.ts';
import type { Question } from './question.ts';

/** A button that answers a question, or begins an answer in words. */
export interface AnswerButton {
  /** text: whoever presses it is asked for words. */
  readonly says: 'allow' | 'deny' | 'choose' | 'text';
  /** Plain text; an option is in the agent's words. */
  readonly label: string;
  /** What it brings back: proves that it was made for this question, this channel and this answer. At most 64 bytes of ASCII. */
  readonly reference: string;
}

/** What an agent waits for, as a channel that takes answers is given it. */
export interface MessageQuestion {
  readonly kind: Question['kind'];
  /** All that is asked about, as hostile as anything from an agent. A message that does not show all of it has no button that allows. */
  readonly text: string;
  readonly choices: readonly Choice[];
  /** Why `text` is not all of it, for people; no button allows then. Null: it is. */
  readonly partial: string | null;
  /** Where a permission that cannot be allowed from this message is allowed, for people; with why, where `partial` is set. */
  readonly allowAt: string;
  readonly buttons: readonly AnswerButton[];
}

/** What a message says of it. */
export interface ShownQuestion {
  /** Null: nothing can be answered from this message. */
  readonly question: MessageQuestion | null;
  /** A line below the body: where it can be answered; null: nothing to say. */
  readonly note: string | null;
  /** By whom or what it was settled, in place of the words of the notification; null: those. */
  readonly settled: string | null;
}
