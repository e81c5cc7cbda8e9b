// What the answering hook and the daemon say to each other, over a command named `ask` (frames.ts): first that the hook is to wait, that the daemon still lives, then what it prints, then that it has.
import type { Origin } from './envelope.ts';

/** Name of the command. */
export const ASK = 'ask';

/** Longest input, in bytes, that is asked about: its line stays below LINE_LIMIT. What is longer is answered at the terminal. */
export const ASK_LIMIT = 100_000;

/** The hook's private exit status for a reply on stderr; the installed command line alone turns it into the client's own. */
export const REPLY_STATUS = 42;

/** Said in `left` when the daemon is about to stop: another one may start, and what is still open can be asked again. */
export const STOPPED = 'the daemon stopped';

/** What code inside a client writes as its last line when it leaves for a reason of the client's. */
export const LAST_WORDS = ['answered', 'prompted', 'ended'] as const;
export type LastWord = (typeof LAST_WORDS)[number];

/** What everybody writes as the last line who was given an answer: the client has it, had another one, or did not get it. Without a word nobody knows. */
export const HANDED_WORDS = ['taken', 'late', 'unsent'] as const;
export type HandedWord = (typeof HANDED_WORDS)[number];

/** Arguments of the command. */
export interface AskArgs {
  /** Unix ms when the hook was started. */
  readonly startedAt: number;
  readonly agent: string;
  /** Whether the hook was installed to give a reply: no other one may end with REPLY_STATUS. */
  readonly reply: boolean;
  /** The input as the client gave it. */
  readonly raw: string;
  readonly origin: Origin;
  /** It knows heartbeats; left away by earlier versions. */
  readonly beats?: true | undefined;
}

/** A hook that waits on a machine elsewhere: where it runs, as its relay found it, and whether an answer can reach it now. */
export interface FarHook {
  readonly origin: Origin;
  readonly isReachable: () => boolean;
}

/** Ms between heartbeats. */
export const BEAT = 1_000;

/** Data of the first line: wait, at most this long (ms). */
export interface AskWait {
  readonly wait: number;
  /** Ms between the heartbeats that follow; left away where none do, as earlier versions do always. */
  readonly beat?: number;
}

/** Data of each line until the last: the daemon is there. Only for hooks that know it and hold their terminal. */
export interface AskBeat {
  readonly beat: true;
}

/** Data of the last line, when there is an answer. Without one the connection ends or says why in `left`. */
export type AskOutput = { readonly stdout: string } | { readonly reply: string } | { readonly left: string };
