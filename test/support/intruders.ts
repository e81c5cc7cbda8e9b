// Requests that want something of the page or its interface and must not get it: each as raw bytes, with the answers that are right.
import { rawRequest } from './raw-http.ts';

type Headers = Readonly<Record<string, string>>;

/** What an intruder may know: everything but what it has to be refused for. */
export interface Known {
  readonly port: number;
  /** `127.0.0.1:PORT`. */
  readonly own: string;
  /** Tokens: of the page, and of `belfry token add` by scope. */
  readonly page: string;
  readonly read: string;
  readonly publish: string;
  readonly answer: string;
  /** A code that was exchanged. */
  readonly usedCode: string;
  /** The hash of the page's token, as it lies in a file. */
  readonly hash: string;
  /** Names of an open notification and question. */
  readonly notification: string;
  readonly question: string;
  /** The page's script. */
  readonly asset: string;
}

/** `expected`: statuses; 0: the connection ends. */
export type Intruder = readonly [name: string, request: (known: Known) => string | Buffer, expected: readonly number[]];

const API = '/api/v1';
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const JSON_WRITE: Headers = { 'content-type': 'application/json', 'x-belfry': '1' };
const NAVIGATION: Headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

type With = (known: Known) => Headers;
const get =
  (path: string, headers: With = ({ page }) => bearer(page)) =>
  (known: Known): string =>
    rawRequest(`GET ${path} HTTP/1.1`, { host: known.own, ...headers(known) });
const write =
  (line: string, body: string, headers: With = ({ page }) => ({ ...bearer(page), ...JSON_WRITE })) =>
  (known: Known): string =>
    rawRequest(
      `${line} HTTP/1.1`,
      { host: known.own, 'content-length': String(Buffer.byteLength(body)), ...headers(known) },
      body,
    );
const MUTE = `POST ${API}/mutes`;
const mute = (headers: With, body = '{}') => write(MUTE, body, headers);
const acknowledge =
  (headers: With) =>
  (known: Known): string =>
    write(`POST ${API}/notifications/${known.notification}/ack`, '{}', headers)(known);
const allow =
  (headers: With) =>
  (known: Known): string =>
    write(`POST ${API}/questions/${known.question}/answer`, '{"answer":{"type":"allow"}}', headers)(known);
const exchange =
  (body: (known: Known) => string, headers: Headers = JSON_WRITE) =>
  (known: Known) =>
    write(`POST ${API}/page/token`, body(known), () => headers)(known);
const host =
  (name: (known: Known) => string, path = `${API}/sessions`) =>
  (known: Known): string =>
    rawRequest(`GET ${path} HTTP/1.1`, { host: name(known), ...bearer(known.page) });
const from = (headers: With, path = `${API}/sessions`) =>
  get(path, (known) => ({ ...bearer(known.page), ...headers(known) }));

const REBINDING: readonly Intruder[] = [
  ['a rebound name, with the token', host(({ port }) => `evil.example:${port}`), [403]],
  ['a rebound name that asks for the page', host(({ port }) => `evil.example:${port}`, '/'), [403]],
  [
    'a rebound name that asks for a script',
    (known) => host(({ port }) => `evil.example:${port}`, `/assets/${known.asset}`)(known),
    [403],
  ],
  ['a rebound name that listens', host(({ port }) => `evil.example:${port}`, `${API}/stream`), [403]],
  ['a name below ours', host(({ port }) => `a.localhost:${port}`), [403]],
  ['a name that begins like ours', host(({ port }) => `127.0.0.1.evil.example:${port}`), [403]],
  ['the unspecified address', host(({ port }) => `0.0.0.0:${port}`), [403]],
  ['another loopback address', host(({ port }) => `127.0.0.2:${port}`), [403]],
  ['the address as a number', host(({ port }) => `2130706433:${port}`), [403]],
  ['another port', host(({ port }) => `127.0.0.1:${port + 1}`), [403]],
  ['no name', (known) => rawRequest(`GET ${API}/sessions HTTP/1.1`, bearer(known.page)), [403]],
  [
    'two names',
    ({ own, page }) =>
      `GET ${API}/sessions HTTP/1.1\r\nhost: ${own}\r\nhost: evil.example\r\nauthorization: Bearer ${page}\r\n\r\n`,
    [400],
  ],
  [
    'a rebound name that exchanges a code',
    () =>
      rawRequest(
        `POST ${API}/page/token HTTP/1.1`,
        { host: 'evil.example', ...JSON_WRITE, 'content-length': '12' },
        '{"code":"a"}',
      ),
    [403],
  ],
];

