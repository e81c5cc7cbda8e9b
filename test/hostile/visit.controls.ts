// What each hostile case about what the page sends rests on: without it that case must fail.
import type { Control } from './control.ts';

const tests = 'test/hostile/visit.test.ts';
const PASSED_ON =
  'a server at another port that passes the page’s question on gets a proof that is good for no page of its own';
const NAMED = 'what the page sends is good under the name that it was made for, and gives a tab its key again';
const ENDED = 'what the page sent to a Belfry that has ended is of no use to who heard it, and the page goes on';

export const CONTROLS: readonly Control[] = [
  {
    without: 'the address in the proof',
    file: 'src/http/page-bearer.ts',
    find: "signed(hash, 'belfry page', nonce, host, serving)",
    replace: "signed(hash, 'belfry page', nonce, String(host.length > 0), serving)",
    tests,
    fail: [PASSED_ON],
  },
  {
    without: 'the comparison of what is signed, place and all',
    file: 'src/http/page-bearer.ts',
    find: 'given.length === right.length && timingSafeEqual(given, right)',
    replace: 'given.length === right.length && timingSafeEqual(given.subarray(0, 21), right.subarray(0, 21))',
    tests,
    fail: [NAMED, ENDED],
  },
  {
    without: 'the name that a request came under',
    file: 'src/http/serve-request.ts',
    find: "const place = { host: (headers.host ?? '').toLowerCase(), serving };",
    replace: `const place = { host: '127.0.0.1:' + at.port, serving };`,
    tests,
    fail: [NAMED],
  },
  {
    without: 'what is new each time that an address is listened on',
    file: 'src/http/listener.ts',
    find: "randomBytes(16).toString('hex')",
    replace: "randomBytes(16).fill(0).toString('hex')",
    tests,
    fail: [ENDED],
  },
  {
    without: 'the bounds of what a page may do',
    file: 'src/http/tokens.ts',
    find: "scopes: ['page'] }",
    replace: "scopes: ['page', 'publish'] }",
    tests,
    fail: ['what the page sends publishes nothing'],
  },
];
