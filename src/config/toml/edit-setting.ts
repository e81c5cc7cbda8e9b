// Changes one setting in the text of config.toml; comments, order and everything else stay as they are.
import { parse, stringify } from 'smol-toml';
import { tomlKey } from './inline-toml.ts';
import { tomlNodes, type TomlNode } from './toml-nodes.ts';
import { tomlStatements } from './toml-statements.ts';

/** The text with the change, or why it cannot be made here. */
export type Edited = { readonly text: string } | { readonly refused: string };

/** `channels.team.url`, `routes[0].to`, `channels."my team".url`; null: not a path. */
export function parseSettingPath(text: string): (string | number)[] | null {
  const parts: (string | number)[] = [];
  const part = /(?:^|\.)(?:([A-Za-z0-9_-]+)|"([^"]*)")|\[(\d{1,6})\]/y;
  while (part.lastIndex < text.length) {
    const found = part.exec(text);
    if (!found) return null;
    parts.push(found[3] === undefined ? (found[1] ?? found[2] ?? '') : Number(found[3]));
  }
  return typeof parts[0] === 'string' ? parts : null;
}

/** What a value typed on the command line may mean: TOML when it is, and the text itself. */
export function valueCandidates(given: string): string[] {
  const quoted = stringify({ v: given }).replace(/^v = /, '').trimEnd();
  try {
    const read = parse(`v = ${given}`);
    return Object.keys(read).length === 1 && !/[\r\n]/.test(given) ? [given.trim(), quoted] : [quoted];
  } catch {
    return [quoted];
  }
}

/** Sets `path` to a value in TOML; the text must parse. */
export async function editSetting(text: string, path: readonly (string | number)[], value: string): Promise<Edited> {
  const nodes = await tomlNodes(text);
  const at = (wanted: readonly PropertyKey[]): TomlNode | undefined =>
    nodes.find((node) => node.path.length === wanted.length && node.path.every((part, i) => part === wanted[i]));
  const known = at(path);
  if (known?.kind === 'value') return { text: splice(text, known.range, value) };
  if (known) return { refused: 'is a table: name one setting in it' };
  const key = path.at(-1);
  if (typeof key !== 'string') return { refused: 'is not there to be changed: use `belfry config edit`' };
  const parent = at(path.slice(0, -1));
  const line = `${tomlKey(key)} = ${value}`;
  const feed = text.includes('\r\n') ? '\r\n' : '\n';
  if (parent?.kind === 'value') {
    if (parent.insertAt === null) return { refused: 'is below a value that is not a table' };
    const separator = parent.empty ? ' ' : ', ';
    return { text: splice(text, [parent.insertAt, parent.insertAt], `${separator}${line}${parent.empty ? ' ' : ''}`) };
  }
  if (parent?.insertAt != null) return { text: splice(text, [parent.insertAt, parent.insertAt], `${feed}${line}`) };
  const above = path.slice(0, -1);
  const index = above.findLastIndex((part) => typeof part === 'number');
  if (index >= 0 && !nodes.some((node) => startsWith(node.path, above.slice(0, index + 1))))
    return { refused: 'is not there to be changed: use `belfry config edit` to add a table to a list' };
  if (above.length === 0) return { refused: 'is not the name of a setting: write SECTION.SETTING' };
  const header = `[${above
    .filter((part) => typeof part === 'string')
    .map(tomlKey)
    .join('.')}]`;
  // In a list of tables a new table belongs to the last one, so it could end up in another than was meant.
  if (index >= 0) return { refused: 'is not there to be changed: use `belfry config edit`' };
  const gap = text === '' ? '' : text.endsWith('\n') ? feed : feed + feed;
  return { text: `${text}${gap}${header}${feed}${line}${feed}` };
}

