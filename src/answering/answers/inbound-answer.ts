// From a pressed button or a written reply to an answer: whether it was made here, what it says, and the line to show to whoever gave it.
import { type Clock, sleep } from '../../lib/clock.ts';
import { sanitizeLine } from '../../lib/text/text.ts';
import { type Answer, answerSchema, subjectSchema } from '../../model/question/answering.ts';
import { type InboundAnswer, NOT_MADE_HERE } from '../../model/channel/channel.ts';
import { UserError } from '../../model/errors.ts';
import type { Question } from '../../model/question/question.ts';
import { seenOf } from '../../model/question/seen.ts';
import type { Store } from '../../store/contract.ts';
import { isProved, type Pressed, readReference } from './button-references.ts';
import type { GivenAnswer } from './take-answer.ts';
import { createRateLimit } from './rate-limit.ts';

/** What it needs. */
export interface InboundAnswerDeps {
  readonly key: Buffer;
  readonly store: Pick<Store, 'question' | 'deliveries'>;
  readonly clock: Pick<Clock, 'now' | 'setTimer'>;
  /** Whether the settings let this channel carry answers. */
  readonly mayAnswer: (channel: string) => boolean;
  /** Why one that they name carries none all the same; null: they leave it out. */
  readonly unanswered: (channel: string) => string | null;
  /** Notifications whose questions may still be answered or were lately, the latest first: their questions' ids. */
  readonly asked: () => Iterable<readonly [notificationId: string, questionId: string]>;
  readonly answer: (given: GivenAnswer) => Promise<unknown>;
  /** The message with this question went away on this channel, and the question is still open. */
  readonly showAgain: (channel: string, notificationId: string) => void;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

const LONGEST_NAME = 60;
const MINUTE = 60_000;
/** Forged references of one channel in a minute that are logged: more is a guesser, whose guesses keep nobody else from answering. */
const FORGED = 60;
const TOO_MANY = 'Too many wrong answers came from here: wait a minute.';
/** Rows of one notification on one channel that are looked at for a message. */
const MOST_ROWS = 50;
/** Ms that the writing of a delivery takes. */
const WRITTEN = 250;

/** What people write who mean to allow: only a button does, since any other text denies. */
const MEANS_ALLOW = /^(?:\/?allow(?:ed)?|yes|y|ok(?:ay)?|sure|approved?|go(?: ahead)?|1|👍)[\s.!]*$/iu;

/** The name of a person as it is kept: one line, never empty. */
export function nameOfPerson({ name, id }: InboundAnswer['by']): string {
  return sanitizeLine(name, LONGEST_NAME) || sanitizeLine(id, LONGEST_NAME) || 'somebody';
}

/** Takes what a channel's receiver hands over, whom the channel has let through. Resolves with the line to show; null: it concerns no question. */
export function createInboundAnswers(
  deps: InboundAnswerDeps,
): (channel: string, given: InboundAnswer) => Promise<string | null> {
  const { store, key, clock, log } = deps;
  const forged = createRateLimit(FORGED, MINUTE);

  function refuse(channel: string, { by, mayBeForAnother = false }: InboundAnswer, why: string): string {
    if (mayBeForAnother) return NOT_MADE_HERE;
    if (!forged.take(channel, clock.now())) return TOO_MANY;
    log('an answer was refused', { via: channel, by: nameOfPerson(by), why });
    return NOT_MADE_HERE;
  }

  /** A message is there before its delivery is written: who is quick is looked for once more. */
  async function repliedTo(channel: string, replyTo: Readonly<Record<string, unknown>>): Promise<Question | null> {
    const found = await look(deps, channel, replyTo);
    if (found !== null) return found;
    await sleep(WRITTEN, clock);
    return look(deps, channel, replyTo);
  }

  async function hand(channel: string, { by }: InboundAnswer, question: Question, answer: unknown): Promise<string> {
    const read = answerSchema.safeParse(answer);
    if (!read.success) return `Your text ${read.error.issues[0]?.message ?? 'cannot be used'}.`;
    const answerer = { by: nameOfPerson(by), via: channel };
    try {
      await deps.answer({ id: question.id, seen: seenOf(question), answer: read.data, answerer });
      return doneLine(read.data);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return sentence(error.message);
    }
  }

  async function write(channel: string, given: InboundAnswer, question: Question, text: string): Promise<string> {
    const line = await written(question, text, (answer) => hand(channel, given, question, answer));
    if (given.removesMessage === true && (await store.question(question.id))?.state === 'open')
      deps.showAgain(channel, question.notificationId);
    return line;
  }

  return async (channel, given) => {
    const { reference, replyTo, text } = given;
    if (reference === null) {
      if (text === null || replyTo === null || !deps.mayAnswer(channel)) return null;
      const question = await repliedTo(channel, replyTo);
      return question === null ? null : write(channel, given, question, text);
    }
    const read = readReference(reference);
    if (read === null) return null;
    const question = await store.question(read.id);
    if (question === null || !isProved(key, channel, question, read)) return refuse(channel, given, 'forged');
    if (!deps.mayAnswer(channel)) return notFromHere(deps.unanswered(channel));
    if (read.pressed.says !== 'text') return hand(channel, given, question, pressedAnswer(question, read.pressed));
    return text === null ? 'Write a reply to this message.' : write(channel, given, question, text);
  };
}

const notFromHere = (why: string | null): string =>
  `Belfry does not take answers from here any more: ${why ?? '[answer] channels leaves this channel out'}.`;

/** The question of the message that they replied to. */
async function look(
  { store, asked }: Pick<InboundAnswerDeps, 'store' | 'asked'>,
  channel: string,
  replyTo: Readonly<Record<string, unknown>>,
): Promise<Question | null> {
  const wanted = Object.entries(replyTo);
  if (wanted.length === 0) return null;
  for (const [notificationId, questionId] of asked()) {
    const rows = await store.deliveries({ notificationId, channel, states: ['sent'], limit: MOST_ROWS });
    const isIt = rows.some(({ receipt }) => {
      const fields = Object(receipt) as Readonly<Record<string, unknown>>;
      return wanted.every(([name, value]) => Object.hasOwn(fields, name) && fields[name] === value);
    });
    if (isIt) return store.question(questionId);
  }
  return null;
}

/** A text for a question: of a permission it is why not. */
async function written(
  { kind, subject }: Question,
  text: string,
  give: (answer: unknown) => Promise<string>,
): Promise<string> {
  if (kind === 'text') return give({ type: 'reply', text });
  if (kind === 'permission') {
    if (MEANS_ALLOW.test(text.trim()))
      return 'Nothing was sent. Press Allow to allow it; a text denies it and tells the agent why.';
    return give({ type: 'deny', message: text });
  }
  const { choices } = subjectSchema.parse(subject);
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return give({ type: 'choose', choices: choices.length > 1 ? lines : [text] });
}

function pressedAnswer({ subject }: Question, pressed: Pressed): unknown {
  if (pressed.says !== 'choose') return { type: pressed.says };
  const option = subjectSchema.parse(subject).choices[pressed.question]?.options[pressed.option];
  return { type: 'choose', choices: [option ?? ''] };
}

function doneLine(answer: Answer): string {
  if (answer.type === 'allow') return 'Allowed.';
  if (answer.type === 'deny') return answer.message === null ? 'Denied.' : 'Denied, with your text.';
  return answer.type === 'choose' ? 'Answered.' : 'The agent has your reply.';
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
