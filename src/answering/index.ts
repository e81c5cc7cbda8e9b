// Answering agents from elsewhere: what the daemon builds and the commands use.
import { type AnswerDeps, createAnswerer, type GivenAnswer } from './answers/give-answer.ts';
import type { Question } from '../model/question.ts';
import { UNCONFIRMED } from '../model/terminal-only.ts';
import { JoinedQuestions, type JoinedQuestionsDeps } from './sources/joined/joined-questions.ts';
import { JoinedSessions, type JoinedSessionsDeps } from './sources/joined/joined-sessions.ts';
import { type AnsweringDeps as WaitsDeps, createWaits, type Waits } from './sources/hook/waits.ts';
import type { Answerable } from './questions/wait.ts';
import { WrappedSessions, type WrappedSessionsDeps } from './sources/wrapped/wrapped-sessions.ts';

export { createAskedQuestions, type QuestionListeners, type QuestionWrites } from './messages/asked-questions.ts';
export type { GivenAnswer } from './answers/give-answer.ts';
export { createInboundAnswers, nameOfPerson } from './answers/inbound-answer.ts';
export { createMadeMessages, type MadeMessages } from './messages/made-messages.ts';
export { readAsk } from './sources/hook/admit.ts';
export { createShowQuestion, type ShowQuestion } from './messages/shown-question.ts';

/** Waiting hooks, joined sessions, and the answers to both. */
export interface AnsweringService extends Omit<Waits, 'get' | 'start'> {
  /** What a daemon before this one left open goes on, or is closed. */
  start(): Promise<void>;
  /** `belfry run` has started a client. */
  wrapped(id: string): void;
  /** Resolves when the agent has the answer; UserError says why not. */
  answer(given: GivenAnswer): Promise<Pick<Answerable, 'left'>>;
}

/** What it needs; passed in by the daemon. */
export type AnsweringDeps = Omit<WaitsDeps, 'isBeside'> &
  Omit<AnswerDeps, 'answerable'> &
  JoinedQuestionsDeps &
  Omit<JoinedSessionsDeps & WrappedSessionsDeps, 'questions'>;

/** Builds it. */
export function createAnswering(deps: AnsweringDeps): AnsweringService {
  const questions = new JoinedQuestions(deps);
  const sessions = new JoinedSessions({ ...deps, questions });
  const wrapped = new WrappedSessions({ ...deps, questions });
  const waits = createWaits({
    ...deps,
    isBeside: async (asked) => wrapped.serves(asked) || (await sessions.serves(asked)),
  });
  return {
    ...waits,
    start: async () => {
      const left: Question[] = [];
      for (const question of await deps.store.questions({ states: ['open'] })) {
        if (questions.get(question.id) !== undefined) continue;
        const { id, nonce, answeredBy: by } = question;
        if (by !== null) await deps.store.settleAnswer({ id, nonce, by, why: UNCONFIRMED });
        else if (wrapped.mayResume(question) || (await sessions.resume(question))) questions.keep(question);
        else left.push(question);
      }
      wrapped.start();
      await waits.start(left);
    },
    observe: (incoming) => {
      waits.observe(incoming);
      if (incoming.type !== 'hook') return;
      questions.observe(incoming);
      sessions.observe(incoming);
      wrapped.observe(incoming);
    },
    stop: async () => {
      await waits.stop();
      await questions.stop();
      await sessions.stop();
      await wrapped.stop();
    },
    wrapped: (id) => wrapped.begin(id),
    answer: createAnswerer({ ...deps, answerable: (id) => waits.get(id) ?? questions.get(id) }),
  };
}