/** Takes a setting or an item of a list out, with its line where it has one of its own; the text as it is where there is none. The text must parse. */
export async function unsetSetting(text: string, path: readonly (string | number)[]): Promise<string> {
  const nodes = await tomlNodes(text);
  const own = nodes.find((node) => node.path.length === path.length && startsWith(node.path, path));
  const around = nodes.findLast((node) => node.path.length < path.length && startsWith(path, node.path));
  const isItem = own?.kind === 'value' && around?.kind === 'value';
  const range = own?.pair ?? (isItem ? own.range : null);
  if (range === null) return text;
  const [from, to] = range;
  const end = text.indexOf('\n', to);
  const line = [text.lastIndexOf('\n', from - 1) + 1, end < 0 ? text.length : end + 1] as const;
  if (around?.kind !== 'value' || hasOwnLine(text, range, line)) return splice(text, line, '');
  const after = /^\s*,[ \t]*/.exec(text.slice(to))?.[0].length ?? 0;
  if (after > 0) return splice(text, [from, to + after], '');
  const before = text.slice(0, from).trimEnd();
  return splice(text, [before.endsWith(',') ? before.slice(0, -1).trimEnd().length : from, to], '');
}

/** Of an item: nothing but its comma and its comment stands beside it. */
function hasOwnLine(
  text: string,
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): boolean {
  return text.slice(start, from).trim() === '' && /^[ \t]*,[ \t]*(?:#.*)?\r?\n?$/.test(text.slice(to, end));
}

/**
 * Takes out what there is at a path: a setting, an item of a list, or a table with all that is below it and the comments right above it. Null:
 * there is nothing. The text must parse.
 */
export async function removeSetting(text: string, path: readonly (string | number)[]): Promise<string | null> {
  const isBelow = (node: { readonly path: readonly PropertyKey[] }): boolean => startsWith(node.path, path);
  const nodes = await tomlNodes(text);
  if (!nodes.some(isBelow)) return null;
  if (nodes.some((node) => node.kind === 'value' && node.path.length === path.length && isBelow(node)))
    return unsetSetting(text, path);
  const statements = await tomlStatements(text);
  const last = statements.at(-1);
  const left = statements.reduce((kept, one) => {
    if (!isBelow(one)) return kept + one.text;
    const head = kept + one.before;
    // A comment at the end of the file stands apart still.
    const gap = one === last && one.after.trim() !== '' && head !== '' && !/\n[ \t]*\r?\n$/.test(head) ? '\n' : '';
    return head + gap + one.after;
  }, '');
  let without = last !== undefined && isBelow(last) ? withoutEmptyEnd(left) : left;
  // Dotted keys of a table further up. Where a table went from a list, the next one has its place.
  while (typeof path.at(-1) === 'string') {
    const next = (await tomlNodes(without)).find((node) => node.pair !== null && isBelow(node));
    if (next === undefined) break;
    without = await unsetSetting(
      without,
      next.path.map((part) => (typeof part === 'number' ? part : String(part))),
    );
  }
  return without;
}

/** Without the table that a setting was taken out of, where nothing but its header is left of it: no key, no table below, no comment. The text must parse. */
export async function withoutEmptyTable(text: string, path: readonly (string | number)[]): Promise<string> {
  const table = path.slice(0, -1);
  if (typeof table.at(-1) !== 'string') return text; // in a list the next one would have its place
  const nodes = await tomlNodes(text);
  const isAtLeast = ({ path: one }: { readonly path: readonly PropertyKey[] }): boolean => startsWith(one, table);
  if (nodes.filter(isAtLeast).length !== 1 || nodes.find(isAtLeast)?.empty !== true) return text;
  const { text: whole = '', before = '', after = '' } = (await tomlStatements(text)).find(isAtLeast) ?? {};
  const left = whole.slice(before.length, whole.length - after.length);
  if (left.split('\n').filter((line) => line.trim() !== '').length !== 1 || /\][ \t]*#/.test(left)) return text;
  return (await removeSetting(text, table)) ?? text;
}

/** Without the empty lines at its end; not by a search, which a long run of them would hold up. */
function withoutEmptyEnd(text: string): string {
  const end = text.trimEnd().length;
  const newline = text.indexOf('\n', end);
  return newline < 0 ? text : text.slice(0, newline + 1);
}

function startsWith(path: readonly PropertyKey[], beginning: readonly PropertyKey[]): boolean {
  return beginning.every((part, i) => path[i] === part);
}

function splice(text: string, [from, to]: readonly [number, number], with_: string): string {
  return text.slice(0, from) + with_ + text.slice(to);
}
