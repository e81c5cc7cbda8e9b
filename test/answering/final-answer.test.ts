// What somebody chose, as the agent gets it: options by their text or number, words of one's own, and numbers that no option has.
import { expect, test } from 'vitest';
import { finalAnswer } from '../../src/answering/answers/answer-for-agent.ts';

const asked = (options: string[], multiple: boolean) => ({
  agent: 'claude',
  sessionId: 's',
  cwd: null,
  subagent: null,
  tool: null,
  text: 'Which?',
  partial: null,
  choices: [{ question: 'Which?', options, descriptions: options.map(() => null), multiple }],
});
const chosen = (options: string[], multiple: boolean, text: string) =>
  finalAnswer('choice', asked(options, multiple), { type: 'choose', choices: [text] });

test.each<[string[], boolean, string, readonly string[]]>([
  [['Blue', 'Red'], false, '2', ['Red']],
  [['Blue', 'Red'], false, 'rEd', ['Red']],
  [['Blue', 'Red'], false, '3 of them', ['3 of them']],
  [['Blue', 'Red'], true, '2, 1', ['Red', 'Blue']],
  [['Blue, pale', 'Red'], true, 'Blue, pale', ['Blue, pale']],
  [['Blue', 'Red'], true, '2, green', ['2, green']],
  [['1', '5'], false, '3', ['3']], // where options are numbers, another number is an answer
  [['5 minutes', '10 minutes'], false, '15', ['15']],
  [[], false, '3', ['3']],
])('of %j (several: %j) "%s" is %j', (options, multiple, text, expected) => {
  expect(chosen(options, multiple, text)).toEqual({ type: 'choose', chosen: [expected] });
});

test.each<[boolean, string, string]>([
  [false, '3', '3'],
  [false, '0', '0'],
  [true, '1,3', '3'],
])('a number that no option has is no answer (several: %j): "%s"', (multiple, text, slip) => {
  expect(() => chosen(['Blue', 'Red'], multiple, text)).toThrow(
    `it has no option ${slip}, only 1 to 2; an answer of your own needs words (nothing was sent)`,
  );
});
