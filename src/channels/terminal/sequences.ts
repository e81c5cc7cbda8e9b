// The sequences by which terminals are given a notification, and which terminal takes which. Pure.
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { Urgency } from '../../model/event/event.ts';
import { briefBody } from '../shared/readable-body.ts';

/** The three that are in use, each named after its number. */
export type Sequence = 'osc9' | 'osc777' | 'osc99';

export const BELL = '\x07';
const ESC = '\x1b';
const osc = (text: string): string => `${ESC}]${text}${ESC}\\`;

/** Names of terminals, as TERM_PROGRAM, TERM or the terminal's own answer has them. All others take none: a bell is all that they get. */
const TAKES: readonly (readonly [RegExp, Sequence])[] = [
  [/^(?:xterm-)?kitty\b/i, 'osc99'],
  [/^foot\b/i, 'osc777'],
  [/^(?:xterm-)?ghostty\b/i, 'osc777'],
  [/^wezterm\b/i, 'osc777'],
  [/^(?:rxvt-unicode|urxvt)\b/i, 'osc777'],
  [/^WarpTerminal\b/i, 'osc777'],
  [/^iTerm/i, 'osc9'],
  [/^Windows_Terminal\b/i, 'osc9'],
];

/** What the terminal of this name takes; null: nothing that is known. */
export function sequenceOf(terminal: string | null): Sequence | null {
  return TAKES.find(([name]) => name.test(terminal ?? ''))?.[1] ?? null;
}

/** Most bytes of a title and of a body. */
const TITLE = 240;
const BODY = 480;
const MOST_LINES = 2;

/** What is shown, as one line each. */
export interface TerminalNote {
  /** The same for every form of one notification. */
  readonly id: string;
  readonly title: string;
  /** May be empty. */
  readonly body: string;
  readonly urgency: Urgency;
}

const cut = (text: string, limit: number): string => cutGraphemes(oneLine(text), limit, Buffer.byteLength);

/** Without a control character: nothing in it ends or begins a sequence. */
export function toNote({ content, notificationId }: OutgoingMessage): TerminalNote {
  return {
    id: notificationId.replace(/[^\w-]/g, '_').slice(0, 80),
    title: cut(content.title, TITLE) || 'Belfry',
    body: cut(briefBody(content, MOST_LINES).replaceAll('\n', ' · '), BODY),
    urgency: content.urgency,
  };
}

const LEVEL: Readonly<Record<Urgency, 0 | 1 | 2>> = { low: 0, normal: 1, urgent: 2 };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const FORMS: Readonly<Record<Sequence, (note: TerminalNote) => string>> = {
  // Terminals read a number at its beginning as another command, such as progress.
  osc9: ({ title, body }) => {
    const text = [title, body].filter((part) => part !== '').join(': ');
    return osc(`9;${/^\d/.test(text) ? `Belfry: ${text}` : text}`);
  },
  // What follows the second semicolon is the body.
  osc777: ({ title, body }) => osc(`777;notify;${title.replaceAll(';', ',')};${body}`),
  // sw.kovidgoyal.net/kitty/desktop-notifications: a later one with the same id takes the place of the earlier.
  osc99: ({ id, title, body, urgency }) =>
    osc(`99;i=${id}:d=${body === '' ? 1 : 0}:e=1:u=${LEVEL[urgency]}:p=title;${base64(title)}`) +
    (body === '' ? '' : osc(`99;i=${id}:d=1:e=1:p=body;${base64(body)}`)),
};

/** The bytes that show a notification. */
export const showSequence = (sequence: Sequence, note: TerminalNote): string => FORMS[sequence](note);

/** The bytes that take it away again; empty where the terminal has no such thing. */
export const closeSequence = (sequence: Sequence | null, { id }: Pick<TerminalNote, 'id'>): string =>
  sequence === 'osc99' ? osc(`99;i=${id}:p=close;`) : '';

/** Wrapped so that tmux hands it on to its own terminal and keeps nothing of it. */
export function throughTmux(bytes: string): string {
  return bytes === '' ? '' : `${ESC}Ptmux;${bytes.replaceAll(ESC, ESC + ESC)}${ESC}\\`;
}
