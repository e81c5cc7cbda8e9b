// The tables and values of a TOML text with their character ranges, so that one of them can be changed.

/** A table or the value of a key. */
export interface TomlNode {
  readonly path: readonly PropertyKey[];
  readonly kind: 'table' | 'value';
  /** Offsets of the value, or of the table's header. */
  readonly range: readonly [number, number];
  /** Offsets of the key and its value; null of tables and of what is in a list. */
  readonly pair: readonly [number, number] | null;
  /** Offset behind which another key can be put; null: none can. */
  readonly insertAt: number | null;
  /** A table without keys. */
  readonly empty: boolean;
}

/** All of them, in the order of the text, which must parse. */
export async function tomlNodes(text: string): Promise<TomlNode[]> {
  const { parseTOML } = await import('toml-eslint-parser');
  type Body = ReturnType<typeof parseTOML>['body'][0]['body'][number];
  type Pair = Extract<Body, { type: 'TOMLKeyValue' }>;
  const nodes: TomlNode[] = [];
  const addValue = (path: readonly PropertyKey[], value: Pair['value'], pair: TomlNode['pair']): void => {
    const pairs = value.type === 'TOMLInlineTable' ? value.body : null;
    // Behind the last pair, or behind the opening brace.
    const insertAt = pairs === null ? null : (pairs.at(-1)?.range[1] ?? value.range[0] + 1);
    nodes.push({ path, kind: 'value', range: value.range, pair, insertAt, empty: pairs?.length === 0 });
    if (pairs) for (const one of pairs) addPair(path, one);
    if (value.type === 'TOMLArray')
      for (const [i, element] of value.elements.entries()) addValue([...path, i], element, null);
  };
  const addPair = (base: readonly PropertyKey[], pair: Pair): void =>
    addValue(
      [...base, ...pair.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))],
      pair.value,
      pair.range,
    );
  for (const node of parseTOML(text).body[0].body) {
    if (node.type === 'TOMLKeyValue') {
      addPair([], node);
      continue;
    }
    const insertAt = lineEnd(text, node.body.at(-1)?.range[1] ?? node.range[0]);
    const empty = node.body.length === 0;
    nodes.push({ path: node.resolvedKey, kind: 'table', range: node.range, pair: null, insertAt, empty });
    for (const pair of node.body) addPair(node.resolvedKey, pair);
  }
  return nodes;
}

/** The end of the line, before its line feed: a comment behind the last value stays with it. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}
