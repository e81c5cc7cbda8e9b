// The length of functions: one fits a screen.
import ts from 'typescript';
import { expect, test } from 'vitest';
import { read, sources } from './files.ts';

/** Lines of one function, from its first to its last brace. */
const MOST = 60;

interface Measured {
  readonly name: string;
  readonly lines: number;
}

/** Every function of a file with a body; one without a name is called by its line. */
function functionsOf(file: string): readonly Measured[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const found: Measured[] = [];
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = lineOf(node.getStart(source));
      const name = node.name?.getText(source) ?? `line ${first + 1}`;
      found.push({ name: `${file} ${name}`, lines: lineOf(node.end) - first + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('no function is longer than 60 lines', { timeout: 120_000 }, () => {
  const code = sources.filter((file) => file.startsWith('src/') && /\.tsx?$/.test(file));
  const long = code.flatMap(functionsOf).filter(({ lines }) => lines > MOST);
  expect(long).toEqual([]);
});
