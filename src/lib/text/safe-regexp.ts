// Regular expressions written by users: what is refused, and how they are run within a time limit.
import { createContext, Script } from 'node:vm';

const LONGEST = 500;

/** Why an expression is refused, as one line; null when it is fine. */
export function regexpFault(source: string): string | null {
  if (source === '') return 'is empty';
  if (source.length > LONGEST) return `is longer than ${LONGEST} characters`;
  let made: RegExp;
  try {
    made = new RegExp(source, 'gu');
  } catch {
    return 'is not a valid regular expression';
  }
  if (made.test('')) return 'matches empty text';
  if (/\\[1-9]|\\k</.test(source)) return 'has a back reference, which can take forever';
  return repeatsRepetition(source) ? 'repeats a group that repeats something itself, which can take forever' : null;
}

/** A group with an unbounded repetition or an alternative inside that is itself repeated without bound: (a+)+, (a|b)*. */
function repeatsRepetition(source: string): boolean {
  const bare = source.replace(/\\./g, 'x').replace(/\[[^\]]*(?:\]|$)/g, 'x');
  const inside: boolean[] = [];
  for (let i = 0; i < bare.length; i++) {
    const sign = bare[i];
    if (sign === '(') inside.push(false);
    else if (sign === ')') {
      const risky = inside.pop() ?? false;
      const repeated = unbounded(bare.slice(i + 1));
      if (risky && repeated) return true;
      if ((risky || repeated) && inside.length > 0) inside[inside.length - 1] = true;
    } else if ((sign === '|' || unbounded(bare.slice(i))) && inside.length > 0) inside[inside.length - 1] = true;
  }
  return false;
}

function unbounded(rest: string): boolean {
  return /^(?:[*+]|\{\d+,(?:\d{3,})?\})/.test(rest);
}

/** Finds where expressions match; null when that took longer than `limit` ms. */
export type Finder = (text: string, limit: number) => readonly (readonly [number, number])[] | null;

/** Prepares expressions that {@link regexpFault} finds no fault with; others are left out. */
export function finder(sources: readonly string[]): Finder {
  const expressions = sources.filter((source) => regexpFault(source) === null);
  // A context of its own because only code that a Script runs can be stopped while an expression backtracks.
  const sandbox: { text: string; sources: readonly string[] } = { text: '', sources: expressions };
  createContext(sandbox);
  new Script('this.expressions = sources.map((source) => new RegExp(source, "gu"));').runInContext(sandbox);
  const search = new Script(
    'expressions.flatMap((e) => Array.from(text.matchAll(e), (m) => [m.index, m.index + m[0].length]))',
  );
  return (text, limit) => {
    sandbox.text = text;
    try {
      return search.runInContext(sandbox, { timeout: limit }) as [number, number][];
    } catch {
      return null;
    } finally {
      sandbox.text = '';
    }
  };
}
