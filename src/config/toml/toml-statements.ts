// A TOML text cut into its tables and top-level settings, each with the comments that belong to it.

/** One of them; all of them together are the whole text. */
export interface TomlStatement {
  /** Its name, with the place of a table in its list; empty: what stands before the first one. */
  readonly path: readonly PropertyKey[];
  readonly text: string;
  /** What of the text are comments that stand apart from it, with an empty line between: at its beginning, and behind the last one at its end. */
  readonly before: string;
  readonly after: string;
}

/** In the order of the text, which must parse. Comments belong to what follows them, unless an empty line stands between. */
export async function tomlStatements(text: string): Promise<readonly TomlStatement[]> {
  const { parseTOML } = await import('toml-eslint-parser');
  const nodes = parseTOML(text).body[0].body.map((node) => {
    const isPair = node.type === 'TOMLKeyValue';
    const path: readonly PropertyKey[] = isPair
      ? node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))
      : node.resolvedKey;
    const last = isPair ? node.range[1] : (node.body.at(-1)?.range[1] ?? node.key.range[1]);
    return { path, start: lineStart(text, node.range[0]), end: afterLine(text, last) };
  });
  const starts = nodes.map(({ start }, i) => boundary(text, nodes[i - 1]?.end ?? 0, start));
  const [first = text.length] = starts;
  const own = nodes.map(({ path, start, end }, i) => {
    const next = starts[i + 1];
    const before = apart(text.slice(starts[i], start));
    return { path, text: text.slice(starts[i], next), before, after: next === undefined ? behind(text, end) : '' };
  });
  return first === 0 ? own : [{ path: [], text: text.slice(0, first), before: '', after: '' }, ...own];
}

/** Of the comments before a statement those that an empty line parts from it, with that line. */
function apart(comments: string): string {
  const lines = comments.split(/(?<=\n)/);
  return lines.slice(0, lines.findLastIndex((line) => line.trim() === '') + 1).join('');
}

/** The comments behind the last statement, from the first empty line on. */
function behind(text: string, end: number): string {
  const at = boundary(text, end, text.length);
  return at === end ? '' : text.slice(at);
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

function afterLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** Where the second of two begins: behind the first empty lines between them, else right behind the first. */
function boundary(text: string, from: number, to: number): number {
  let at = from;
  let isEmptySeen = false;
  while (at < to) {
    const next = afterLine(text, at);
    const isEmpty = text.slice(at, next).trim() === '';
    if (isEmptySeen && !isEmpty) return at;
    isEmptySeen ||= isEmpty;
    at = next;
  }
  return isEmptySeen ? to : from;
}
