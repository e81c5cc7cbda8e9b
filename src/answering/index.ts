// Answering agents from elsewhere: what the daemon builds and the commands use.
import type { FarHook } from '../ipc/ask.ts';
import type { Reply } from '../ipc/frames.ts';
import { endingWords } from '../model/question/endings.ts';
import type { Room } from '../model/agent/joining.ts';
import type { Event } from '../model/event/event.ts';
import type { Incoming } from '../model/event/incoming.ts';
import type { SessionKey } from '../model/ids.ts';
import type { SessionRecord } from '../model/session/session.ts';
import type { Store } from '../store/contract.ts';
import { type AnswerDeps, createAnswerer, type GivenAnswer } from './answers/take-answer.ts';
import { OpenQuestions, type OpenQuestionsDeps } from './questions/open-questions.ts';
import { WaitingHooks, type WaitingHooksDeps } from './sources/hook/waiting-hooks.ts';
import { JoinedSessions, type JoinedSessionsDeps } from './sources/joined/joined-sessions.ts';
import { WrappedSessions, type WrappedSessionsDeps } from './sources/wrapped/wrapped-sessions.ts';
import type { Agent } from '../model/agent/agent.ts';
import { subjectSchema } from '../model/question/answering.ts';
import type { Question } from '../model/question/question.ts';

export { createAskedQuestions, type QuestionListeners } from './messages/questions-behind-notifications.ts';
export type { QuestionWrites } from './messages/questions-behind-notifications.ts';
export type { GivenAnswer } from './answers/take-answer.ts';
export { createInboundAnswers, nameOfPerson } from './answers/inbound-answer.ts';
export { createMadeMessages, type MadeMessages } from './messages/question-last-shown.ts';
export { readAsk } from './sources/hook/may-wait.ts';
export { createShowQuestion, type ShowQuestion } from './messages/show-question.ts';

/** What agents ask, and the answers. */
export interface AnsweringService {
  /** What a daemon before this one left open goes on, or is closed. */
  start(): Promise<void>;
  /** Serves one hook to its end; `gone` aborts when it has left. `far`: it waits on a machine elsewhere. */
  serve(
    args: Readonly<Record<string, unknown>>,
    reply: (reply: Reply) => Promise<void>,
    gone: AbortSignal,
    far?: FarHook,
  ): Promise<void>;
  /** For every input that is taken in: it may show that somebody was first at the terminal. Never throws. */
  observe(incoming: Incoming): void;
  /** The person is back: hooks that hold a terminal leave. */
  back(): void;
  /** `belfry run` has started a client. */
  wrapped(id: string): void;
  /** A turn has failed, as this event says: what its session takes next may be given it from elsewhere, where something can. */
  stopped(record: SessionRecord, failed: Event): Promise<void>;
  /** Whether the account of a session has room for another turn, as far as its client can be asked. */
  room(session: SessionKey): Promise<Room>;
  /** Resolves when the agent has the answer; UserError says why not. */
  answer(given: GivenAnswer): Promise<void>;
  /** Nobody waits any more. */
  stop(): Promise<void>;
}

/** What it needs; passed in by the daemon. */
export type AnsweringDeps = { readonly store: Pick<Store, 'settleAnswer'> } & OpenQuestionsDeps &
  Omit<AnswerDeps, 'answerable' | 'takes' | 'mayGoOn'> &
  Omit<WaitingHooksDeps & JoinedSessionsDeps & WrappedSessionsDeps, 'questions' | 'isBeside'>;

/** Builds it. */
export function createAnswering(deps: AnsweringDeps): AnsweringService {
  const { agents, store } = deps;
  const questions = new OpenQuestions(deps);
  const joined = new JoinedSessions({ ...deps, questions });
  const wrapped = new WrappedSessions({ ...deps, questions });
  const hooks = new WaitingHooks({
    ...deps,
    questions,
    isBeside: async (asked) => asked.far === null && (wrapped.serves(asked) || (await joined.serves(asked))),
  });
  return {
    start: async () => {
      for (const question of await store.questions({ states: ['open'] })) {
        if (questions.get(question.id) !== undefined) continue;
        const { id, nonce, answeredBy: by } = question;
        if (by !== null) await store.settleAnswer({ id, nonce, by, why: endingWords('unconfirmed') });
        else if (wrapped.mayResume(question) || mayAskAgain(question, agents) || (await joined.resume(question)))
          questions.keep(question);
        else await store.closeQuestion(id, endingWords('restarted'));
      }
      wrapped.start();
    },
    serve: (args, reply, gone, far) => hooks.serve(args, reply, gone, far),
    observe: (incoming) => {
      if (incoming.type !== 'hook') return;
      questions.observe(incoming);
      joined.observe(incoming);
      wrapped.observe(incoming);
    },
    back: () => hooks.back(),
    wrapped: (id) => wrapped.begin(id),
    stopped: async (record, failed) => {
      wrapped.stopped(record, failed);
      await joined.stopped(record, failed);
    },
    room: (session) => joined.room(session),
    answer: createAnswerer({ ...deps, answerable: questions.get, takes: questions.takes, mayGoOn: questions.mayGoOn }),
    stop: async () => {
      await hooks.stop();
      await questions.stop();
      await joined.stop();
      await wrapped.stop();
    },
  };
}

/** Whether a question that a daemon before this one left open will be asked again: code of ours in the client asks the next daemon for as long as the client waits, and the client runs, for all that is known. */
function mayAskAgain({ subject }: Question, agents: (name: string) => Agent | undefined): boolean {
  const read = subjectSchema.safeParse(subject);
  return read.success && agents(read.data.agent)?.answering?.inside !== undefined;
}
