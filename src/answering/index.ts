// Answering agents from elsewhere: what the daemon builds and the commands use.
import { type AnswerDeps, createAnswerer, type GivenAnswer } from './give-answer.ts';
import { serveTerminal, type ServeTerminalDeps } from './serve-terminal.ts';
import { type AnsweringDeps, createWaits, type Waits } from './waits.ts';
import type { Wait } from './wait.ts';

export { type ClientTerminals, createClientTerminals } from './client-terminals.ts';
export { createAskedQuestions, type QuestionListeners } from './asked.ts';
export type { GivenAnswer } from './give-answer.ts';
export { createInboundAnswers, nameOfPerson } from './inbound-answer.ts';
export { createMadeMessages, type MadeMessages } from './made-messages.ts';
export { createShowQuestion, type ShowQuestion } from './shown-question.ts';

/** Waiting hooks and the answers to them. */
export interface AnsweringService extends Omit<Waits, 'get'> {
  /** Resolves when the hook was handed the answer; UserError says why not. */
  answer(given: GivenAnswer): Promise<Pick<Wait, 'left'>>;
}

/** Builds it. */
export function createAnswering(deps: AnsweringDeps & Omit<AnswerDeps, 'waits'> & ServeTerminalDeps): AnsweringService {
  const waits = createWaits(deps);
  return {
    ...waits,
    serve: async (args, reply, gone) => {
      if (!(await serveTerminal(args, reply, gone, deps))) await waits.serve(args, reply, gone);
    },
    answer: createAnswerer({ ...deps, waits }),
  };
}
