// The question behind a notification, as a message of it is given it.
import type { MessageQuestion } from './channel.ts';

/** What a message says of it. */
export interface ShownQuestion {
  /** Null: nothing can be answered from this message. */
  readonly question: MessageQuestion | null;
  /** A line below the body: where it can be answered; null: nothing to say. */
  readonly note: string | null;
  /** By whom or what it was settled, in place of the words of the notification; null: those. */
  readonly settled: string | null;
}
