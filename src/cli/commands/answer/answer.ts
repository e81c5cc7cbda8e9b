// `belfry answer`: allows, denies or chooses what an agent asks, which it shows first where no answer was given; the first answer counts.
import { EXIT, UserError } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { type FoundQuestion, findQuestion } from './find-question.ts';
import { answeredLine, giveAnswer } from './give-answer.ts';
import { answerOf } from './read-answer.ts';
import { whyNotFromHere } from './why-not-from-here.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import { refuseAgents } from './refuse-agents.ts';
import { withStore } from '../../reading/with-store.ts';

interface Options {
  readonly message?: string;
  readonly ifHash?: string;
  readonly wait?: true;
}

interface Meant extends FoundQuestion {
  readonly project: string | null;
}

export const define: Define = (command, io) => {
  command
    .argument(
      '[ID]',
      'number or id of what `belfry pending` lists; default: everything that is open, one after the other',
    )
    .argument(
      '[ANSWER...]',
      'allow, deny, or a choice: number, text or words of your own; default: it is shown, and you are asked',
    )
    .option('--message <TEXT>', 'what to tell the agent with deny')
    .option('--if-hash <HASH>', 'only if it still asks what `belfry pending --json` showed with this `seen`')
    .option('--wait', 'return only when the agent has the answer')
    .action(async (id: string | undefined, words: readonly string[], options: Options) => {
      await refuseAgents('answer in a terminal of your own, or on the page');
      const wait = options.wait === true;
      if (words.length === 0) refuseWithoutTerminal(io, id, options);
      if (id === undefined) return (await import('./answer-one-by-one.ts')).walk(io, wait);
      const meant = await find(id);
      const { question } = meant;
      const answer = words.length === 0 ? null : answerOf(question, words, options.message);
      const mustBeShown = meant.isUnseen && options.ifHash === undefined;
      if (answer === null || mustBeShown) {
        if (mustBeShown) refuseUnseen(io, id);
        return (await import('./answer-one-by-one.ts')).askFor(io, question, wait, answer);
      }
      const { taken } = await giveAnswer(question, options.ifHash ?? meant.seen, answer, wait);
      if (io.json) return io.data({ id: question.id, answer, taken });
      io.line(answeredLine(question, answer, meant.project));
      if (taken === false) io.note('the agent has the answer, but its hook has not left yet');
    });
};

async function find(id: string): Promise<Meant> {
  return withStore(async (store) => {
    const found = await findQuestion(store, resolveOwnPaths(), id);
    if (!('question' in found)) throw await whyNotFromHere(store, id, found.of, 'answer');
    const [eventId] = (await store.notification(found.question.notificationId))?.eventIds ?? [];
    const stored = eventId === undefined ? null : await store.event(eventId);
    return { ...found, project: stored?.event.project ?? null };
  });
}

const canAsk = (io: Io): boolean => io.tty && !io.json && process.stdin.isTTY === true;

function refuseWithoutTerminal(io: Io, id: string | undefined, { message, ifHash }: Options): void {
  if (id === 'allow' || id === 'deny')
    throw new UserError(
      `say which one: \`belfry pending\` numbers them, and \`belfry answer 1 ${id}\` answers the first (nothing was sent)`,
      EXIT.usage,
    );
  if (message !== undefined || ifHash !== undefined)
    throw new UserError('say what to answer, such as `belfry answer ID deny` (nothing was sent)', EXIT.usage);
  if (canAsk(io)) return;
  throw new UserError(
    `there is no terminal to ask on: \`belfry pending\` shows what is asked, \`belfry answer ${id ?? 'ID'} allow\` answers it (nothing was sent)`,
    EXIT.usage,
  );
}

/** A session may ask something else than it did when somebody looked. */
function refuseUnseen(io: Io, session: string): void {
  if (canAsk(io)) return;
  throw new UserError(
    `a session can be answered on a terminal only, where what it asks is shown first: \`belfry pending\` shows what ${session} asks, with its number (nothing was sent)`,
    EXIT.usage,
  );
}
