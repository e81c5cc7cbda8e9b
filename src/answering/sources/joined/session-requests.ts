// What one session asks by itself, in its client's own names, as open questions: nobody waits for their answers but the session, whose own prompt stays usable.
import { contentDigest } from '../../../lib/hash.ts';
import type { Handed } from '../../../model/question/answering.ts';
import type { Ending } from '../../../model/question/endings.ts';
import type { SessionKey } from '../../../model/ids.ts';
import type { JoinedAnswer, JoinedRequest } from '../../../model/agent/joining.ts';
import type { Client } from '../../questions/asker.ts';
import type { OpenQuestion } from '../../questions/open-question.ts';
import type { OpenQuestions } from '../../questions/open-questions.ts';

/** The session that asks. */
export interface AskingSession {
  readonly source: 'joined' | 'wrapped';
  readonly client: Client;
  readonly answer: (requestId: string, answer: JoinedAnswer) => Promise<Handed>;
  /** The question of this request is over, or it is none; the client need not say so any more. */
  readonly over?: (requestId: string) => void;
}

/** None is open yet. */
export class SessionRequests {
  readonly #questions: Pick<OpenQuestions, 'ask' | 'now'>;
  readonly #from: AskingSession;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(questions: Pick<OpenQuestions, 'ask' | 'now'>, from: AskingSession) {
    this.#questions = questions;
    this.#from = from;
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  ask(session: SessionKey, { id, raw, question }: JoinedRequest): void {
    const { source, client, answer } = this.#from;
    const over = (): void => {
      this.#open.delete(id);
      this.#from.over?.(id);
    };
    const opened = this.#questions.ask(
      {
        session,
        question: { ...question, sessionId: session.sessionId },
        digest: contentDigest(Buffer.from(`${session.sessionId}\n${raw}`)),
        startedAt: this.#questions.now(),
      },
      {
        source,
        over,
        notification: 'words',
        give: async (given) => (given.type === 'reply' ? 'unsent' : answer(id, given)),
      },
      client,
    );
    if (opened === null) over();
    else this.#open.set(id, opened);
  }

  /** Somebody else answered it. */
  resolved(id: string): void {
    this.#open.get(id)?.end('at-terminal');
  }

  /** The session asks nothing any more. */
  end(why: Ending): void {
    for (const question of [...this.#open.values()]) question.end(why);
  }

  /** The session cannot be heard, and may come back. */
  lose(): void {
    for (const question of [...this.#open.values()]) question.lose('session-lost');
  }
}
