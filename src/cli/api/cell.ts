// Any value of the service as a few words on one line, harmless to a terminal.
import { cutGraphemes, oneLine } from '../../lib/text.ts';

/** `grouped`: for people (1,234,567); `plain`: for programs. */
export type Words = 'grouped' | 'plain';

const LONGEST = 72;
const SHOWN = 3;
/** Numbers of a field called ...At beyond this are Unix ms. */
const FIRST_TIME = 1e11;

/** `column` tells times from other numbers. */
export function cell(column: string, value: unknown, words: Words): string {
  if (value === undefined || value === null) return words === 'plain' ? '' : '–';
  if (typeof value === 'number') return number(column, value, words);
  if (typeof value === 'string') return words === 'plain' ? oneLine(value) : cutGraphemes(oneLine(value), LONGEST);
  if (Array.isArray(value)) return list(value, words);
  if (typeof value === 'object') return list(Object.entries(value), words);
  return String(value);
}

function number(column: string, value: number, words: Words): string {
  if (/At$/.test(column) && value > FIRST_TIME && value < 8.64e15)
    return new Date(value)
      .toISOString()
      .replace(/:\d\d\.\d+Z$/, 'Z')
      .replace('T', ' ');
  if (words === 'plain') return String(value);
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** The first items, and how many more there are. */
function list(items: readonly unknown[], words: Words): string {
  const failed = items.find((one) => typeof one === 'object' && one !== null && 'error' in one && one.error);
  const shown = (failed ? [failed] : items.slice(0, words === 'plain' ? items.length : SHOWN)).map((one) =>
    item(one, words),
  );
  const left = failed ? 0 : items.length - shown.length;
  const text = `${shown.filter((one) => one !== '').join(', ')}${left > 0 ? `, +${left}` : ''}`;
  return words === 'plain' ? text : cutGraphemes(text, LONGEST);
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
