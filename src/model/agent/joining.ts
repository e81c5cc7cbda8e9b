// Clients whose running sessions can be joined from outside: their own prompt stays usable, and whoever answers first wins.
import type { AskedQuestion, FileReads, FinalAnswer, Handed } from '../question/answering.ts';

/** Something that a joined session asks. */
export interface JoinedRequest {
  /** The client's own, within one connection. */
  readonly id: string;
  /** All of what is asked, the same each time the client puts it: an answer is bound to it. */
  readonly raw: string;
  readonly question: Omit<AskedQuestion, 'sessionId'>;
}

/** Who hears of a joined session; none of it may throw. */
export interface JoinListener {
  asked(request: JoinedRequest): void;
  /** Somebody else answered it, or it was withdrawn. */
  resolved(requestId: string): void;
  /** The session can no longer be reached this way. Called once, and not after `close`; maybe before `join` has resolved. */
  lost(): void;
}

/** An answer to what a joined session asks. */
export type JoinedAnswer = Exclude<FinalAnswer, { type: 'reply' }>;

/** A session that was joined. */
export interface JoinedSession {
  /** Never rejects. */
  answer(requestId: string, answer: JoinedAnswer): Promise<Handed>;
  /** Leaves it as it is. */
  close(): void;
}

/** Where a client keeps its things. */
export interface JoinPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Whether an account has room for another turn. `unknown`: whoever knows does not say; `not asked`: nobody can say. */
export type Room = 'yes' | 'no' | 'unknown' | 'not asked';

/** How the sessions of a client are joined: those that a server of its own holds. */
export interface Joining {
  /** What answers a session here, for docs/agents/NAME.md. */
  readonly through: string;
  /** What is asked that way, for docs/agents/NAME.md. */
  readonly answers: string;
  /** Whether a session that is joined asks this too, so that its hook need not hold the terminal for it. */
  serves(asked: Pick<AskedQuestion, 'tool'>): boolean;
  /** Joins a running session and hears at once what it asks; a text says why it cannot be joined. Starts nothing; never rejects. `files`: for what its client keeps of it. */
  join(place: JoinPlace, sessionId: string, listener: JoinListener, files: FileReads): Promise<JoinedSession | string>;
  /** Whether the session runs where it can be joined; never rejects. */
  runs(place: JoinPlace, sessionId: string): Promise<boolean>;
  /** Hands a session that runs there its next instruction, unless it `isOvertaken` by another one until then; never rejects. */
  reply(place: JoinPlace, sessionId: string, text: string, isOvertaken: () => boolean): Promise<Handed>;
  /** Whether the account has room for another turn, by the service's own figures; never rejects. Left away: nobody can be asked. */
  room?(place: JoinPlace, sessionId: string): Promise<Room>;
  /** What keeps others from being believed: null, or what is wrong where its server listens. */
  fault(place: JoinPlace): string | null;
}