const OTHER_PAGES: readonly Intruder[] = [
  ['a fetch of another site', from(() => ({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })), [403]],
  ['a fetch without an origin', from(() => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })), [403]],
  [
    'a page on another port',
    from(({ port }) => ({ origin: `http://127.0.0.1:${port + 1}`, 'sec-fetch-site': 'same-site' })),
    [403],
  ],
  [
    'a page on another port that says nothing of sites',
    from(({ port }) => ({ origin: `http://localhost:${port + 1}` })),
    [403],
  ],
  ['a page on port 80', from(() => ({ origin: 'http://127.0.0.1' })), [403]],
  ['a file', from(() => ({ origin: 'null', 'sec-fetch-site': 'cross-site' })), [403]],
  ['an extension', from(() => ({ origin: 'chrome-extension://abcdef' })), [403]],
  ['a link to what has data', from(() => ({ 'sec-fetch-site': 'cross-site', ...NAVIGATION })), [403]],
  [
    'a frame around the page',
    from(() => ({ 'sec-fetch-site': 'cross-site', ...NAVIGATION, 'sec-fetch-dest': 'iframe' }), '/'),
    [403],
  ],
  [
    'a script of the page in another',
    (known) =>
      from(
        () => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }),
        `/assets/${known.asset}`,
      )(known),
    [403],
  ],
  [
    'a form of another site',
    mute(
      ({ page }) => ({
        ...bearer(page),
        origin: 'https://evil.example',
        'content-type': 'application/x-www-form-urlencoded',
      }),
      'all=true',
    ),
    [403],
  ],
  [
    'a form that sends text',
    mute(({ page }) => ({ ...bearer(page), origin: 'https://evil.example', 'content-type': 'text/plain' })),
    [403],
  ],
  [
    'a beacon',
    acknowledge(({ page }) => ({
      ...bearer(page),
      origin: 'https://evil.example',
      'content-type': 'text/plain;charset=UTF-8',
      'sec-fetch-mode': 'no-cors',
    })),
    [403],
  ],
  [
    'a fetch that answers a question',
    allow(({ page }) => ({ ...bearer(page), ...JSON_WRITE, origin: 'https://evil.example' })),
    [403],
  ],
  [
    'a page that exchanges a code',
    exchange(() => '{"code":"a"}', { ...JSON_WRITE, origin: 'http://127.0.0.1:1' }),
    [403],
  ],
  [
    'a preflight',
    (known) =>
      rawRequest(`OPTIONS ${API}/mutes HTTP/1.1`, {
        host: known.own,
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-belfry',
        'access-control-request-private-network': 'true',
      }),
    [403],
  ],
  [
    'a listener of another site',
    from(() => ({ origin: 'https://evil.example', accept: 'text/event-stream' }), `${API}/stream`),
    [403],
  ],
];

const FORMS: readonly Intruder[] = [
  ['a write without the header', mute(({ page }) => ({ ...bearer(page), 'content-type': 'application/json' })), [403]],
  [
    'a write with another value of it',
    mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE, 'x-belfry': 'yes' })),
    [403],
  ],
  [
    'an acknowledgement without the header',
    acknowledge(({ page }) => ({ ...bearer(page), 'content-type': 'application/json' })),
    [403],
  ],
  [
    'an answer without the header',
    allow(({ page }) => ({ ...bearer(page), 'content-type': 'application/json' })),
    [403],
  ],
  [
    'a write as a form',
    mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE, 'content-type': 'application/x-www-form-urlencoded' })),
    [415],
  ],
  ['a write as text', mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE, 'content-type': 'text/plain' })), [415]],
  [
    'a write in parts',
    mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE, 'content-type': 'multipart/form-data; boundary=a' })),
    [415],
  ],
  ['a code without the header', exchange(() => '{"code":"a"}', { 'content-type': 'application/json' }), [403]],
  ['an end of all mutes without the header', write(`DELETE ${API}/mutes`, '', ({ page }) => bearer(page)), [403]],
];

