// Options that were shown without their secrets: the agent gets back the option as it asked.
import { expect, test } from 'vitest';
import { withOriginalOptions } from '../../src/answering/answers/original-options.ts';

const choice = (...options: string[]) => ({
  question: 'Which?',
  options,
  multiple: true,
  descriptions: options.map(() => null),
});
const ASKED = [choice('use sk-1234', 'use none'), choice('key a-1', 'key b-2')];
const SHOWN = [choice('use [redacted: key]', 'use none'), choice('key [redacted]', 'key [redacted]')];

test.each<[string[][], string[][]]>([
  [[['use [redacted: key]']], [['use sk-1234']]],
  [[['use [redacted: key]', 'use none']], [['use sk-1234', 'use none']]],
  [[['something else']], [['something else']]],
])('%j is given as %j', (chosen, expected) => {
  expect(withOriginalOptions({ type: 'choose', chosen }, SHOWN, ASKED)).toEqual({ type: 'choose', chosen: expected });
});

test('options that look the same cannot be chosen from elsewhere', () => {
  const chosen = [['use none'], ['key [redacted]']];
  expect(() => withOriginalOptions({ type: 'choose', chosen }, SHOWN, ASKED)).toThrow(/at the terminal/);
});

test('another answer is as it was', () => {
  expect(withOriginalOptions({ type: 'reply', text: 'go on' }, SHOWN, ASKED)).toEqual({ type: 'reply', text: 'go on' });
});
