// No regular expression that meets input takes long, whatever the text: 64 KB in 50 ms. The texts are made from each expression. Also the whole pass.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { finder } from '../../src/lib/text/safe-regexp.ts';
import { createRedactor } from '../../src/redaction/index.ts';
import { CONTEXTUAL_PATTERNS } from '../../src/redaction/contextual-patterns.ts';
import { TOKEN_FORMATS, tokens } from '../../src/redaction/token-formats.ts';
import { hostileTexts, LENGTH } from './hostile.ts';

/** Ms that one expression may take on one text, the best of some tries: what else the machine does is not its fault. */
const BUDGET = 50;
const TRIES = 5;
/** Matches after which a search has done its part: what costs time is how it fails, not that there is much to find. */
const MATCHES = 2_000;

/** Texts an expression: `npm run torture -- patterns` tries them all. */
const TEXTS = process.env['BELFRY_TORTURE'] === undefined ? 6 : Number.POSITIVE_INFINITY;

/** The best time of a few, in processor time of this process: one within the budget is enough. */
function msOf(work: () => unknown, budget = BUDGET): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES && best > budget; i++) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

/** One search, stopped after ten seconds: a hopeless expression fails its case instead of holding up the run for ever. */
function stoppable(expression: RegExp, text: string): void {
  Object.assign(given, { expression, text });
  searching.runInContext(given, { timeout: 10_000 });
}

const given = createContext({ search });
const searching = new Script('search(expression, text)');

function search(expression: RegExp, text: string): void {
  if (expression.sticky) {
    // It is tried at one place at a time, not searched for.
    for (expression.lastIndex = 0; expression.lastIndex < LENGTH; ) {
      const at = expression.lastIndex;
      if (!expression.test(text)) expression.lastIndex = at + 97;
      else if (expression.lastIndex === at) expression.lastIndex++;
    }
    return;
  }
  const all = new RegExp(expression.source, `${expression.flags.replace(/[gy]/g, '')}g`);
  let count = 0;
  for (const _match of text.matchAll(all)) if (++count >= MATCHES) break;
}

/** The slowest of the texts made from an expression. */
function slowest(expression: RegExp): { ms: number; text: string } {
  return hostileTexts(expression.source, TEXTS)
    .map((text) => ({ ms: msOf(() => stoppable(expression, text)), text: JSON.stringify(text.slice(0, 120)) }))
    .reduce((most, next) => (next.ms > most.ms ? next : most), { ms: 0, text: '' });
}

/** Every regular expression written as such in a folder. */
function expressionsIn(folder: string): [string, RegExp][] {
  const found: [string, RegExp][] = [];
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )) {
    const source = ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const [, body = '', flags = ''] = /^\/([\s\S]*)\/([a-z]*)$/.exec(node.text) ?? [];
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push([`${file}:${line + 1}`, new RegExp(body, flags)]);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

const root = new URL('../../', import.meta.url).pathname;
const EXPRESSIONS: readonly (readonly [string, RegExp])[] = [
  ...TOKEN_FORMATS.map(({ kind, find }) => [kind, find] as const),
  ...CONTEXTUAL_PATTERNS.map(({ kind, find }, i) => [`${kind} (place ${i + 1})`, find] as const),
  ...expressionsIn(join(root, 'src')),
  ...expressionsIn(join(root, 'hooks')),
];

test.each(EXPRESSIONS)('%s', (_name, expression) => {
  const { ms, text } = slowest(expression);
  expect(ms, text).toBeLessThan(BUDGET);
});

describe('the whole', () => {
  test('all forms at once', () => {
    const texts = TOKEN_FORMATS.flatMap(({ find }) => hostileTexts(find.source, 2));
    for (const text of texts)
      expect(
        msOf(() => tokens(text), BUDGET * 4),
        text.slice(0, 120),
      ).toBeLessThan(BUDGET * 4);
  });

  // Rounds repeat while something is found, so the pass as a whole has more time than one expression.
  test('a pass', () => {
    const redactor = createRedactor({ patterns: [] });
    for (const [name, { source }] of EXPRESSIONS.slice(0, TOKEN_FORMATS.length + CONTEXTUAL_PATTERNS.length)) {
      const [text = ''] = hostileTexts(source, 1);
      expect(
        msOf(() => redactor.text(`${text} ${Math.random()}`), BUDGET * 20),
        name,
      ).toBeLessThan(BUDGET * 20);
    }
  });

  test('patterns of the user are stopped', () => {
    const find = finder(['a*a*a*a*a*a*b', '\\w+\\d+x']);
    const start = performance.now();
    expect(find('a'.repeat(LENGTH), 100)).toBeNull();
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
