// The whole of what a tool is asked to do, as plain text: what somebody reads who allows it from elsewhere.
import type { JsonObject } from '../../lib/json/json.ts';

/** Keys whose text comes first and as it is, in this order. */
const FIRST = ['command', 'file_path', 'notebook_path', 'path', 'url'];
/** Keys of a difference, with the mark of each of their lines. */
const LINES: Readonly<Record<string, string>> = { old_string: '- ', new_string: '+ ', content: '+ ', new_source: '+ ' };

/** Nothing is left out: what has no form of its own is shown as JSON. */
export function subjectText(input: JsonObject): string {
  const keys = Object.keys(input);
  const ordered = [...FIRST.filter((key) => keys.includes(key)), ...keys.filter((key) => !FIRST.includes(key))];
  return ordered.map((key) => part(key, input[key])).join('\n');
}

function part(key: string, value: unknown): string {
  if (typeof value !== 'string') return `${key}: ${JSON.stringify(value)}`;
  const mark = Object.hasOwn(LINES, key) ? LINES[key] : undefined;
  if (mark !== undefined)
    return value
      .split('\n')
      .map((line) => mark + line)
      .join('\n');
  return FIRST.includes(key) ? value : `${key}: ${value}`;
}
