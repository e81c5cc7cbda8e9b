// What each hostile case at a terminal rests on: without it that case must fail.
import type { Control } from './control.ts';

const tests = 'test/hostile/terminal.test.ts';

export const CONTROLS: readonly Control[] = [
  {
    without: 'the check that nothing that has a number is open before numbers begin at 1 again',
    file: 'src/cli/reading/pending-numbers.ts',
    find: '(await isOld(file))',
    replace: 'file !== ""',
    tests,
    fail: ['a number of an earlier list allows nothing that was asked later, though another terminal has listed that'],
  },
  {
    without: 'the check that a question belongs to what was named',
    file: 'src/cli/commands/answer/find-question.ts',
    find: 'notifications.includes(notificationId)',
    replace: 'notifications.includes(notificationId) || notificationId !== ""',
    tests,
    fail: ['the id of an event allows nothing that its session asks since then'],
  },
  {
    without: 'the check whether the session was all that was named',
    file: 'src/cli/commands/answer/answer.ts',
    find: 'meant.isUnseen && options.ifHash === undefined',
    replace: 'meant.isUnseen && options.ifHash === ""',
    tests,
    fail: [
      'the id of a session allows nothing in a script, where nobody was shown what it asks',
      'the id of a session allows nothing on a terminal before somebody has said yes to what is shown',
    ],
  },
  {
    without: 'the check of the word yes',
    file: 'src/cli/commands/answer/answer-one-by-one.ts',
    find: "sure !== 'yes' && sure !== 'y'",
    replace: 'sure === null',
    tests,
    fail: ['the id of a session allows nothing on a terminal before somebody has said yes to what is shown'],
  },
  {
    without: 'the time in which keys are thrown away',
    file: 'src/cli/commands/answer/prompter.ts',
    find: '!(await dropTyped())',
    replace: '!dropTyped',
    tests,
    fail: ['keys that were pressed before a question was shown allow nothing'],
  },
  {
    without: 'the check that somebody can type',
    file: 'src/cli/commands/answer/answer.ts',
    find: 'io.tty && !io.json && process.stdin.isTTY === true',
    replace: 'io.tty && !io.json',
    tests,
    fail: ['words from a pipe allow nothing, though the screen is a terminal'],
  },
  {
    without: 'the bar before the lines of an agent',
    file: 'src/cli/commands/pending/quoted-text.ts',
    find: "const BAR = '│ ';",
    replace: "const BAR = '';",
    tests,
    fail: ['lines of an agent that read like ours stand behind its bar'],
  },
];
