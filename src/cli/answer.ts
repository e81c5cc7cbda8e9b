// `belfry answer`: allows, denies or chooses what an agent asks; the first answer counts.
import type { Answer } from '../model/answering.ts';
import { EXIT, UserError } from '../model/errors.ts';
import type { Question } from '../model/question.ts';
import { seenOf } from '../model/seen.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import type { Define } from './entry.ts';
import { findQuestion } from './find-question.ts';
import { refuseAgents } from './refuse-agents.ts';
import { ask } from './rpc.ts';
import { withStore } from './with-store.ts';

interface Options {
  readonly message?: string;
  readonly wait?: true;
}

/** Beyond what the daemon waits for a hook to leave. */
const PATIENCE = 30_000;

export const define: Define = (command, io) => {
  command
    .argument('<ID>', 'id of a question, or of its session, event or notification; the beginning is enough')
    .argument('<ANSWER...>', 'allow, deny, or a choice: number, text or words of your own; one for each question asked')
    .option('--message <TEXT>', 'what to tell the agent with deny')
    .option('--wait', 'return only when the agent has the answer')
    .action(async (id: string, words: string[], options: Options) => {
      await refuseAgents('answer');
      const question = await withStore((store) => findQuestion(store, id));
      if (question === null)
        throw new UserError(
          `no question has the id "${id}": \`belfry pending\` lists them (nothing was sent)`,
          EXIT.notFound,
        );
      const answer = answerOf(question, words, options.message);
      const { taken } = await giveAnswer(question, answer, options.wait === true);
      if (io.json) return io.data({ id: question.id, answer, taken });
      if (taken === false) io.note('the agent has the answer, but its hook has not left yet');
      io.line(`answered: ${answer.type === 'choose' ? answer.choices.join('; ') : answer.type}`);
    });
};

/** Hands an answer to the daemon, which hands it to the waiting hook. */
export async function giveAnswer(
  question: Question,
  answer: Answer,
  wait: boolean,
): Promise<{ taken: boolean | null }> {
  const args = { id: question.id, seen: seenOf(question), answer, wait, pid: process.pid };
  return (await ask(resolveOwnPaths(), 'answer', args, PATIENCE)) as { taken: boolean | null };
}

/** A choice may read allow or deny like any other text; a permission is never a choice. */
function answerOf(question: Question, words: readonly string[], message: string | undefined): Answer {
  const [word = ''] = words;
  if (word === 'deny' && words.length === 1) return { type: 'deny', message: message ?? null };
  if (message !== undefined) throw new UserError('--message goes with deny only (nothing was sent)', EXIT.usage);
  if (question.kind === 'choice') return { type: 'choose', choices: [...words] };
  if (word === 'allow' && words.length === 1) return { type: 'allow' };
  const how = question.kind === 'text' ? '`belfry reply ID TEXT` gives it work' : 'answer allow or deny';
  throw new UserError(`"${words.join(' ')}" is no answer to it: ${how} (nothing was sent)`, EXIT.usage);
}
