// Kinds of secrets (secrets.json): at least 99 of 100 are gone, whatever stands around them. Each line there is the form of a secret; what is inside
// << >> must not survive, without them all of it. Examples are made at run time, so that no file holds what looks like a leaked key.
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/redaction/index.ts';
import { exampleOf, seeded } from './examples.ts';
import kinds from './secrets.json' with { type: 'json' };

const redactor = createRedactor({ patterns: [] });

/** What can stand around a secret. `S` is its place. */
const AROUND = [
  'S',
  'I set S in the environment and ran it again.',
  'Done: S.',
  '  "value": "S",\n  "next": 1',
  'first line\nS\nlast line',
  '`S`',
  'export VALUE=S && ./run.sh',
  'prüfe S 请 👍',
];

/** Examples of a form: the text to look at and the part that must be gone. */
function examples(form: string, count: number): { text: string; secret: string }[] {
  const [, before = '', secret = '', after = ''] = /^([\s\S]*)<<([\s\S]*)>>([\s\S]*)$/.exec(form) ?? ['', '', form, ''];
  const draw = seeded(20_260_601);
  return Array.from({ length: count }, () => {
    const made = exampleOf(secret, draw);
    return { text: exampleOf(before, draw) + made + exampleOf(after, draw), secret: made };
  });
}

const COUNT = 10;
const results = kinds.map(({ kind, form }) => {
  const made = examples(form, COUNT).flatMap(({ text, secret }) =>
    AROUND.map((around) => ({ text: around.replace('S', () => text), secret })),
  );
  const survived = made.filter(({ text, secret }) => redactor.text(text).includes(secret));
  return { kind, made: made.length, survived };
});

describe('secrets', () => {
  test('the list has 60 kinds and more', () => {
    expect(new Set(kinds.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(60);
  });

  test('99 of 100 are redacted over all kinds', () => {
    const made = results.reduce((sum, r) => sum + r.made, 0);
    const survived = results.flatMap((r) => r.survived);
    expect(
      survived.length / made,
      survived
        .slice(0, 5)
        .map(({ text }) => text)
        .join('\n'),
    ).toBeLessThanOrEqual(0.01);
  });

  test.each(results.map((r) => [r.kind, r] as const))(
    '%s: none of the kind escapes as a whole',
    (_kind, { made, survived }) => {
      expect(survived.length / made, survived[0]?.text ?? '').toBeLessThanOrEqual(0.05);
    },
  );
});