const NOBODY: readonly Intruder[] = [
  ['nobody reads sessions', get(`${API}/sessions`, () => ({})), [401]],
  ['nobody reads events', get(`${API}/events`, () => ({})), [401]],
  ['nobody reads the settings', get(`${API}/rules`, () => ({})), [401]],
  ['nobody asks the service', get(`${API}/service/computers/list`, () => ({})), [401]],
  ['nobody listens', get(`${API}/stream`, () => ({})), [401]],
  ['nobody reads the document', get(`${API}/openapi.json`, () => ({})), [401]],
  ['nobody mutes', mute(() => JSON_WRITE), [401]],
  ['nobody answers', allow(() => JSON_WRITE), [401]],
  ['a used code', exchange(({ usedCode }) => JSON.stringify({ code: usedCode })), [401]],
  ['a used code once more', exchange(({ usedCode }) => JSON.stringify({ code: usedCode })), [401]],
  ['a guessed code', exchange(() => '{"code":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}'), [401]],
  ['no code', exchange(() => '{}'), [400]],
  ['a list of codes', exchange(({ usedCode }) => JSON.stringify({ code: [usedCode] })), [400]],
  ['a code as a token', get(`${API}/sessions`, ({ usedCode }) => bearer(usedCode)), [401]],
  ['the hash as a token', get(`${API}/sessions`, ({ hash }) => bearer(hash)), [401]],
  ['the token in a cookie', get(`${API}/sessions`, ({ page }) => ({ cookie: `belfry.token=${page}` })), [401]],
  [
    'the token in the query',
    (known) => get(`${API}/sessions?token=${known.page}&access_token=${known.page}`, () => ({}))(known),
    [401],
  ],
  [
    'the token by another scheme',
    get(`${API}/sessions`, ({ page }) => ({ authorization: `Basic ${btoa(`page:${page}`)}` })),
    [401],
  ],
  ['half a token', get(`${API}/sessions`, ({ page }) => bearer(page.slice(0, -4))), [401]],
  [
    'two tokens',
    ({ own, page }) =>
      `GET ${API}/sessions HTTP/1.1\r\nhost: ${own}\r\nauthorization: Bearer x\r\nauthorization: Bearer ${page}\r\n\r\n`,
    [400],
  ],
];

const SCOPES: readonly Intruder[] = [
  ['a reader mutes', mute(({ read }) => ({ ...bearer(read), ...JSON_WRITE })), [403]],
  ['a reader acknowledges', acknowledge(({ read }) => ({ ...bearer(read), ...JSON_WRITE })), [403]],
  ['a reader answers', allow(({ read }) => ({ ...bearer(read), ...JSON_WRITE })), [403]],
  [
    'a reader sends again',
    write(`POST ${API}/deliveries/d/replay`, '{}', ({ read }) => ({ ...bearer(read), ...JSON_WRITE })),
    [403],
  ],
  [
    'a reader tests a channel',
    write(`POST ${API}/channels/log/test`, '{}', ({ read }) => ({ ...bearer(read), ...JSON_WRITE })),
    [403],
  ],
  ['a reader publishes', write('POST /hooks', '{}', ({ read }) => bearer(read)), [403]],
  ['a publisher reads', get(`${API}/sessions`, ({ publish }) => bearer(publish)), [403]],
  ['a publisher listens', get(`${API}/stream`, ({ publish }) => bearer(publish)), [403]],
  ['a publisher answers', allow(({ publish }) => ({ ...bearer(publish), ...JSON_WRITE })), [403]],
  ['an answerer mutes', mute(({ answer }) => ({ ...bearer(answer), ...JSON_WRITE })), [403]],
  [
    'an answerer sends again',
    write(`POST ${API}/deliveries/d/replay`, '{}', ({ answer }) => ({ ...bearer(answer), ...JSON_WRITE })),
    [403],
  ],
  ['an answerer asks for pushes', get(`${API}/push`, ({ answer }) => bearer(answer)), [403]],
  [
    'an answerer sets limits',
    write(`POST ${API}/service/limits`, '{"users":[{"email":"a@example.com","limit":1}]}', ({ answer }) => ({
      ...bearer(answer),
      ...JSON_WRITE,
    })),
    [403],
  ],
  ['the page publishes', write('POST /hooks', '{}', ({ page }) => bearer(page)), [403]],
];

