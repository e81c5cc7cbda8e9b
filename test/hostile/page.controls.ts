// The checks of the page's hostile cases, each with what fails without it.
import type { Control } from './control.ts';

const tests = 'test/hostile/page.test.ts';
const GUARD = 'src/web/lib/cards/card-guard.ts';

export const CONTROLS: readonly Control[] = [
  {
    without: 'the seconds that a settled card stays',
    file: 'src/web/store/entries.ts',
    find: 'if (isLong && !stays) return [];',
    replace: 'return [];',
    tests,
    fail: ['a click for a question that was just answered elsewhere finds no other question in its place'],
  },
  {
    without: 'the look at where a card is',
    file: GUARD,
    find: 'if (place !== this.#place || now - this.#looked > STILL) {',
    replace: "if (this.#place === '') {",
    tests,
    fail: [
      'a card that is shifted again and again takes no click',
      'a press that began before the card moved allows nothing when it ends',
    ],
  },
  {
    without: 'the half second after it appeared',
    file: GUARD,
    find: 'this.#still.value = now - this.#since >= STILL;',
    replace: 'this.#still.value = true;',
    tests,
    fail: [
      'a card that is shifted again and again takes no click',
      'clicks at a place where a question appears count only half a second after it did',
      'a press that began before the card moved allows nothing when it ends',
    ],
  },
  {
    without: 'the look at where a press began',
    file: GUARD,
    find: 'this.#pressed?.on === currentTarget && this.#pressed.since === this.#since ? null : MOVED',
    replace: 'null',
    tests,
    fail: ['a press that began before the card moved allows nothing when it ends'],
  },
  {
    without: 'the look at whether a key is held',
    file: GUARD,
    find: 'if (event.repeat && isPress && event.target instanceof HTMLButtonElement) event.preventDefault();',
    replace: 'void isPress;',
    tests,
    fail: ['a key that is held while the focus comes to Allow allows nothing'],
  },
  {
    without: 'the half second of the focus',
    file: GUARD,
    find: 'performance.now() - since >= STILL',
    replace: 'since > 0',
    tests,
    fail: ['a key at the moment that the focus comes to Allow allows nothing'],
  },
  {
    without: 'the end that has to be seen before a click',
    file: GUARD,
    find: 'if ((whole || isKey) && !this.#seen.value)',
    replace: 'if (isKey && !this.#seen.value)',
    tests,
    fail: ['a command whose end is out of sight is allowed by no click'],
  },
  {
    without: 'the end that has to be seen before a key',
    file: GUARD,
    find: 'if ((whole || isKey) && !this.#seen.value)',
    replace: 'if (whole && !this.#seen.value)',
    tests,
    fail: ['a command whose end is out of sight is answered by no key'],
  },
  {
    without: 'text that is only text',
    file: 'src/web/parts/asked/command.tsx',
    find: '      {text}\n      {operator',
    replace: '      <span dangerouslySetInnerHTML={{ __html: text }} />\n      {operator',
    tests,
    fail: ['markup in each field of what an agent asks is text, and runs nothing'],
  },
  {
    without: 'the look at what a request is shown in',
    file: 'src/http/request-checks.ts',
    find: "return method === 'GET' && origin === undefined && mode === 'navigate' && into === 'document';",
    replace: "return method === 'GET' && origin === undefined && mode === 'navigate' && into !== '';",
    tests,
    fail: ['another page cannot lay the page in a frame under its own'],
  },
  {
    without: 'the policy about who opened a window',
    file: 'src/daemon/http/page/page-assets.ts',
    find: "    'cross-origin-opener-policy': openerPolicy(headersOf),\n",
    replace: '',
    tests,
    fail: ['another page that opens the page in a window keeps no hold of it, and can tell it nothing'],
  },
  {
    without: 'the proof of what was seen',
    file: 'src/answering/answers/take-answer.ts',
    find: '    if (!wasSeen(question, seen)) throw new ChangedError(NOT_NOW);\n',
    replace: '',
    tests,
    fail: ['a tab that shows something older than what is asked allows nothing, and shows what is asked now'],
  },
];
