// Requests that must not get in: each is sent as raw bytes to a real server, and no handler may see it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { startHttp } from './http-harness.ts';

type Headers = Readonly<Record<string, string>>;
type Case = readonly [name: string, request: (at: At) => string | Buffer, status: number | readonly number[]];

interface At {
  readonly own: string;
  readonly port: number;
  readonly publish: Headers;
  readonly read: Headers;
  readonly answer: Headers;
  readonly tokens: Readonly<Record<string, string>>;
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const JSON_WRITE = { 'content-type': 'application/json', 'x-belfry': '1' };
const NAVIGATION = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const get =
  (headers: (at: At) => Headers, path = '/metrics') =>
  (at: At) =>
    rawRequest(`GET ${path} HTTP/1.1`, { host: at.own, ...headers(at) });
const host = (name: (at: At) => string) => (at: At) =>
  rawRequest('GET /metrics HTTP/1.1', { host: name(at), ...at.read });
const hooks =
  (headers: (at: At) => Headers, body = '{}') =>
  (at: At) =>
    rawRequest('POST /hooks HTTP/1.1', { host: at.own, 'content-length': String(body.length), ...headers(at) }, body);
const answer = (headers: (at: At) => Headers) => (at: At) =>
  rawRequest(
    'POST /api/v1/questions/q1/answer HTTP/1.1',
    { host: at.own, 'content-length': '2', ...headers(at) },
    '{}',
  );
const target = (path: string) => (at: At) => rawRequest(`GET ${path} HTTP/1.1`, { host: at.own, ...at.read });

const CASES: readonly Case[] = [
  // a name of somebody else that resolves to us
  ['a rebound host', host(({ port }) => `evil.example:${port}`), 403],
  ['a rebound host without a port', host(() => 'evil.example'), 403],
  ['a host that begins like ours', host(({ port }) => `127.0.0.1.evil.example:${port}`), 403],
  ['a host that ends like ours', host(({ port }) => `evil-localhost:${port}`), 403],
  ['localhost below another domain', host(({ port }) => `localhost.evil.example:${port}`), 403],
  ['a subdomain of localhost', host(({ port }) => `a.localhost:${port}`), 403],
  ['a trailing dot', host(({ port }) => `localhost.:${port}`), 403],
  ['another port', host(({ port }) => `127.0.0.1:${port + 1}`), 403],
  ['another loopback address', host(({ port }) => `127.0.0.2:${port}`), 403],
  ['an unspecified address', host(({ port }) => `0.0.0.0:${port}`), 403],
  ['the address as a number', host(({ port }) => `2130706433:${port}`), 403],
  ['the address in hex', host(({ port }) => `0x7f.1:${port}`), 403],
  ['the address mapped', host(({ port }) => `[::ffff:127.0.0.1]:${port}`), 403],
  ['a private address', host(({ port }) => `10.0.0.1:${port}`), 403],
  ['user information before the host', host(({ port }) => `localhost@evil.example:${port}`), 403],
  ['an empty host', host(() => ''), 403],
  ['no host', (at) => rawRequest('GET /metrics HTTP/1.1', at.read), 403],
  ['no host in HTTP/1.0', (at) => rawRequest('GET /metrics HTTP/1.0', at.read), 403],
  ['two hosts, ours first', ({ own }) => `GET /metrics HTTP/1.1\r\nhost: ${own}\r\nhost: evil.example\r\n\r\n`, 400],
  ['two hosts, ours last', ({ own }) => `GET /metrics HTTP/1.1\r\nHost: evil.example\r\nHost: ${own}\r\n\r\n`, 400],
  // a page of somebody else
  ['a foreign origin', get(() => ({ origin: 'https://evil.example' })), 403],
  ['an opaque origin', get(() => ({ origin: 'null' })), 403],
  ['an empty origin', get(() => ({ origin: '' })), 403],
  ['an origin of another port', get(({ port }) => ({ origin: `http://127.0.0.1:${port + 1}` })), 403],
  ['an origin of port 80', get(() => ({ origin: 'http://127.0.0.1' })), 403],
  ['an origin with another scheme', get(({ own }) => ({ origin: `https://${own}` })), 403],
  ['an extension', get(() => ({ origin: 'chrome-extension://abcdef' })), 403],
  [
    'a page of port 80 with its own host',
    ({ read }) => rawRequest('GET /metrics HTTP/1.1', { host: 'localhost', origin: 'http://localhost', ...read }),
    403,
  ],
  ['a cross-site fetch', get(() => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })), 403],
  ['a same-site fetch', get(() => ({ 'sec-fetch-site': 'same-site' })), 403],
  ['a link from another site to what has data', get(() => NAVIGATION), 403],
  ['a link that says where it comes from', get(() => ({ ...NAVIGATION, origin: 'https://evil.example' }), '/'), 403],
  ['a frame of another site', get(() => ({ ...NAVIGATION, 'sec-fetch-dest': 'iframe' }), '/'), 403],
  ['a fetch that calls itself a link', get(() => ({ ...NAVIGATION, 'sec-fetch-mode': 'cors' }), '/'), 403],
  [
    'a form of another site that leads here',
    (at) => rawRequest('POST / HTTP/1.1', { host: at.own, ...NAVIGATION }),
    403,
  ],
  ['an unknown kind of fetch', get(() => ({ 'sec-fetch-site': 'none, cross-site' })), 403],
  [
    'two origins',
    ({ own }) =>
      `GET /metrics HTTP/1.1\r\nhost: ${own}\r\norigin: http://${own}\r\norigin: http://evil.example\r\n\r\n`,
    400,
  ],
  [
    'a preflight',
    ({ own }) =>
      rawRequest('OPTIONS /hooks HTTP/1.1', {
        host: own,
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-private-network': 'true',
      }),
    403,
  ],
  [
    'a cross-site form',
    hooks((at) => ({ ...at.publish, origin: 'https://evil.example', 'content-type': 'text/plain' })),
    403,
  ],
  ['a form without an origin', hooks(() => ({ 'content-type': 'application/x-www-form-urlencoded' }), 'a=b'), 401],
  // who it is
  ['no token', hooks(() => ({})), 401],
  ['an unknown token', hooks(() => bearer('belfry_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')), 401],
  ['an empty token', hooks(() => ({ authorization: 'Bearer ' })), 401],
  ['a token cut short', hooks(({ tokens }) => bearer((tokens['publish'] ?? '').slice(0, -1))), 401],
  ['a token in another case', hooks(({ tokens }) => bearer((tokens['publish'] ?? '').toUpperCase())), 401],
  ['the hash of a token', hooks(({ tokens }) => bearer(tokens['hash'] ?? '')), 401],
  ['two tokens in one header', hooks(({ tokens }) => bearer(`x, Bearer ${tokens['publish']}`)), 401],
  ['basic authentication', hooks(({ tokens }) => ({ authorization: `Basic ${btoa(`x:${tokens['publish']}`)}` })), 401],
  ['the token in a cookie', hooks(({ tokens }) => ({ cookie: `token=${tokens['publish']}` })), 401],
  [
    'the token in the query',
    ({ own, tokens }) =>
      rawRequest(`POST /hooks?token=${tokens['publish']}&access_token=${tokens['publish']} HTTP/1.1`, {
        host: own,
        'content-length': '0',
      }),
    401,
  ],
  ['a wrong token where none is needed', get(() => bearer('nonsense')), 401],
  [
    'two authorizations',
    ({ own, tokens }) =>
      `POST /hooks HTTP/1.1\r\nhost: ${own}\r\nauthorization: Bearer x\r\nauthorization: Bearer ${tokens['publish']}\r\ncontent-length: 0\r\n\r\n`,
    400,
  ],
  ['a reader that publishes', hooks((at) => at.read), 403],
  ['an answerer that publishes', hooks((at) => at.answer), 403],
  ['a publisher that answers', answer((at) => ({ ...at.publish, ...JSON_WRITE })), 403],
  ['a reader that answers', answer((at) => ({ ...at.read, ...JSON_WRITE })), 403],
  ['a publisher that reads', get((at) => at.publish), 403],
  // what a form or a simple request cannot have
  ['a write without our header', answer((at) => ({ ...at.answer, 'content-type': 'application/json' })), 403],
  ['a write with another value of it', answer((at) => ({ ...at.answer, ...JSON_WRITE, 'x-belfry': 'true' })), 403],
  ['a write as text', answer((at) => ({ ...at.answer, ...JSON_WRITE, 'content-type': 'text/plain' })), 415],
  ['a write as a form', answer((at) => ({ ...at.answer, ...JSON_WRITE, 'content-type': 'multipart/form-data' })), 415],
  ['a write without a type', answer((at) => ({ ...at.answer, 'x-belfry': '1' })), 415],
  // paths
  ['a way up', target('/metrics/../metrics'), 400],
  ['a way up, encoded', target('/api/v1/sessions/%2e%2e'), 400],
  ['a way up, half encoded', target('/api/v1/sessions/.%2E'), 400],
  ['a slash, encoded', target('/api/v1/sessions/a%2fb'), 400],
  ['a backslash', target('/api/v1/sessions/..\\..'), 400],
  ['a backslash, encoded', target('/api/v1/sessions/a%5cb'), 400],
  ['a zero byte', target('/api/v1/sessions/a%00'), 400],
  ['a line feed in an id', target('/api/v1/sessions/a%0d%0ab'), 400],
  ['bad encoding', target('/api/v1/sessions/%'), 400],
  ['bad UTF-8', target('/api/v1/sessions/%ff'), 400],
  ['two slashes', target('//metrics'), 400],
  ['a whole address', target('http://evil.example/metrics'), 400],
  ['a fragment', target('/metrics#x'), 400],
  ['an asterisk', target('*'), 400],
  ['an unknown path', target('/etc/passwd'), 404],
  ['a path below', target('/metrics/x'), 404],
  ['a path in another case', target('/Metrics'), 404],
  // methods
  ['another method', ({ own, read }) => rawRequest('DELETE /metrics HTTP/1.1', { host: own, ...read }), 405],
  ['TRACE', ({ own, read }) => rawRequest('TRACE /metrics HTTP/1.1', { host: own, ...read }), 405],
  [
    'an override',
    ({ own, read }) => rawRequest('GET /hooks HTTP/1.1', { host: own, ...read, 'x-http-method-override': 'POST' }),
    405,
  ],
  ['CONNECT', ({ own }) => rawRequest(`CONNECT ${own} HTTP/1.1`, { host: own }), 0],
  [
    'a websocket',
    get(() => ({
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    })),
    400,
  ],
  // framing
  ['a body too large', hooks((at) => ({ ...at.publish, 'content-length': '2000001' })), 413],
  [
    'a body too large, in chunks',
    ({ own, publish }) =>
      rawRequest('POST /hooks HTTP/1.1', { host: own, ...publish, 'transfer-encoding': 'chunked' }) +
      `1e8481\r\n${'x'.repeat(2_000_001)}\r\n0\r\n\r\n`,
    413,
  ],
  [
    'a body too large for a page',
    ({ own, answer: token }) =>
      rawRequest('POST /api/v1/questions/q/answer HTTP/1.1', {
        host: own,
        ...token,
        ...JSON_WRITE,
        'content-length': '1000001',
      }),
    413,
  ],
  ['a negative length', hooks((at) => ({ ...at.publish, 'content-length': '-1' })), 400],
  ['a length that is no number', hooks((at) => ({ ...at.publish, 'content-length': '2x' })), 400],
  [
    'two lengths',
    ({ own, tokens }) =>
      `POST /hooks HTTP/1.1\r\nhost: ${own}\r\nauthorization: Bearer ${tokens['publish']}\r\ncontent-length: 2\r\ncontent-length: 20\r\n\r\n{}`,
    400,
  ],
  ['a length and chunks', hooks((at) => ({ ...at.publish, 'transfer-encoding': 'chunked' }), '0\r\n\r\n'), 400],
  [
    'bad chunks',
    ({ own, publish }) =>
      `${rawRequest('POST /hooks HTTP/1.1', { host: own, ...publish, 'transfer-encoding': 'chunked' })}zz\r\nhello\r\n0\r\n\r\n`,
    [0, 400],
  ],
  [
    'an unknown transfer encoding',
    ({ own, publish }) =>
      `${rawRequest('POST /hooks HTTP/1.1', { host: own, ...publish, 'transfer-encoding': 'gzip' })}x`,
    [0, 400],
  ],
  ['a packed body', hooks((at) => ({ ...at.publish, 'content-encoding': 'gzip' })), 415],
  ['an expectation we do not know', hooks((at) => ({ ...at.publish, expect: 'a miracle' })), 417],
  [
    'a GET with a body',
    ({ own }) => rawRequest('GET /metrics HTTP/1.1', { host: own, 'content-length': '5' }, 'hello'),
    400,
  ],
  [
    'a second request smuggled in a body',
    ({ own, tokens }) =>
      rawRequest('GET /metrics HTTP/1.1', { host: 'evil.example', 'content-length': '99' }) +
      rawRequest('GET /metrics HTTP/1.1', { host: own, ...bearer(tokens['read'] ?? '') }),
    403,
  ],
  ['huge headers', get(() => ({ 'x-fill': 'x'.repeat(20_000) })), 431],
  ['a huge address', target(`/metrics?${'x'.repeat(20_000)}`), 431],
  [
    'a header folded over lines',
    ({ own }) => `GET /metrics HTTP/1.1\r\nhost: ${own}\r\nx-a: b\r\n\tc: d\r\nbad\r\n\r\n`,
    400,
  ],
  ['a space before the colon', ({ own }) => `GET /metrics HTTP/1.1\r\nhost : ${own}\r\n\r\n`, 400],
  ['a line feed in a header', ({ own }) => `GET /metrics HTTP/1.1\r\nhost: ${own}\r\nx-a: b\rc\r\n\r\n`, 400],
  ['a zero byte in a header', ({ own }) => `GET /metrics HTTP/1.1\r\nhost: ${own}\r\nx-a: \0\r\n\r\n`, 400],
  ['HTTP/2 by prior knowledge', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['TLS', () => Buffer.from('160301020001000001fc0303', 'hex'), 400],
  ['HTTP/0.9', () => 'GET /metrics\r\n\r\n', 403],
  ['the local socket’s protocol', () => '{"v":1,"op":"stop","args":{}}\n', 400],
];

