// Credit limits from JSON: a list of {"email", "limit"}, the same below "users", or {"EMAIL": LIMIT}.
import { type Contents, type Found, toNumber } from './limit.ts';
import { isObject } from '../../lib/json/json.ts';
import { errorMessage } from '../../lib/text/error-message.ts';

const SHAPES = 'must be a list of {"email", "limit"}, {"users": [...]} or {"EMAIL": LIMIT, ...}';

/** The entries of a JSON text. */
export function jsonLimits(text: string): Contents {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const at = Number(/position (\d+)/.exec(errorMessage(error))?.[1] ?? text.length);
    return { found: [], errors: [{ line: lineAt(text, at), what: 'invalid JSON from here on' }] };
  }
  const users = isObject(value) && 'users' in value ? value['users'] : value;
  if (Array.isArray(users)) {
    const lines = linesOfEntries(text, users === value ? 0 : text.indexOf('"users"') + '"users"'.length);
    return { found: users.map((one: unknown, i) => entry(one, lines[i] ?? 1)), errors: [] };
  }
  if (users !== value || !isObject(value)) return { found: [], errors: [{ line: 1, what: SHAPES }] };
  const found = Object.entries(value).map(([email, limit]) =>
    entry({ email, limit }, lineAt(text, text.indexOf(JSON.stringify(email)))),
  );
  return { found, errors: [] };
}

function entry(value: unknown, line: number): Found {
  const { email, limit } = isObject(value) ? value : {};
  const written = typeof limit === 'string' ? limit : (JSON.stringify(limit) ?? '');
  const number = typeof limit === 'number' ? limit : typeof limit === 'string' ? toNumber(limit) : Number.NaN;
  return { line, written, email: typeof email === 'string' ? email.trim() : '', limit: number };
}

const lineAt = (text: string, at: number): number => text.slice(0, Math.max(0, at)).split('\n').length;

/** The line on which each entry of the first list after `start` begins; the text is JSON. */
function linesOfEntries(text: string, start: number): number[] {
  const lines: number[] = [];
  let depth = 0;
  let line = lineAt(text, start);
  let expected = false;
  for (let i = start; i < text.length; i++) {
    const c = text[i] ?? '';
    if (c === '\n') line++;
    if (/\s/.test(c)) continue;
    if (expected && c !== ']') lines.push(line);
    expected = depth === 1 && c === ',';
    if (c === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++;
    } else if (c === '[' || c === '{') {
      depth++;
      expected = depth === 1;
    } else if ((c === ']' || c === '}') && --depth === 0) break;
  }
  return lines;
}
