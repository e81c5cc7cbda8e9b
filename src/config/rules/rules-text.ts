// The part of config.toml that says who is notified of what and when, as one text, and the file with another text in its place.
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import type { JsonObject } from '../../lib/json/json.ts';
import { type TomlStatement, tomlStatements } from '../toml/toml-statements.ts';

/** The sections that are rules. */
export const RULE_SECTIONS = ['routes', 'quiet', 'messages'] as const;

/** Whether a section of the file is one of them. */
export const isRuleSection = (section: unknown): boolean => RULE_SECTIONS.some((name) => name === section);

const isRule = ({ path }: TomlStatement): boolean => isRuleSection(path[0]);

/** The rules of a file in their order, with their comments; line feeds alone. The text must parse. */
export async function rulesTextOf(file: string): Promise<string> {
  const own = (await tomlStatements(file)).filter(isRule).map(({ text }) => withLineFeed(plain(text)));
  return own.join('').trimEnd() === '' ? '' : `${own.join('').trimEnd()}\n`;
}

/**
 * The file with these rules in place of its own: all else, comments included, stays as it is and where it is, and so do the rules that are the
 * same. Null: they cannot be put into this file without changing what else it says. Both texts must parse.
 */
export async function withRulesText(file: string, rules: string): Promise<string | null> {
  const before = await tomlStatements(file);
  const fresh = statementsOf(await tomlStatements(rules));
  const feed = file.includes('\r\n') ? '\r\n' : '\n';
  for (const placed of [changedOnly(before, fresh), atFirst(before, fresh), atEnd(before, fresh)]) {
    const text = joined(placed, feed);
    if (says(text, file, plain(rules).replaceAll('\n', feed))) return text;
  }
  return null;
}

const plain = (text: string): string => text.replaceAll('\r\n', '\n');
const withLineFeed = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** What stands before the first one goes with it. */
function statementsOf([first, ...rest]: readonly TomlStatement[]): readonly TomlStatement[] {
  if (first === undefined || (first.path.length === 0 && first.text.trim() === '')) return rest;
  const [second, ...others] = rest;
  if (first.path.length > 0 || second === undefined) return [first, ...rest];
  return [{ ...second, text: first.text + second.text }, ...others];
}

const isSame = (a: TomlStatement | undefined, b: TomlStatement | undefined): boolean =>
  a !== undefined && b !== undefined && plain(a.text).trimEnd() === plain(b.text).trimEnd();

/** A file of old and new statements. */
interface Placed {
  readonly statements: readonly TomlStatement[];
  readonly fresh: readonly TomlStatement[];
  /** The new ones take the place of none, so that there is no empty line around them yet. */
  readonly isApart: boolean;
}

/** Those that are the same at the beginning and at the end stay. */
function changedOnly(before: readonly TomlStatement[], fresh: readonly TomlStatement[]): Placed {
  const own = before.filter(isRule);
  const least = Math.min(own.length, fresh.length);
  let head = 0;
  while (head < least && isSame(own[head], fresh[head])) head++;
  let tail = 0;
  while (tail < least - head && isSame(own.at(-1 - tail), fresh.at(-1 - tail))) tail++;
  const gone = own.slice(head, own.length - tail);
  const come = endingAs(gone.at(-1), fresh.slice(head, fresh.length - tail));
  const next = gone[0] ?? (head === 0 ? own[0] : undefined);
  const last = own[head - 1];
  const placed = before.flatMap((one) => [
    ...(one === next ? come : []),
    ...(gone.includes(one) ? [] : [one]),
    ...(next === undefined && one === last ? come : []),
  ]);
  const statements = next === undefined && last === undefined ? [...before, ...come] : placed;
  return { statements, fresh: come, isApart: gone.length === 0 };
}

/** The last of them with the empty lines that the one had which it takes the place of. */
function endingAs(gone: TomlStatement | undefined, come: readonly TomlStatement[]): readonly TomlStatement[] {
  const last = come.at(-1);
  if (gone === undefined || last === undefined) return come;
  const text = last.text.trimEnd() + gone.text.slice(gone.text.trimEnd().length);
  return [...come.slice(0, -1), { ...last, text }];
}

/** All of them where the first one was. */
function atFirst(before: readonly TomlStatement[], fresh: readonly TomlStatement[]): Placed {
  const first = before.find(isRule);
  const statements = before.flatMap((one) => [...(one === first ? fresh : []), ...(isRule(one) ? [] : [one])]);
  return { statements, fresh, isApart: true };
}

/** All of them behind everything else. */
function atEnd(before: readonly TomlStatement[], fresh: readonly TomlStatement[]): Placed {
  return { statements: [...before.filter((one) => !isRule(one)), ...fresh], fresh, isApart: true };
}

/** What is new has the file's line feeds, and an empty line between it and what is no rule; everything else stays as it is. */
function joined({ statements, fresh, isApart }: Placed, feed: string): string {
  return statements
    .map((one, i) => {
      const own = fresh.includes(one) ? plain(one.text).replaceAll('\n', feed) : one.text;
      const next = statements[i + 1];
      const line = own === '' || own.endsWith('\n') ? own : own + feed;
      const isBorder = isApart && next !== undefined && fresh.includes(one) !== fresh.includes(next);
      return !isBorder || isRule(one) === isRule(next) || line.trim() === '' || /\n[\t ]*\r?\n$/.test(line)
        ? line
        : line + feed;
    })
    .join('');
}

/** Whether it says the same as the file but for the rules, and of these what the others say. */
function says(text: string, file: string, rules: string): boolean {
  let input: JsonObject;
  try {
    input = parse(text, { unsafeKeyBehaviour: 'throw' });
  } catch {
    return false; // what was put together is no TOML: a table in a place where there can be none
  }
  const was: JsonObject = parse(file);
  const wanted: JsonObject = parse(rules);
  const names = [input, was, wanted].flatMap((one) => Object.keys(one));
  return names.every((name) => isDeepStrictEqual(input[name], (isRuleSection(name) ? wanted : was)[name]));
}
