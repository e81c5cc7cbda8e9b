// The checks that keep an answer from what was not shown, each taken out once.
import type { Control } from './control.ts';

const ASKED = 'test/hostile/question.test.ts';
const WHOLE = 'test/hostile/question-whole.test.ts';
const PLAN = 'test/hostile/question-plan.test.ts';

/** Of characters that hide. */
const HIDDEN = [
  'a command whose reading order is turned is allowed by no way',
  'a command with isolates and marks of direction is allowed by no way',
  'a command with characters that take no room is allowed by no way',
  'a command hidden in tags and variation selectors is allowed by no way',
  'a command that overwrites what a terminal shows is allowed by no way',
  'a tool that goes by a name with hidden characters is allowed by no way',
];
const SECRET = 'a command with a secret in it is allowed by no way';

export const CONTROLS: readonly Control[] = [
  {
    without: 'the check of what was seen',
    file: 'src/answering/answers/take-answer.ts',
    find: '    if (!wasSeen(question, seen)) throw new ChangedError(NOT_NOW);\n',
    replace: '',
    tests: ASKED,
    fail: [
      'over HTTP, what was seen of another question allows nothing, and the question as it is comes back',
      'over HTTP, a guess and a value cut short allow nothing',
      'over HTTP, the value of a question is another one for the same words asked again',
      'over the socket, what was seen of another question, or nothing, allows nothing',
    ],
  },
  {
    without: 'the demand for what was seen',
    file: 'src/http/api/notifications.ts',
    find: '        .min(1)\n        .max(100)\n',
    replace: "        .default('')\n",
    tests: ASKED,
    fail: ['over HTTP, an answer that does not say what was seen is refused, and is told what to give'],
  },
  {
    without: 'the check of whether somebody was first',
    file: 'src/daemon/http/person-actions.ts',
    find: 'if (by !== null) return new Refusal(409',
    replace: "if (by === 'nobody') return new Refusal(409",
    tests: ASKED,
    fail: ['an answer to what somebody has answered says who was first, whatever it has seen'],
  },
  {
    without: 'the check of whether anybody waits',
    file: 'src/daemon/http/person-actions.ts',
    find: "return question?.state === 'closed' ?",
    replace: "return question?.state === 'never' ?",
    tests: ASKED,
    fail: ['an answer to what nobody waits for any more reaches nobody'],
  },
  {
    without: 'the key of what is handed out',
    file: 'src/daemon/http/reads/notifications.ts',
    find: '    seen: seenOf(question),',
    replace: '    seen: question.nonce,',
    tests: ASKED,
    fail: [
      'over HTTP, what was seen of another question allows nothing, and the question as it is comes back',
      'what is handed out with a question is in no list of a reader but the one value, and the nonce in none',
    ],
  },
  {
    without: 'the rule that only what is shown whole is allowed',
    file: 'src/model/question/allowed-answers.ts',
    find: 'return isWhole ? ',
    replace: 'return isWhole || kind ? ',
    tests: WHOLE,
    fail: [...HIDDEN, SECRET],
  },
  {
    without: 'the check of characters that hide',
    file: 'src/answering/questions/subject-of.ts',
    find: '(hid ? UNSEEN : null)',
    replace: 'null',
    tests: WHOLE,
    fail: HIDDEN,
  },
  {
    without: 'the check of hidden secrets',
    file: 'src/answering/questions/subject-of.ts',
    find: 'question.partial ?? secret ??',
    replace: 'question.partial ??',
    tests: WHOLE,
    fail: [SECRET],
  },
  {
    without: 'what stands for room with nothing in it',
    file: 'src/answering/questions/shown-text.ts',
    find: '/\\n(?:[ \\t]*\\n){9,}/g',
    replace: '/(?!)/g',
    tests: WHOLE,
    fail: ['a tail behind sixty empty lines and three thousand spaces is in sight, in each way'],
  },
  {
    without: 'the check of whether all of it fits into the message',
    file: 'src/channels/shared/question-text.ts',
    find: "all.filter(({ says }) => says !== 'allow' || why === null)",
    replace: 'all',
    tests: WHOLE,
    fail: ['what does not fit whole into a message has no Allow there, and says where it can be allowed'],
  },
  {
    without: 'the rule that words never allow',
    file: 'src/answering/answers/inbound-answer.ts',
    find: "return give({ type: 'deny', message: text });",
    replace: "return give({ type: 'allow' });",
    tests: WHOLE,
    fail: ['an answer in letters that only look like "allow" allows nothing, by command line and in a chat'],
  },
  {
    without: 'the option that a button names',
    file: 'src/answering/answers/inbound-answer.ts',
    find: 'options[pressed.option]',
    replace: 'options[0]',
    tests: WHOLE,
    fail: ['options that only look alike: the one that was pressed is given, and each is shown with what it does'],
  },
  {
    without: 'the line that an option is',
    file: 'src/answering/questions/subject-of.ts',
    find: 'shown(shownLine, option)',
    replace: 'shown(shownText, option)',
    tests: WHOLE,
    fail: ['an option that would pass for two is shown as one line'],
  },
  {
    without: 'the second look at the plan',
    file: 'src/answering/answers/take-answer.ts',
    find: '  if (now.inputHash === inputHash) return;\n',
    replace: '  if (now.inputHash === inputHash || id) return;\n',
    tests: PLAN,
    fail: [
      'over HTTP, a plan that changed after it was shown is not allowed, and comes back as it is now',
      'by the socket and the command line, a plan that changed after it was shown is not allowed',
      'in a chat, a plan that changed after it was shown is not allowed, and is shown as it is now',
      'a plan that cannot be read any more is allowed by no way',
    ],
  },
  {
    without: 'the plan that was shown',
    file: 'src/answering/sources/hook/shown-input.ts',
    find: 'this.#input = whole;',
    replace: 'void whole;',
    tests: PLAN,
    fail: [
      'over HTTP, a plan that changed after it was shown is not allowed, and comes back as it is now',
      'in a chat, a plan that changed after it was shown is not allowed, and is shown as it is now',
      'a plan that changes at the moment of two answers: the one that is handed over is the one that was shown',
    ],
  },
];