const PATHS: readonly Intruder[] = [
  ['a way up out of the assets', get('/assets/../index.html'), [400]],
  ['a way up, encoded', get('/assets/%2e%2e%2findex.html'), [400]],
  ['a way up, twice encoded', get('/assets/%252e%252e%252findex.html'), [404]],
  ['a way up with a backslash', get('/assets/..%5cindex.html'), [400]],
  ['a file of the machine', get('/assets/%2fetc%2fpasswd'), [400]],
  ['a file beside the assets', get('/assets/index.html'), [404]],
  ['a program', get('/assets/daemon.js'), [404]],
  ['a property of an object', get('/assets/constructor'), [404]],
  ['a zero byte', get('/assets/app.js%00.css'), [400]],
  ['a page below an event', get('/events/a/b'), [404]],
  ['two slashes', get('//api/v1/sessions'), [400]],
  ['an event with a way up', get(`${API}/events/..`), [400]],
  ['a whole address', get('http://evil.example/api/v1/sessions'), [400]],
  ['a write to the service', get(`${API}/service/usageLimits/set`), [404]],
  ['a prototype of the service', get(`${API}/service/__proto__/toString`), [404]],
  ['a method that writes', write('PUT /', '{}'), [405]],
  ['TRACE', (known) => rawRequest('TRACE / HTTP/1.1', { host: known.own }), [405]],
];

const SIZES: readonly Intruder[] = [
  [
    'a body that is said to be too large',
    mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE, 'content-length': '1000001' })),
    [413],
  ],
  [
    'a body too large in chunks',
    (known) =>
      `${rawRequest(`${MUTE} HTTP/1.1`, { host: known.own, ...bearer(known.page), ...JSON_WRITE, 'transfer-encoding': 'chunked' })}f4241\r\n${'x'.repeat(1_000_001)}\r\n0\r\n\r\n`,
    [413],
  ],
  ['headers too large', from(() => ({ 'x-fill': 'x'.repeat(20_000) })), [431]],
  ['an address too large', get(`${API}/events?q=${'x'.repeat(20_000)}`), [431]],
  [
    'a reason too long',
    mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE }), JSON.stringify({ reason: 'x'.repeat(201) })),
    [400],
  ],
  ['a page too long', get(`${API}/events?limit=1000000`), [400]],
  [
    'JSON too deep',
    mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE }), `{"reason":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
    [400],
  ],
  ['a list for an object', mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE }), '[]'), [400]],
  [
    'a prototype',
    mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE }), '{"__proto__":{"all":true},"constructor":{}}'),
    [400],
  ],
  ['no JSON', mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE }), 'all=true'), [400]],
  ['a body that stops', mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE, 'content-length': '10' }), '{'), [408]],
  [
    'a body that never comes',
    mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE, 'content-length': '10' }), ''),
    [408],
  ],
  ['headers that stop', (known) => `GET ${API}/sessions HTTP/1.1\r\nhost: ${known.own}\r\n`, [408]],
  ['a packed body', mute(({ page }) => ({ ...bearer(page), ...JSON_WRITE, 'content-encoding': 'gzip' })), [415]],
  [
    'a second request in a body',
    (known) =>
      `${rawRequest('GET / HTTP/1.1', { host: 'evil.example', 'content-length': '500' })}${rawRequest(`GET ${API}/sessions HTTP/1.1`, { host: known.own, ...bearer(known.page) })}`,
    [403],
  ],
  [
    'a websocket',
    from(
      () => ({
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      }),
      `${API}/stream`,
    ),
    [400],
  ],
  [
    'a websocket to the page',
    from(
      () => ({
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      }),
      '/',
    ),
    [400],
  ],
  ['a tunnel', (known) => rawRequest(`CONNECT ${known.own} HTTP/1.1`, { host: known.own }), [0]],
  ['a place of the stream that is none', from(() => ({ 'last-event-id': "1' or 1=1" }), `${API}/stream`), [400]],
];

export const INTRUDERS: readonly Intruder[] = [
  ...REBINDING,
  ...OTHER_PAGES,
  ...FORMS,
  ...NOBODY,
  ...SCOPES,
  ...PATHS,
  ...SIZES,
];
