// Runs secretlint's recommended rules over a text: a second opinion for the tests. A host of our own, since secretlint's core is not installed,
// and it obeys comments in the text that switch rules off.
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { Span } from '../../src/redaction/spans.ts';

/** What a rule is given and gives back, as far as it is used here. */
interface Rule {
  readonly meta: { readonly id: string };
  create(
    context: {
      createTranslator(messages: unknown): (id: string) => { message: string; messageId: string };
      report(found: { range: readonly number[] }): void;
      ignore(): void;
    },
    options: Readonly<Record<string, unknown>>,
  ): { file?(source: unknown): void | Promise<void> };
}

let found: Span[] = [];
const running = (rules as unknown as readonly Rule[]) // the types of the package are those of its core, which is not installed
  .filter(({ meta }) => !meta.id.endsWith('filter-comments'))
  .map((rule) => {
    const kind = rule.meta.id.replace(/^.*secretlint-rule-/, '').replace(/[^a-z0-9]+/g, ' ');
    return rule.create(
      {
        createTranslator: () => (id) => ({ message: id, messageId: id }),
        report: ({ range: [start = 0, end = 0] }) => void found.push({ start, end, kind }),
        ignore: () => undefined,
      },
      { enableIDScanRule: true, allows: [] },
    );
  });

/** What the rules report in a text. They do their work before their first await, so the answer is complete on return. */
export function findBySecretlint(content: string): Span[] {
  found = [];
  const source = { content, filePath: '', ext: '', contentType: 'text', hasBOM: false };
  for (const rule of running) {
    try {
      Promise.resolve(rule.file?.(source)).catch(() => undefined); // the file-reading half of a rule finds no file
    } catch {
      // A rule that stumbles over a text leaves it to the other rules and to our own patterns.
    }
  }
  return found;
}
