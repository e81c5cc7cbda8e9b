// What each hostile case over a chat rests on: without it that case must fail.
import type { Control } from './control.ts';

const tests = 'test/hostile/chat.test.ts';

export const CONTROLS: readonly Control[] = [
  {
    without: 'the check of who presses and writes in Telegram',
    file: 'src/channels/telegram/receive.ts',
    find: '!settings.allow?.includes(from.id)',
    replace: 'settings.allow === undefined',
    tests,
    fail: [
      'a Telegram user who is not in allow presses Allow, and nothing is allowed',
      'a Telegram user who is not in allow writes words for the agent, and it gets none of them',
    ],
  },
  {
    without: 'the check of who presses and writes in Slack',
    file: 'src/channels/slack-app/receive.ts',
    find: 'return allow.includes(user.id);',
    replace: "return allow.includes(user.id) || user.id !== '';",
    tests,
    fail: [
      'somebody else in the Slack channel presses Allow, and nothing is allowed',
      'somebody else in the Slack channel writes words for the agent, and it gets none of them',
    ],
  },
  {
    without: 'the proof of a button',
    file: 'src/answering/answers/inbound-answer.ts',
    find: '!isProved(key, channel, question, read)',
    replace: "(read.proof === '' && !isProved(key, channel, question, read))",
    tests,
    fail: [
      'a callback with a guessed proof, which nobody was given, allows nothing',
      'the Deny button with the letter of Allow in front of it allows nothing',
      'the button of a harmless question allows no other one',
      'a button that was made for one chat allows nothing from another',
    ],
  },
  {
    without: 'what the button says in its proof',
    file: 'src/answering/answers/button-references.ts',
    find: '[channel, asked.id, seenOf(asked), letter]',
    replace: '[channel, asked.id, seenOf(asked), letter === ""]',
    tests,
    fail: ['the Deny button with the letter of Allow in front of it allows nothing'],
  },
  {
    without: 'the question in the proof of a button',
    file: 'src/answering/answers/button-references.ts',
    find: '[channel, asked.id, seenOf(asked), letter]',
    replace: '[channel, letter, seenOf(asked) === ""]',
    tests,
    fail: ['the button of a harmless question allows no other one'],
  },
  {
    without: 'the channel in the proof of a button',
    file: 'src/answering/answers/button-references.ts',
    find: '[channel, asked.id, seenOf(asked), letter]',
    replace: '[channel === "", asked.id, seenOf(asked), letter]',
    tests,
    fail: ['a button that was made for one chat allows nothing from another'],
  },
  {
    without: 'the look into [answer] channels at each press',
    file: 'src/answering/answers/inbound-answer.ts',
    find: 'if (!deps.mayAnswer(channel)) return notFromHere',
    replace: "if (!deps.mayAnswer(channel) && channel === '') return notFromHere",
    tests,
    fail: ['a press of a chat that [answer] channels left out meanwhile allows nothing, and says why'],
  },
  {
    without: 'the check whether somebody has answered',
    file: 'src/answering/answers/take-answer.ts',
    find: 'if (answeredBy !== null) throw',
    replace: "if (answeredBy !== null && answeredBy === '') throw",
    tests,
    fail: ['the second of two presses reaches nobody, whatever it says, and hears who was first'],
  },
  {
    without: 'the check whether a question has ended',
    file: 'src/answering/answers/take-answer.ts',
    find: "if (state === 'closed') throw",
    replace: "if (state === 'closed' && closed === '') throw",
    tests,
    fail: ['a press after the end says how it ended, and allows nothing that the session asks then'],
  },
];
