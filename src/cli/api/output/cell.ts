// Any value of the service as a short text on one line, safe for a terminal.
import { oneLine } from '../../../lib/text/text.ts';

/** `grouped`: for people (1,234,567); `plain`: for programs. */
export type Words = 'grouped' | 'plain';

const SHOWN = 3;
/** Numbers of a field called ...At beyond this are Unix ms. */
const FIRST_TIME = 1e11;
const TIME = /At$/;
const ISO = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/;

/** `column` distinguishes times from other numbers. */
export function cell(column: string, value: unknown, words: Words): string {
  if (value === undefined || value === null) return words === 'plain' ? '' : '–';
  if (typeof value === 'number') return number(column, value, words);
  if (typeof value === 'string') return words === 'plain' ? oneLine(value) : text(column, oneLine(value));
  if (Array.isArray(value)) return list(value, words);
  if (typeof value === 'object') return list(Object.entries(value), words);
  return String(value);
}

function text(column: string, value: string): string {
  const [, day, minute] = (TIME.test(column) && ISO.exec(value)) || [];
  return day === undefined ? value : `${day} ${minute}Z`;
}

function number(column: string, value: number, words: Words): string {
  if (TIME.test(column) && value > FIRST_TIME && value < 8.64e15) return text(column, new Date(value).toISOString());
  if (words === 'plain') return String(value);
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** The first items, and how many more there are. */
function list(items: readonly unknown[], words: Words): string {
  const shown = (words === 'plain' ? items : items.slice(0, SHOWN)).map((one) => item(one, words));
  const left = items.length - shown.length;
  return `${shown.filter((one) => one !== '').join(', ')}${left > 0 ? `, +${left}` : ''}`;
}

/** An item by its text or name, with its number, state or error. */
function item(value: unknown, words: Words): string {
  if (typeof value !== 'object' || value === null) return cell('', value, words);
  if (Array.isArray(value))
    return value.map((part) => (typeof part === 'object' ? '…' : cell('', part, words))).join(' ');
  const fields = value as Readonly<Record<string, unknown>>;
  if (typeof fields['text'] === 'string') return oneLine(fields['text']);
  if (typeof fields['type'] === 'string') return `[${oneLine(fields['type'])}]`;
  const name = fields['name'] ?? Object.values(fields).find((part) => typeof part === 'string') ?? '';
  const more = fields['error'] ?? fields['status'] ?? Object.values(fields).find((part) => typeof part === 'number');
  return [name, more]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => cell('', part, words))
    .join(' ');
}
