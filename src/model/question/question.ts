// A question that an agent waits on and that a person may answer from elsewhere.

/** open: may be answered, or an answer is on its way; answered: the agent has one; closed: nobody waits any more. */
export type QuestionState = 'open' | 'answered' | 'closed';

/** A row. */
export interface Question {
  readonly id: string;
  readonly notificationId: string;
  readonly sessionKey: string;
  readonly kind: 'permission' | 'choice' | 'text';
  /** What is asked: a QuestionSubject of answering.ts, as JSON. */
  readonly subject: unknown;
  /** Of the input that asks: an answer to another input is none to this one. */
  readonly inputHash: string;
  /** Known to those who were asked only. */
  readonly nonce: string;
  /** Unix ms after which no answer counts. */
  readonly deadline: number;
  readonly state: QuestionState;
  /** JSON; null: none. Of a closed question: what somebody tried, which did not get to the agent. */
  readonly answer: unknown;
  /** Whose answer the agent has, or is being handed while the question is open. */
  readonly answeredBy: string | null;
  /** Why nobody waits any more, for people; null: not closed. */
  readonly closed: string | null;
  /** Grows with each write. */
  readonly version: number;
}

/** A question as it is put: nobody has answered it yet. */
export type NewQuestion = Omit<Question, 'state' | 'answer' | 'answeredBy' | 'closed' | 'version'>;

/** What became of an answer; `conflict`: by whom another one was taken before. */
export type AnswerResult = 'answered' | 'closed' | 'unknown' | { readonly conflict: string };
