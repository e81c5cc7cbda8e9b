// The text that Telegram shows: no markup, entities of ours only (core.telegram.org/bots/api, "MessageEntity"; offsets in UTF-16 units).
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { AnswerButton } from '../../model/question/shown-question.ts';
import { bodyWithQuestion } from '../shared/question-text.ts';

/** Longest text, UTF-16 units. */
const LONGEST = 4_096;
const LONGEST_TITLE = 256;
/** Of a question, UTF-16 units: with the title, and a joiner in every word, all of it is shown. */
const WITH_QUESTION = 2_500;
/** More options than these are written. */
const MOST_BUTTONS = 10;
/** Entities that a message may have. */
const MOST_ENTITIES = 100;
/** Within a word it keeps Telegram from seeing a mention, and takes no room. */
const JOINER = '\u2060';

/** Telegram itself makes mentions and commands of these wherever they are, but in code. */
const ACTIVE = /(?<!\w)@\w{1,64}|(?<![\w/<>])\/\w{1,64}(?:@\w{1,64})?(?![\w/<>])/g;

export interface TelegramText {
  readonly text: string;
  /** That answer the question behind it. */
  readonly buttons: readonly AnswerButton[];
  readonly entities: readonly { readonly type: 'bold' | 'code'; readonly offset: number; readonly length: number }[];
}

/** Title in bold, then the body. Nobody is mentioned, and no command can be tapped. */
export function telegramText(message: OutgoingMessage): TelegramText {
  const title = cutGraphemes(oneLine(message.content.title) || 'Belfry', LONGEST_TITLE);
  const { text: body, buttons } = bodyWithQuestion(message, {
    limit: message.question === null ? LONGEST : WITH_QUESTION,
    mostButtons: MOST_BUTTONS,
    howToWrite: 'Reply to this message',
  });
  const whole = cutGraphemes(body === '' ? title : `${title}\n${body}`, LONGEST);
  const found = [...whole.matchAll(ACTIVE)];
  const code = found
    .slice(0, MOST_ENTITIES - 1)
    .map(({ index, 0: word }) => ({ type: 'code' as const, offset: index, length: word.length }));
  // Bold and code may not overlap: the title is bold up to the first word that is code.
  const bold = Math.min(title.length, code[0]?.offset ?? title.length);
  const text = disarmed(whole, found.slice(MOST_ENTITIES - 1));
  const shown = [...(bold > 0 ? [{ type: 'bold' as const, offset: 0, length: bold }] : []), ...code];
  return { text, entities: shown, buttons };
}

/** What no entity is left for gets a joiner behind its sign; all of it lies behind the last entity. */
function disarmed(text: string, words: readonly RegExpExecArray[]): string {
  const [first] = words;
  if (!first) return text;
  const rest = text.slice(first.index).replace(ACTIVE, (word) => word.replace(/[@/]/g, `$&${JOINER}`));
  return cutGraphemes(text.slice(0, first.index) + rest, LONGEST);
}

/** The name of a session's topic: Telegram takes 1 to 128 characters. */
export function topicName({ content }: OutgoingMessage): string {
  const { project, branch, sessionId, agent } = content.event;
  const place = [project, branch].filter((part) => part !== null).join(' ');
  const name = oneLine(`${place === '' ? agent : place} ${sessionId?.slice(0, 8) ?? ''}`);
  return cutGraphemes(name, 128) || 'Belfry';
}
