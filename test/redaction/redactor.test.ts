// Properties of redaction: stable, total, bounded; the user's own patterns; levels.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { regexpFault } from '../../src/lib/text/safe-regexp.ts';
import { atLevel, createRedactor, redactContent } from '../../src/redaction/index.ts';
import { eventOf, notificationOf } from '../contracts/channel.ts';
import { exampleOf, seeded } from './examples.ts';
import kinds from './secrets.json' with { type: 'json' };

const plain = createRedactor({ patterns: [] });
const own = createRedactor({ patterns: ['ACME-[0-9]{8}', '[Rr]edacted', 'e'] });

/** Text with all that could lead patterns astray: pieces of secrets, marks, signs, whole secrets. */
const pieces = fc.constantFrom(
  ...kinds.map(({ form }, i) => exampleOf(form.replace('<<', '').replace('>>', ''), seeded(i))),
  '[redacted]',
  '[redacted: token]',
  '[redacted',
  ']',
  'password=',
  'token: ',
  '://',
  '@',
  'Bearer ',
  '\n',
  '"',
  "'",
  '-----BEGIN RSA PRIVATE KEY-----',
  'ACME-12345678',
);
const texts = fc
  .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ maxLength: 20 })), { maxLength: 8 })
  .map((all) => all.join(''));

describe('properties', () => {
  test.each([
    ['built in', plain],
    ['own patterns', own],
  ])('never throws, and a second time changes nothing: %s', (_name, redactor) => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = redactor.text(text);
        expect(redactor.text(once)).toBe(once);
      }),
      { numRuns: 400 },
    );
  });

  test('text around a secret stays', () => {
    fc.assert(
      fc.property(fc.constantFrom('ghp', 'gho', 'ghs'), fc.stringMatching(/^[a-z ,.]{0,30}$/), (prefix, around) => {
        const token = exampleOf(`${prefix}_[A-Za-z0-9]{36}`, seeded(around.length));
        expect(plain.text(`${around} ${token} ${around}`)).toBe(`${around} [redacted: github-pat] ${around}`);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    'a'.repeat(300_000),
    'password'.repeat(40_000),
    '-----BEGIN RSA PRIVATE KEY-----'.repeat(9_000),
    'authorization: bearer '.repeat(9_000),
    'https://a:'.repeat(20_000),
    'eyJ'.repeat(60_000),
    'A1b'.repeat(60_000),
    ' '.repeat(300_000),
  ])('text made to be slow is bounded: %#', (text) => {
    expect(plain.text(text).length).toBeLessThanOrEqual(text.length + 100_000);
  });

  test('of text that is too long the beginning is kept, without half a secret at its end', () => {
    const token = exampleOf('ghp_[A-Za-z0-9]{36}', seeded(1));
    for (let shift = 0; shift < 44; shift += 3) {
      const out = plain.text(`${'word '.repeat(39_990 - 8)}${'x'.repeat(shift)} ${token} ${'more '.repeat(5_000)}`);
      expect(out.slice(-60)).not.toContain(token.slice(0, 12));
    }
  });

  test('a comment in the text switches nothing off', () => {
    const token = exampleOf('ghp_[A-Za-z0-9]{36}', seeded(2));
    expect(plain.text(`// secretlint-disable\nconst t = "${token}"`)).not.toContain(token);
  });
});

describe('own patterns', () => {
  test('are taken out wherever they stand', () => {
    expect(createRedactor({ patterns: ['ACME-[0-9]{8}'] }).text('see ACME-12345678, ACME-1')).toBe(
      'see [redacted], ACME-1',
    );
  });

  test.each([
    ['ACME-[0-9]{8}', null],
    ['(?:foo|bar)-\\d+', null],
    ['internal\\.example\\.com', null],
    ['[', /not a valid/],
    ['', /empty/],
    ['a*', /matches empty text/],
    ['x'.repeat(501), /longer than/],
    ['(a+)+b', /repeats a group/],
    ['(a|a)*b', /repeats a group/],
    ['((?:\\w+)\\s?)*x', /repeats a group/],
    ['(x)\\1', /back reference/],
  ])('%s', (pattern, fault) => {
    if (fault === null) expect(regexpFault(pattern)).toBeNull();
    else expect(regexpFault(pattern)).toMatch(fault);
  });

  test('one that the check lets through but that takes too long hides the text rather than hold everything up', () => {
    const slow = createRedactor({ patterns: ['a*a*a*a*a*a*a*a*a*a*a*a*b'] });
    expect(slow.text('a'.repeat(5_000))).toBe('[redacted]');
    expect(slow.text('short')).toBe('short');
  });
});

describe('levels', () => {
  const token = exampleOf('ghp_[A-Za-z0-9]{36}', seeded(3));
  const event = eventOf({
    message: `first line ${token}\nsecond`,
    reason: 'prompt_input_exit',
    project: 'payments',
    sessionId: 'session-1',
    attributes: { deep: [{ token }] },
  });
  const messages = [{ role: 'assistant', text: `used ${token}`, at: null, from: 'input' }] as const;
  const notification = redactContent(
    notificationOf({ title: `t ${token}`, body: `first line ${token}\nsecond line`, event, context: { messages } }),
    plain,
  );

  test('no text of a notification keeps a secret', () => {
    expect(JSON.stringify(notification)).not.toContain(token);
    expect(notification.body).toBe('first line [redacted: github-pat]\nsecond line');
  });

  test.each([
    ['full', 'first line [redacted: github-pat]\nsecond line', 1],
    ['short', 'first line [redacted: github-pat]', 0],
    ['title', '', 0],
  ] as const)('%s', (level, body, count) => {
    const left = atLevel(notification, level);
    expect(left.body).toBe(body);
    expect(left.context.messages).toHaveLength(count);
    const none = { message: null, cwd: null, branch: null, reason: null, detail: null, project: null, sessionId: null };
    if (level === 'title') expect(left.event).toMatchObject({ ...none, attributes: {}, place: null });
  });
});
