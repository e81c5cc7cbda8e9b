// One hook that waits for an answer: who asks, what, and how its wait ends.
import type { AskOutput } from '../../ipc/ask.ts';
import type { Origin } from '../../ipc/envelope.ts';
import type { Agent } from '../../model/agent.ts';
import type { AskedQuestion, Answering, FinalAnswer, Handed, QuestionSubject } from '../../model/answering.ts';
import type { SessionKey } from '../../model/ids.ts';
import type { ClientProcess } from '../../model/session.ts';

/** What a hook asks, once it is admitted. */
export interface Asked {
  readonly session: SessionKey;
  readonly question: AskedQuestion;
  readonly answering: Answering;
  /** As the client gave it: needed for the client's own form of an answer, never stored. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Of the input's bytes; the notifying hook was given the same ones. */
  readonly digest: string;
  /** Unix ms. */
  readonly startedAt: number;
  readonly agent: Agent;
  readonly origin: Origin;
  /** It knows heartbeats. */
  readonly hearsBeats: boolean;
}

/** What is asked at a moment. */
export interface AskedNow {
  readonly inputHash: string;
  readonly subject: QuestionSubject;
  /** People are shown this: it is what an answer is given to. */
  readonly show: () => void;
}

/** A question that somebody can answer now, whoever waits for the answer. */
export interface Answerable extends Pick<Asked, 'session' | 'question' | 'digest' | 'startedAt'> {
  /** Null: not looked for yet, or cannot be seen from here. */
  readonly client: ClientProcess | null;
  /** Of its question. */
  readonly id: string;
  /** Whether an answer can reach the agent now; absent: whoever waits is there. */
  readonly isReachable?: () => Promise<boolean>;
  /** What it asks now, where that may have changed since it was shown; absent: it cannot. */
  readonly lookAgain?: () => Promise<AskedNow>;
  /** Why the agent would not take this answer, for people; null: it would. Absent: it takes every one. */
  readonly fault?: (answer: FinalAnswer) => string | null;
  /** Hands the answer over and ends the wait; resolves with what whoever waited says of it. */
  readonly deliver: (answer: FinalAnswer) => Promise<Handed>;
  /** While an answer is being written nothing else ends the wait, so that the row and the agent agree; the returned function ends that. */
  readonly hold: () => () => void;
  /** Resolves when whoever waited has left. */
  readonly left: Promise<void>;
}

/** A hook that waits. */
export interface Wait extends Asked, Answerable {
  readonly lookAgain: () => Promise<AskedNow>;
  readonly nonce: string;
  /** Unix ms. */
  readonly deadline: number;
}

/** The same for those who keep it. */
export interface OpenWait extends Wait {
  /** Set once it is found. */
  client: ClientProcess | null;
  /** The hook leaves without an answer, as soon as nobody holds it; null: it has left on its own. */
  readonly leave: (why: string | null) => void;
  /** What the hook prints. */
  readonly output: Promise<AskOutput>;
}
