// Kinds of secrets: at least 99 of 100 are gone, whatever stands around them. Three lists: by form alone (secrets.json), by the name beside them (named.json)
// and by their place, such as a file's format or a command (places.json). What is inside << >> must not survive, without them all of it.
// Examples are made at run time, so that no file holds what looks like a leaked key.
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/redaction/index.ts';
import { exampleOf, seeded } from './examples.ts';
import named from './named.json' with { type: 'json' };
import places from './places.json' with { type: 'json' };
import forms from './secrets.json' with { type: 'json' };
import { findBySecretlint } from './secretlint.ts';
import { namesOf, SURROUNDINGS } from './surroundings.ts';

const redactor = createRedactor({ patterns: [] });

/** A text and the part of it that must be gone. */
interface Example {
  readonly text: string;
  readonly secret: string;
}

/** What can stand around a secret that shows by its form what it is, in each of the six surroundings. `S` is its place. */
const AROUND = [
  'S',
  'VALUE=S\nNEXT=1',
  'run --value S --next',
  '{"a":"{\\"value\\":\\"S\\"}"}',
  'a:\n  value: S\n  next: 1',
  'X-Value: S\r\nAccept: */*',
  'I set S in the environment and ran it again.',
  'Done: S.',
  '`S`',
  'prüfe S 请 👍',
];
/** What can stand around a line of a file, a command or a sentence. */
const BESIDE = ['S', 'before\nS\nafter', '```\nS\n```', 'I ran this:\n\n    S\n\nand it works.', '# why\r\nS', '> S'];
const COUNT = 3;

function inTexts(form: string, around: readonly string[]): Example[] {
  const [, before = '', secret = '', after = ''] = /^([\s\S]*)<<([\s\S]*)>>([\s\S]*)$/.exec(form) ?? ['', '', form, ''];
  const draw = seeded(20_260_601);
  return Array.from({ length: COUNT }, () => {
    const made = exampleOf(secret, draw);
    const whole = exampleOf(before, draw) + made + exampleOf(after, draw);
    return around.map((text) => ({ text: text.replace('S', () => whole), secret: made }));
  }).flat();
}

function byName(name: string, form: string): Example[] {
  const draw = seeded(20_260_602);
  return Object.values(SURROUNDINGS).flatMap((ways) =>
    ways.flatMap((way) =>
      Array.from({ length: COUNT }, () => {
        const secret = exampleOf(form, draw);
        return { text: way(namesOf(name), secret), secret };
      }),
    ),
  );
}

const results = [
  ...forms.map(({ kind, form }) => ({ kind, made: inTexts(form, AROUND) })),
  ...named.map(({ kind, name, form }) => ({ kind: `${kind}, by name`, made: byName(name, form) })),
  ...places.map(({ kind, form }) => ({ kind: `${kind}, by place`, made: inTexts(form, BESIDE) })),
].map(({ kind, made }) => {
  const survived = made.filter(({ text, secret }) => {
    const left = redactor.text(text);
    return left.includes(secret) || left.includes(JSON.stringify(secret).slice(1, -1));
  });
  return { kind, made: made.length, survived, texts: made.map(({ text }) => redactor.text(text)) };
});

describe('secrets', () => {
  test('the lists have 130 kinds and more, each by form, by name and by place', () => {
    for (const list of [forms, named, places]) expect(new Set(list.map(({ kind }) => kind)).size).toBe(list.length);
    expect(new Set(results.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(390);
    expect(results.every(({ made }) => made >= 6)).toBe(true);
  });

  test('99 of 100 are redacted over all kinds', () => {
    const made = results.reduce((sum, r) => sum + r.made, 0);
    const survived = results.flatMap((r) => r.survived);
    const shown = survived.slice(0, 5).map(({ text }) => text);
    expect(survived.length / made, shown.join('\n')).toBeLessThanOrEqual(0.01);
  });

  test('secretlint finds nothing that was left', () => {
    const left = results.flatMap(({ texts }) => texts.filter((text) => findBySecretlint(text).length > 0));
    expect(left.slice(0, 5)).toEqual([]);
  });

  test.each(results.map((r) => [r.kind, r] as const))('%s: hardly any escapes', (_kind, { made, survived }) => {
    expect(survived.length / made, survived.map(({ text }) => text).join('\n')).toBeLessThanOrEqual(0.05);
  });
});
