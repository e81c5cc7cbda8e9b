// What each hostile case about tokens rests on: without it that case must fail.
import type { Control } from './control.ts';

const tests = 'test/hostile/token.test.ts';

export const CONTROLS: readonly Control[] = [
  {
    without: 'the scopes of tokens',
    file: 'src/http/serve-request.ts',
    find: '!mayUse(token.scopes, route.name)',
    replace: "!mayUse(['page', 'publish'], route.name)",
    tests,
    fail: [
      'a token to publish may use no route beyond its scope',
      'a token to read may use no route beyond its scope',
      'a token to answer may use no route beyond its scope',
      'a token to answer subscribes no browser to what is pushed',
    ],
  },
  {
    without: 'the demand for a token',
    file: 'src/http/serve-request.ts',
    find: 'if (token === null && !open) return UNAUTHENTICATED;',
    replace: "if (token === null && !open && method === '') return UNAUTHENTICATED;",
    tests,
    fail: ['nobody without a token may use a route that is not open', 'a token in the query, or its hash, is none'],
  },
  {
    without: 'the end of streams with their token',
    file: 'src/http/admission.ts',
    find: 'if (!(await this.#isValid(identity))) over.abort();',
    replace: 'if (!(await this.#isValid(identity))) void over;',
    tests,
    fail: [
      'a token that is removed while its stream is open hears no more',
      'a page that is removed while its stream is open hears no more, and may do nothing',
      'a page that signs out leaves nothing behind',
      'a token of the same name as one that was removed is another',
    ],
  },
  {
    without: 'the removal of tokens',
    file: 'src/http/tokens.ts',
    find: 'return { ...content, tokens, pages };',
    replace: 'return { ...content, pages };',
    tests,
    fail: [
      'a removed token answers no question that it was shown',
      'a token that is removed while its stream is open hears no more',
      'a token of the same name as one that was removed is another',
    ],
  },
  {
    without: 'the removal of pages',
    file: 'src/http/tokens.ts',
    find: 'return { ...content, tokens, pages };',
    replace: 'return { ...content, tokens };',
    tests,
    fail: [
      'a page that is removed while its stream is open hears no more, and may do nothing',
      'a browser is pushed nothing, and its presses count no more, once its page is removed',
    ],
  },
  {
    without: 'the owners of browsers that are pushed to',
    file: 'src/channels/webpush/browser-file.ts',
    find: 'filter(({ owner }) => owners.has(owner))',
    replace: 'filter(() => owners.size >= 0)',
    tests,
    fail: ['a browser is pushed nothing, and its presses count no more, once its page is removed'],
  },
  {
    without: 'the proof of presses',
    file: 'src/channels/webpush/browsers.ts',
    find: 'isPressProof(known, reference, proof) ?',
    replace: 'isPressProof(known, reference, proof) || proof.length > 0 ?',
    tests,
    fail: [
      'a browser is pushed nothing, and its presses count no more, once its page is removed',
      'a press without what proves it is refused',
    ],
  },
  {
    without: 'the comparison of the origin with the name',
    file: 'src/http/request-checks.ts',
    find: 'return own && origin === `http://${host}` ? null : FOREIGN;',
    replace: 'return own ? null : FOREIGN;',
    tests,
    fail: [
      'the page’s token, stolen, is of no use to a page of another site',
      'the page’s token, stolen, is of no use to a page of another port',
    ],
  },
  {
    without: 'the check of the name that it is called by',
    file: 'src/http/request-checks.ts',
    find: 'if (names.includes(given) || isNamed(given, at, hosts)) return null;',
    replace: 'if (names.length > 0 || isNamed(given, at, hosts)) return null;',
    tests,
    fail: [
      'the page’s token, stolen, is of no use to a name that leads here',
      'the page’s token, stolen, is of no use to another port’s name',
    ],
  },
  {
    without: 'the difference between this host and what comes by HTTP',
    file: 'src/daemon/http/hooks.ts',
    find: 'name.toLowerCase() === HERE.host.toLowerCase()',
    replace: "name === '' && HERE.host === ''",
    tests: 'test/hostile/token-more.test.ts',
    fail: [
      'a publisher that forges a prompt of this host settles no question here',
      'a publisher that forges the end of the session of this host settles no question here',
      'a publisher that forges the end of the turn of this host settles no question here',
      'a publisher that forges a use of the tool of this host settles no question here',
      'a publisher that forges this host in capitals of this host settles no question here',
    ],
  },
  {
    without: 'the host in what makes a duplicate',
    file: 'src/pipeline/what-happened/dedupe.ts',
    find: "source === 'http' ?",
    replace: "source === 'none' ?",
    tests: 'test/hostile/token-more.test.ts',
    fail: ['a publisher that posts what a session here is about to say does not keep that back'],
  },
];
