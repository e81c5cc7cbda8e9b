// Clients that write what happens to one file and take answers from another, when they are started so: `belfry run` does.
import type { AskedQuestion } from '../question/answering.ts';
import type { JoinedAnswer, JoinedRequest } from './joining.ts';

/** One line of either file. */
type Line = Readonly<Record<string, unknown>>;

/** What one line of the events says. */
export type WrappedMessage =
  | { readonly type: 'session'; readonly sessionId: string }
  /** The session goes on: whatever it asked before is over. `text`: the prompt; `sessionId`: of its conversation, which may be another one than at the start; null: it is not said. */
  | { readonly type: 'prompted'; readonly text: string; readonly sessionId: string | null }
  | { readonly type: 'asked'; readonly request: JoinedRequest }
  /** `allowed` null: it was not settled by an answer. */
  | { readonly type: 'resolved'; readonly requestId: string; readonly allowed: boolean | null };

/** What is written for an answer, a line each. */
export interface WrappedAnswer {
  readonly now: readonly Line[];
  /** Written again where it says nothing of it within a second: that the request is over is then an answer too. */
  readonly again: readonly Line[];
  /** Its next instruction, once it was taken; null: none. */
  readonly reply: string | null;
}

/** How such a client is started and spoken to. */
export interface Wrapping {
  /** What is asked and taken that way, for docs/agents/NAME.md. */
  readonly answers: string;
  /** Whether it is asked this way too, so that its hook need not hold the terminal for it. */
  serves(asked: Pick<AskedQuestion, 'tool'>): boolean;
  /** Arguments that name the two files. */
  args(events: string, answers: string): readonly string[];
  /** Options of the user's own that leave no room for ours. */
  readonly conflicts: readonly string[];
  /** Options of a one-shot run, which waits for nobody: no answer would reach it. */
  readonly oneShot: readonly string[];
  /** Only lines with one of these in them are read. */
  readonly marks: readonly string[];
  /** Null: it says nothing that matters here. */
  read(line: Line): WrappedMessage | null;
  answer(requestId: string, answer: JoinedAnswer): WrappedAnswer;
  /** What is written for the next instruction; it is shown as a prompt once it was taken. */
  reply(text: string): Line;
}
