// Line and column of every key and value in a TOML text.
import type { Issue, Diagnostic } from '../diagnostic.ts';
import { keyOf } from '../diagnostic.ts';

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Spot {
  readonly path: readonly PropertyKey[];
  readonly key: Position;
  readonly value: Position;
}

/** Gives each issue its line and column; the text must parse. The parser is loaded only here: most files are valid. */
export async function locate(text: string, found: readonly Issue[]): Promise<Diagnostic[]> {
  if (found.length === 0) return [];
  const spots = await spotsOf(text);
  return found
    .map(({ path, point, message }) => {
      const spot = nearestSpot(spots, path);
      const place = spot === null ? { line: 1, column: 1 } : spot.path.length < path.length ? spot.key : spot[point];
      return { ...place, key: keyOf(path), message };
    })
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

function nearestSpot(spots: readonly Spot[], path: readonly PropertyKey[]): Spot | null {
  let best: Spot | null = null;
  for (const spot of spots) {
    if (spot.path.length > path.length || spot.path.some((part, i) => part !== path[i])) continue;
    if (best === null || spot.path.length > best.path.length) best = spot;
  }
  return best;
}

async function spotsOf(text: string): Promise<Spot[]> {
  const { parseTOML } = await import('toml-eslint-parser');
  type Content = Extract<ReturnType<typeof parseTOML>['body'][0]['body'][number], { type: 'TOMLKeyValue' }>['value'];
  const spots: Spot[] = [];
  const place = (at: { line: number; column: number }): Position => ({ line: at.line, column: at.column + 1 });
  const visit = (path: readonly PropertyKey[], value: Content): void => {
    if (value.type === 'TOMLInlineTable') for (const pair of value.body) visitPair(path, pair);
    if (value.type !== 'TOMLArray') return;
    value.elements.forEach((element, index) => {
      const start = place(element.loc.start);
      spots.push({ path: [...path, index], key: start, value: start });
      visit([...path, index], element);
    });
  };
  const visitPair = (
    base: readonly PropertyKey[],
    pair: Extract<Content, { type: 'TOMLInlineTable' }>['body'][number],
  ) => {
    const path = [...base];
    for (const key of pair.key.keys) {
      path.push(key.type === 'TOMLBare' ? key.name : key.value);
      const at = place(key.loc.start);
      spots.push({ path: [...path], key: at, value: place(pair.value.loc.start) });
    }
    visit(path, pair.value);
  };
  for (const node of parseTOML(text).body[0].body) {
    if (node.type === 'TOMLKeyValue') {
      visitPair([], node);
      continue;
    }
    // Tables of arrays carry their index in the resolved key only, so the written keys are laid over it from the left.
    let written = 0;
    node.resolvedKey.forEach((part, i) => {
      if (typeof part === 'string') written++;
      const at = place((node.key.keys[Math.max(0, written - 1)] ?? node.key).loc.start);
      spots.push({ path: node.resolvedKey.slice(0, i + 1), key: at, value: at });
    });
    for (const pair of node.body) visitPair(node.resolvedKey, pair);
  }
  return spots;
}
