// What people are shown of an agent's text: nothing of it hides or reads otherwise, and what is harmless stays as it is.
import { describe, expect, test } from 'vitest';
import { shownLine, shownText } from '../../src/answering/questions/shown-text.ts';
import { subjectOf } from '../../src/answering/questions/subject-of.ts';
import type { AskedQuestion } from '../../src/model/question/answering.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };

const HIDDEN: readonly (readonly [what: string, given: string, shown: string])[] = [
  ['an override', 'touch \u202egnp.txt', 'touch ‹U+202E›gnp.txt'],
  ['an isolate', 'a\u2066b\u2069c', 'a‹U+2066›b‹U+2069›c'],
  ['marks of direction', 'a\u200eb\u200fc\u061cd', 'a‹U+200E›b‹U+200F›c‹U+061C›d'],
  ['a space of no width', 'rm\u200b -rf', 'rm‹U+200B› -rf'],
  ['joiners in no emoji', 'a\u200cb\u200dc', 'a‹U+200C›b‹U+200D›c'],
  ['a soft hyphen', 'a\u00adb', 'a‹U+00AD›b'],
  ['a byte order mark', '\ufeffls', '‹U+FEFF›ls'],
  ['tags', 'a\u{e0072}\u{e006d}', 'a‹U+E0072›‹U+E006D›'],
  ['a variation selector in a word', 'a\ufe0fb\u{e0100}c', 'a‹U+FE0F›b‹U+E0100›c'],
  ['two of them in an emoji', '😀\ufe0f\ufe0f', '😀\ufe0f‹U+FE0F›'],
  ['a terminal sequence', 'ls \u001b[2K\u001b[1Gok', 'ls ‹U+001B›[2K‹U+001B›[1Gok'],
  ['a carriage return', 'rm -rf ~\rls', 'rm -rf ~‹U+000D›ls'],
  ['a backspace', 'rm\b\bls', 'rm‹U+0008›‹U+0008›ls'],
  ['NUL', 'a\0b', 'a‹U+0000›b'],
  ['C1 controls', 'a\u009b2Kb', 'a‹U+009B›2Kb'],
  ['other ends of lines', 'a\u2028b\u2029c\u0085d', 'a‹U+2028›b‹U+2029›c‹U+0085›d'],
  ['an empty Braille pattern', 'a\u2800b', 'a‹U+2800›b'],
  ['fillers', 'a\u3164b\uffa0c', 'a‹U+3164›b‹U+FFA0›c'],
  ['half a surrogate pair', 'a\ud800b', 'a‹U+D800›b'],
  ['a character of private use', 'a\ue000b', 'a‹U+E000›b'],
  ['a letter buried under marks', `a${'\u0301'.repeat(40)}b`, 'a‹40 marks›b'],
];

describe('what hides is shown, and said to have been hidden', () => {
  test.each(HIDDEN)('%s', (_what, given, text) => {
    expect(shownText(given)).toEqual({ text, hid: true });
  });
});

test.each<[what: string, text: string]>([
  ['ASCII with its lines and tabs', 'if true; then\n\techo "a b"\n\nfi'],
  ['letters of many scripts', 'grüße 你好 שלום مرحبا नमस्ते ไทย'],
  ['emoji', '👍🏽 👩‍👩‍👧 ❤️‍🔥 🏳️‍🌈 🧔‍♂️ 🇩🇪 ☎️ ©'],
  ['keys', '1️⃣ #️⃣'],
  ['a line of code that begins far in', `${' '.repeat(40)}return;`],
  ['a few empty lines', 'a\n\n\n\nb'],
])('%s: as it is', (_what, text) => {
  expect(shownText(text)).toEqual({ text, hid: false });
});

test('the end of a line of Windows is one', () => {
  expect(shownText('a\r\nb\r\n')).toEqual({ text: 'a\nb\n', hid: false });
});

test('room with nothing in it moves nothing out of sight', () => {
  expect(shownText(`ls${'\n'.repeat(60)}rm -rf ~/`).text).toBe('ls\n‹59 empty lines›\nrm -rf ~/');
  expect(shownText(`ls${'\n \t'.repeat(60)}\nrm -rf ~/`).text).toBe('ls\n‹60 empty lines›\nrm -rf ~/');
  expect(shownText(`ls${' '.repeat(3_000)}; rm -rf ~/`).text).toBe('ls‹3000 spaces›; rm -rf ~/');
  expect(shownText(`ls${'\u3000 \t'.repeat(50)}; rm -rf ~/`).text).toBe('ls‹150 spaces›; rm -rf ~/');
});

test('what an agent writes like one of our signs is told from it', () => {
  expect(shownText('echo ‹U+200B› ‹3 spaces› ‹guillemets›').text).toBe(
    'echo ‹U+2039›U+200B› ‹U+2039›3 spaces› ‹guillemets›',
  );
});

test('an option is one line', () => {
  expect(shownLine('Blue\n2. Red\t')).toEqual({ text: 'Blue‹U+000A›2. Red‹U+0009›', hid: true });
});

test('hostile texts: nothing is left in them that could hide, and a long one takes no time', () => {
  for (const text of hostile)
    expect(shownText(text).text.replaceAll(/\p{Emoji}/gu, '')).not.toMatch(
      /[\u202a-\u202e\u2066-\u2069\u200b\x00-\x08\x0b-\x1f\x7f-\x9f]/,
    );
  const long = ['\n ', ' \t', '‹1', 'a\u0301', '\u202e', '👩\u200d', '\n\n\na'].map((part) =>
    part.repeat(100_000 / part.length),
  );
  const from = performance.now();
  for (const text of long) shownText(text);
  expect(performance.now() - from).toBeLessThan(2_000);
});

describe('may it be allowed', () => {
  const asked: AskedQuestion = {
    kind: 'permission',
    sessionId: 's',
    cwd: '/tmp',
    subagent: null,
    partial: null,
    choices: [],
    tool: { name: 'Bash', summary: null },
    text: 'touch a.txt',
  };
  const session = { host: 'box', user: 'ada', agent: 'claude', sessionId: 's' };
  const redact = (text: string): string => text.replaceAll('hunter2', '***');
  const partialOf = (more: Partial<AskedQuestion>) =>
    subjectOf({ session, question: { ...asked, ...more } }, redact).partial;

  test.each<[what: string, more: Partial<AskedQuestion>, partial: string | null]>([
    ['all of it is there', {}, null],
    [
      'the client does not say all',
      { partial: 'the plan is shown at the terminal only' },
      'the plan is shown at the terminal only',
    ],
    ['a secret', { text: 'echo hunter2' }, 'a part of it was hidden as a secret'],
    ['something hides', { text: 'touch \u202ea' }, 'it has characters that cannot be seen'],
    [
      'something hides in the name of the tool',
      { tool: { name: 'Ba\u200bsh', summary: null } },
      'it has characters that cannot be seen',
    ],
    ['something hides in its folder', { cwd: '/tmp/\u202e' }, 'it has characters that cannot be seen'],
  ])('%s', (_what, more, partial) => {
    expect(partialOf(more)).toBe(partial);
  });

  // A look at a text of 90 KB for secrets is what a question costs the daemon's loop.
  test('the text is looked through for secrets once, whether it is shown whole or not', () => {
    for (const text of ['touch a.txt', 'echo hunter2']) {
      const looked: string[] = [];
      const count = (given: string): string => {
        looked.push(given);
        return redact(given);
      };
      subjectOf({ session, question: { ...asked, text } }, count);
      expect(looked.filter((one) => one === text)).toHaveLength(1);
    }
  });
});
