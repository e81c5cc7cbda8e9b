// How long the files and functions of the product are.
import ts from 'typescript';
import { read, sources } from './files.ts';

/** A file or function, and its lines. */
export interface Length {
  readonly name: string;
  readonly lines: number;
}

export const fileLengths = (): Length[] =>
  sources.map((file) => ({ name: file, lines: read(file).split('\n').length - 1 }));

/** Every function with a body, from its first to its last line; one without a name is called by its line. */
export const functionLengths = (): Length[] => sources.filter((file) => /\.tsx?$/.test(file)).flatMap(functionsOf);

function functionsOf(file: string): readonly Length[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const found: Length[] = [];
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
