// What people read of a question: all of it, quoted so that none of it looks like a line of ours, or its beginning and where the rest is.
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { AnswerButton, MessageQuestion } from '../../model/question/shown-question.ts';
import { shownBody } from './shown-body.ts';

/** A question within the room of one message. */
export interface QuestionText {
  readonly text: string;
  /** Without the one that allows, where not all is shown. */
  readonly buttons: readonly AnswerButton[];
}

/** How a channel shows it. */
export interface QuestionRoom {
  /** Most that the text may cost. */
  readonly limit: number;
  /** What a text costs, UTF-16 units unless given. */
  readonly cost?: (text: string) => number;
  /** Most lines; no bound unless given. */
  readonly lines?: number;
  /** How words are given here, such as "Reply to this message"; null: not here. */
  readonly howToWrite: string | null;
  /** Buttons that there is room for. */
  readonly mostButtons: number;
}

const MARK = '│ ';

/** The body of a message and its buttons: what is asked takes the body's place; what was finished stays as it is. */
export function bodyWithQuestion(message: OutgoingMessage, room: QuestionRoom): QuestionText {
  const { question, resolution } = message;
  const body = shownBody(message);
  if (question === null) return { text: body, buttons: [] };
  const cost = room.cost ?? unitsOf;
  if (question.kind === 'text') {
    const { notes, buttons } = notesOf(question, room, null);
    const left = room.limit - (notes === '' ? 0 : cost(`\n${notes}`));
    return { text: joined(cutGraphemes(body, left, cost), notes), buttons };
  }
  const why = resolution === null ? '' : `✓ ${oneLine(resolution.why)}`;
  const { text, buttons } = questionText(question, {
    ...room,
    limit: room.limit - (why === '' ? 0 : cost(`${why}\n`)),
  });
  return { text: joined(why, text), buttons };
}

const unitsOf = (text: string): number => text.length;

/** Fits the question into the room; its notes always fit. */
function questionText(question: MessageQuestion, room: QuestionRoom): QuestionText {
  const cost = room.cost ?? unitsOf;
  const asked = question.kind === 'choice' ? choicesText(question) : question.text;
  const quoted = quote(asked);
  const fits = (notes: string): boolean =>
    cost(joined(quoted, notes)) <= room.limit && quoted.split('\n').length <= (room.lines ?? Infinity);
  const usual = notesOf(question, room, null);
  if (fits(usual.notes)) return { text: joined(quoted, usual.notes), buttons: usual.buttons };
  const cut = notesOf(question, room, `this is the beginning of ${[...asked].length} characters`);
  const start = quoted
    .split('\n')
    .slice(0, room.lines ?? Infinity)
    .join('\n');
  const left = room.limit - cost(`\n${cut.notes}`);
  const beginning = cutGraphemes(start, left, cost);
  const ending = beginning === start && !beginning.endsWith('…') ? `${beginning}…` : beginning;
  return {
    text: joined(cost(joined(ending, cut.notes)) <= room.limit ? ending : beginning, cut.notes),
    buttons: cut.buttons,
  };
}

const joined = (quoted: string, notes: string): string => [quoted, notes].filter((part) => part !== '').join('\n');

function quote(text: string): string {
  const trimmed = text.replace(/^\n+|\n+$/g, '');
  return trimmed === '' ? '' : trimmed.replace(/^/gm, MARK);
}

function choicesText({ choices }: MessageQuestion): string {
  return choices
    .map(({ question, options, descriptions }) =>
      [question, ...options.flatMap((option, at) => [`${at + 1}. ${option}`, ...said(descriptions[at])])].join('\n'),
    )
    .join('\n\n');
}

/** Indented below its option. */
const said = (description: string | null | undefined): readonly string[] =>
  description ? [description.trimEnd().replace(/^/gm, '   ')] : [];

/** `hidden`: why what is shown is not all, besides what the question says itself. */
function notesOf(
  { kind, partial, allowAt, choices, buttons: all }: MessageQuestion,
  { howToWrite, mostButtons }: QuestionRoom,
  hidden: string | null,
): { notes: string; buttons: readonly AnswerButton[] } {
  const why = partial ?? hidden;
  const usable = all.filter(({ says }) => says !== 'allow' || why === null);
  const words = usable.filter(({ says }) => says === 'text');
  const pressed = usable.filter(({ says }) => says !== 'text');
  // Options are of use only together.
  const tooMany = kind === 'choice' && pressed.length > mostButtons;
  const shown = (tooMany ? [] : pressed).slice(0, mostButtons);
  const buttons = [...shown, ...words];
  const notes: string[] = [];
  if (kind === 'permission' && why !== null)
    notes.push(partial === null ? `Not all is shown (${why}). ${allowAt}` : allowAt);
  else if (why !== null) notes.push(`Not all is shown (${why}).`);
  if (kind === 'permission' && howToWrite !== null) notes.push(`${howToWrite} to deny it and say why.`);
  if (kind === 'text' && howToWrite !== null) notes.push(`${howToWrite} to give it its next instruction.`);
  if (kind === 'choice')
    notes.push(
      howToWrite === null
        ? shown.length === 0
          ? 'Answer at its terminal.'
          : ''
        : `${howToWrite} to answer in words${choices.length > 1 ? ', one line for each question' : ''}.`,
    );
  return { notes: notes.filter((note) => note !== '').join('\n'), buttons };
}