test(`none of ${CASES.length} bad requests gets in`, async () => {
  expect(CASES.length).toBeGreaterThanOrEqual(60);
  const { port, tokens, inside, logged, file } = await startHttp();
  const [stored] = (JSON.parse(readFileSync(file, 'utf8')) as { tokens: { hash: string }[] }).tokens;
  const at: At = {
    own: `127.0.0.1:${port}`,
    port,
    publish: bearer(tokens.publish),
    read: bearer(tokens.read),
    answer: bearer(tokens.answer),
    tokens: { ...tokens, hash: stored?.hash ?? '' },
  };
  const wrong: string[] = [];
  for (const [name, request, status] of CASES) {
    const answered = await sendRaw(port, request(at));
    const expected = typeof status === 'number' ? [status] : status;
    if (!expected.includes(answered.status))
      wrong.push(`${name}: ${answered.status}, expected ${expected.join(' or ')}`);
    if (inside.length > 0) wrong.push(`${name}: got in`);
    inside.length = 0;
    if (Object.keys(answered.headers).some((header) => header.startsWith('access-control-')))
      wrong.push(`${name}: has a CORS header`);
    const document =
      answered.status === 0 ||
      answered.status === 417 ||
      answered.headers['content-type'] === 'application/problem+json';
    if (!document) wrong.push(`${name}: is no problem document (${answered.headers['content-type']})`);
    if (Object.values(tokens).some((token) => answered.body.includes(token))) wrong.push(`${name}: repeats a token`);
  }
  expect(wrong).toEqual([]);
  const written = logged.join('\n');
  for (const token of Object.values(tokens)) expect(written).not.toContain(token.slice(7, 20));
});
