// What each hostile case about load rests on: without it that case must fail.
import type { Control } from './control.ts';

const tests = 'test/hostile/load.test.ts';

export const CONTROLS: readonly Control[] = [
  {
    without: 'the bounds of streams',
    file: 'src/http/admission.ts',
    find: 'streams: { each: 8, all: 96, reserve: 32 }',
    replace: 'streams: { each: 800, all: 800, reserve: 0 }',
    tests,
    fail: [
      'a reader that opens 128 streams has eight, and shuts nobody out',
      'twelve readers that open eight streams each leave streams for the page',
    ],
  },
  {
    without: 'the bounds of requests under way',
    file: 'src/http/admission.ts',
    find: 'requests: { each: 32, all: 96, reserve: 32 }',
    replace: 'requests: { each: 96, all: 96, reserve: 0 }',
    tests,
    fail: ['a hundred slow posts of a publisher leave what is under way for the page'],
  },
  {
    without: 'the bounds of bodies',
    file: 'src/http/admission.ts',
    find: 'bytes: { each: 32 * MB, all: 72 * MB, reserve: 8 * MB }',
    replace: 'bytes: { each: 72 * MB, all: 72 * MB, reserve: 0 }',
    tests,
    fail: ['five slow bodies of a publisher hold up no answer'],
  },
  {
    without: 'the end of what a stream took',
    file: 'src/http/admission.ts',
    find: 'if (this.#open.delete(open)) this.#streams.give(caller);',
    replace: 'this.#open.delete(open);',
    tests,
    fail: ['a stream that is closed gives its place back'],
  },
  {
    without: 'the difference between what loads the page and what asks for more',
    file: 'src/http/serve-request.ts',
    find: "access?.open === 'unmetered' && isLoopback(at)",
    replace: 'access === null && isLoopback(at)',
    tests,
    fail: [
      'a thousand requests a second without a token do not keep the page from loading',
      'a thousand wrong tokens a second take nothing from the page',
      'three hundred codes whose text never comes do not keep a browser out',
      'two hundred forged presses refuse no real one',
    ],
  },
  {
    without: 'the choice of the connection that goes',
    file: 'src/http/connections.ts',
    find: '(this.#spare() ?? socket).destroy()',
    replace: '[this.#spare(), socket].at(-1)?.destroy()',
    tests,
    fail: [
      'four hundred connections that ask nothing do not keep a person from answering',
      'three hundred codes whose text never comes do not keep a browser out',
    ],
  },
  {
    without: 'the bound of a body without a token',
    file: 'src/http/serve-request.ts',
    find: 'token === null ? OPEN_BODY_LIMIT :',
    replace: 'token === null ? OPEN_BODY_LIMIT * 1_000 :',
    tests,
    fail: ['a body of a megabyte without a token is not read'],
  },
  {
    without: 'the proof of presses, of many',
    file: 'src/channels/webpush/browsers.ts',
    find: 'isPressProof(known, reference, proof) ?',
    replace: 'isPressProof(known, reference, proof) || proof.length > 0 ?',
    tests,
    fail: ['two hundred forged presses refuse no real one'],
  },
  {
    without: 'the difference between callers that are refused',
    file: 'src/answering/answers/take-answer.ts',
    find: '`${by}\\n${via}`',
    replace: '`${by.slice(0, 0)}\\n${via}`',
    tests,
    fail: ['seventy refused answers of one token keep no other from answering'],
  },
];
