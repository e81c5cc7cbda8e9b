// Who asks a question and takes its answer: the one interface of all sources, and what is asked.
import type { AskedQuestion, FinalAnswer, Handed, QuestionSubject } from '../../model/question/answering.ts';
import type { Ending } from '../../model/question/endings.ts';
import type { SessionKey } from '../../model/ids.ts';
import type { ClientProcess } from '../../model/session/session.ts';

interface Source {
  /** It puts what is still open again by itself, to a daemon after this one and once it can be reached again: the question goes on then, with its buttons. */
  readonly asksAgain: boolean;
  /** Which inputs of hooks end its questions: all that show that the session went on; the end of the session, as it says the rest by itself; or none. */
  readonly endedBy: 'session going on' | 'session end' | 'nothing';
}

/** A hook that waits, code inside a client, a joined session, one that `belfry run` has started; and what the last two wait for when they have finished. */
export const SOURCES = {
  hook: { asksAgain: false, endedBy: 'session going on' },
  inside: { asksAgain: true, endedBy: 'nothing' },
  joined: { asksAgain: true, endedBy: 'session end' },
  wrapped: { asksAgain: true, endedBy: 'session going on' },
  resting: { asksAgain: false, endedBy: 'session going on' },
} as const satisfies Readonly<Record<string, Source>>;

/** What is asked. */
export interface Asked {
  readonly session: SessionKey;
  /** Name of the machine elsewhere that it is asked on. */
  readonly remote?: string | undefined;
  readonly question: AskedQuestion;
  /** Of all that is asked, the same each time it is put. */
  readonly digest: string;
  /** Unix ms. */
  readonly startedAt: number;
}

/** What is asked at a moment. */
export interface AskedNow {
  readonly inputHash: string;
  readonly subject: QuestionSubject;
  /** People are shown this: it is what an answer is given to. */
  readonly show: () => void;
}

/**
 * How a question is known in a report. `bytes`: both were given the same input; `moment`: each was put together in a place of its own, so
 * session, kind and moment tell; `words`: the session repeats what its hook has reported, in other bytes, once it is joined.
 */
export type Match = 'bytes' | 'moment' | 'words';

/** Whoever asks one question. */
export interface Asker {
  readonly source: keyof typeof SOURCES;
  /** By what its notification is found; or its id. */
  readonly notification: Match | { readonly id: string };
  /** Hands the answer over; resolves with how far it got. `isOvertaken`: whether the session has gone on meanwhile. */
  readonly give: (answer: FinalAnswer, isOvertaken: () => boolean) => Promise<Handed>;
  /** The question is over, and nobody waits for it here any more. Called once, after an answer too. */
  readonly over: (why: Ending) => void;
  /** Whether an answer can reach the agent now; absent: whoever waits is there. */
  readonly isReachable?: () => Promise<boolean>;
  /** What it asks now, where that may have changed since it was shown; absent: it cannot. */
  readonly lookAgain?: () => Promise<AskedNow>;
  /** Why the agent would not take this answer, for people; null: it would. Absent: it takes every one. */
  readonly fault?: (answer: FinalAnswer) => string | null;
}

/** The client whose exit ends it; null: not looked for yet, or it cannot be seen from here. */
export type Client = ClientProcess | null;
