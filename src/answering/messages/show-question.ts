// What a message says of the question behind its notification: buttons while it can be answered there, else where to answer or who did.
import type { Answering } from '../../model/question/answering.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Delivery } from '../../model/delivery/delivery.ts';
import { GROUP_HOLD } from '../../model/delivery/holds.ts';
import { notificationIdOf } from '../../model/ids.ts';
import type { Level } from '../../model/notification/notification.ts';
import type { Question } from '../../model/question/question.ts';
import { answersOf } from '../../model/question/allowed-answers.ts';
import type { ShownQuestion } from '../../model/question/shown-question.ts';
import { NO_NONCE, terminalOnly } from '../../model/question/terminal-only.ts';
import type { StoreReader } from '../../store/contract.ts';
import type { AskedQuestions } from './questions-behind-notifications.ts';
import type { MadeMessages } from './question-last-shown.ts';
import { commandFor, messageQuestion } from './question-with-buttons.ts';
import * as z from 'zod';
import { endingOf } from '../../model/question/endings.ts';

/** What it needs. */
export interface ShownQuestionDeps {
  readonly key: Buffer;
  readonly store: Pick<StoreReader, 'question'>;
  readonly config: () => Config;
  readonly now: () => number;
  readonly questions: Pick<AskedQuestions, 'idOf' | 'recent'>;
  readonly made: Pick<MadeMessages, 'note' | 'noteOffer'>;
  readonly answering: (agent: string) => Answering | undefined;
  /** Why a channel that is named for answers carries none; null: it may. */
  readonly unanswered: (channel: string) => string | null;
  /** The phrase for where somebody answered: "in Slack", "on the command line". */
  readonly where: (via: string) => string;
}

/** A hook that asks comes at most so much later than the one that notifies, ms; a message is held back for it only where buttons go. */
const PATIENCE = 350;
/** An event that is older than this was not asked about just now, ms. */
const JUST_NOW = 2_000;

const NOTHING: ShownQuestion = { question: null, note: null, settled: null };

/** `buttons`: whether this channel can carry them. */
export type ShowQuestion = (channel: string, delivery: Delivery, buttons: boolean) => Promise<ShownQuestion>;

/** Looks at the question each time a message is made. */
export function createShowQuestion(deps: ShownQuestionDeps): ShowQuestion {
  const { store, config, key } = deps;

  function patience({ operation, content: { event } }: Delivery, isFor: boolean): number {
    const canCome = event.kind === 'agent.waiting' || (isFor && event.kind === 'agent.finished');
    // Elsewhere only where some agent has asked: nothing is held back for those who answer at the terminal.
    const isUsed = isFor || deps.questions.recent().length > 0;
    if (!isUsed || operation !== 'send' || !canCome || deps.now() - event.at > JUST_NOW) return 0;
    return deps.answering(event.agent) === undefined ? 0 : PATIENCE;
  }

  return async (channel, delivery, buttons) => {
    if (delivery.operation === 'retract' || delivery.content.count > 1) return NOTHING;
    const unanswered = buttons ? deps.unanswered(channel) : null;
    const isFor = buttons && unanswered === null && config().answer.channels.includes(channel);
    // A group that shows one alone shows it as it is.
    const isAlone = delivery.threadKey.startsWith(GROUP_HOLD);
    const own = isAlone ? notificationIdOf(delivery.content.event.id) : delivery.notificationId;
    const id = await deps.questions.idOf(own, patience(delivery, isFor));
    deps.made.note({ ...delivery, channel }, id);
    const question = id === null ? null : await store.question(id);
    deps.made.noteOffer({ ...delivery, channel }, isOpen(question, deps.now()));
    if (question === null) return NOTHING;
    const level = levelOf(channel, config());
    // Who has no buttons here misses none.
    if (question.nonce === NO_NONCE && !isFor) return NOTHING;
    if (!isOpen(question, deps.now())) return over(question, level, deps);
    if (!isFor) return { ...NOTHING, note: level === 'title' ? null : elsewhere(question, unanswered) };
    const withheld = level === 'full' ? null : 'this channel is not given what it asks about';
    return { ...NOTHING, question: messageQuestion(question, { channel, key, withheld }) };
  };
}

const isOpen = (question: Question | null, now: number): boolean =>
  question?.state === 'open' && question.deadline > now;

const levelOf = (channel: string, { channels, redaction }: Config): Level =>
  channels.find(({ name }) => name === channel)?.level ?? redaction.level;

function elsewhere(question: Question, unanswered: string | null): string | null {
  const how = ways(question);
  return how === null || unanswered === null ? how : `${how}\nThere are no buttons: ${unanswered}.`;
}

function ways(question: Question): string | null {
  if (question.kind === 'text') return null;
  const takes = answersOf(question);
  if (takes.includes('choose')) return `Answer at its terminal, or with: ${commandFor(question, 'CHOICE')}`;
  if (takes.includes('allow')) return `Answer at its terminal, or with: ${commandFor(question, 'allow')}`;
  return `Allow it at its terminal; deny it there, or with: ${commandFor(question, 'deny')}`;
}

function over(
  question: Question,
  level: Level,
  { where, now }: Pick<ShownQuestionDeps, 'where' | 'now'>,
): ShownQuestion {
  const settled = answeredWords(question, where);
  if (settled !== null) return { ...NOTHING, settled };
  return { ...NOTHING, note: level === 'title' ? null : terminalOnly(question, now()) };
}

/** What is kept of an answer, as far as it is shown. */
const answerSchema = z.object({
  type: z.enum(['allow', 'deny', 'choose', 'reply']),
  by: z.string(),
  via: z.string(),
});

const DONE = { allow: 'allowed', deny: 'denied', choose: 'answered', reply: 'replied to' } as const;

/** "allowed by ada in Slack", "answered at the terminal". `where`: the phrase for a way. Null: nobody settled it. */
function answeredWords({ state, answer, closed }: Question, where: (via: string) => string): string | null {
  if (state === 'closed') return endingOf(closed)?.name === 'at-terminal' ? closed : null;
  const read = state === 'answered' ? answerSchema.safeParse(answer) : null;
  if (!read?.success) return null;
  return `${DONE[read.data.type]} by ${read.data.by} ${where(read.data.via)}`;
}
