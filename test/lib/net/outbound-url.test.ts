// Where a request may go. test/fixtures/forbidden-urls.json: none of these is reached; a listener on both loopback addresses would notice.
import forbidden from '../../fixtures/forbidden-urls.json' with { type: 'json' };
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardedLookup, isPublicAddress, type Resolve } from '../../../src/lib/net/outbound-url.ts';
import { sendRequest } from '../../../src/lib/net/http.ts';
import { checkUrl } from '../../../src/lib/net/check-url.ts';
import { startReceiver } from '../../support/receiver.ts';

interface Forbidden {
  readonly url: string;
  readonly why: string;
  /** What a name resolves to; absent: it may not be looked up at all. */
  readonly resolves?: readonly string[];
}

let port = 0;
let reached = 0;
const listeners: Server[] = [];
const listen = (host: string, at: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      reached++;
      socket.destroy();
    });
    server.once('error', reject);
    server.listen(at, host, () => resolve(server));
  });
beforeAll(async () => {
  const first = await listen('127.0.0.1', 0);
  port = (first.address() as { port: number }).port;
  listeners.push(first);
  // A machine without IPv6 has no second way in.
  await listen('::1', port).then(
    (second) => listeners.push(second),
    () => undefined,
  );
});
afterAll(() => {
  for (const server of listeners) server.close();
});

const answering =
  (addresses: readonly string[]): Resolve =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

/** Fails the test when a name is looked up that was to be refused before. */
const noLookUp: Resolve = (host) =>
  Promise.reject(Object.assign(new Error(`looked ${host} up`), { code: 'ELOOKEDUP' }));

const request = (url: string, more: { resolve?: Resolve; allowPrivate?: boolean } = {}) =>
  sendRequest({ method: 'POST', url, body: 'x', timeout: 10_000, allowPrivate: false, resolve: noLookUp, ...more });

describe('forbidden addresses', () => {
  test('the list has 120 and more, each once', () => {
    expect(new Set(forbidden.map(({ url }) => url)).size).toBeGreaterThanOrEqual(120);
  });

  test.each(forbidden as Forbidden[])('$url: $why', async ({ url, resolves }) => {
    const result = await request(url.replace('PORT', String(port)), resolves ? { resolve: answering(resolves) } : {});
    expect(result.kind).toBe('refused');
    expect(reached).toBe(0);
  });

  test.each([
    'localhost',
    'localhost.',
    'localhost..',
    'LocalHost.',
    'localhost%2e',
    'localhost\u3002',
    '\uff4cocalhost.',
    'x.localhost',
    'x.localhost.',
    'localhost.localdomain.',
    'ip6-localhost.',
    '127.0.0.1.',
    '0x7f.1.',
  ])('http://%s:PORT/ is refused before any look-up, which the system may answer as it likes', async (host) => {
    expect(await request(`http://${host}:${port}/`)).toMatchObject({ kind: 'refused' });
    expect(
      await checkUrl(`http://${host}:${port}/`, false, AbortSignal.timeout(10_000), '`url`', noLookUp),
    ).toMatchObject([{ level: 'fail', text: expect.stringContaining('private or reserved') }]);
    expect(reached).toBe(0);
  });

  test.each(['localhost.example', 'notlocalhost', 'localhost.com.'])('%s is a name like any other', async (host) => {
    const looked: string[] = [];
    const resolve: Resolve = (name) => {
      looked.push(name);
      return noLookUp(name);
    };
    await request(`http://${host}/`, { resolve });
    expect(looked).toEqual([host]);
  });

  test('the refusal names the fix and not the address with its path', async () => {
    const result = await request('http://10.0.0.1/services/secret-path');
    expect(result).toMatchObject({ kind: 'refused', error: expect.stringContaining('allow_private = true') });
    expect(JSON.stringify(result)).not.toContain('secret-path');
  });
});

describe('a name that changes its mind', () => {
  /** Answers each look-up with the next list. */
  const changing = (...answers: string[][]): { resolve: Resolve; count: () => number } => {
    let count = 0;
    return {
      resolve: (host) => answering(answers[Math.min(count++, answers.length - 1)] ?? [])(host),
      count: () => count,
    };
  };

  test('is looked up once for a request: what was judged is what is connected to', async () => {
    const { resolve, count } = changing(['127.0.0.1'], ['93.184.215.14']);
    expect(await request(`http://rebind.example:${port}/`, { resolve })).toMatchObject({ kind: 'refused' });
    expect(count()).toBe(1);
    expect(reached).toBe(0);
  });

  test('public first, loopback the second time: the second request is refused too', async () => {
    const { resolve, count } = changing(['192.0.2.1'], ['127.0.0.1']);
    for (let i = 0; i < 3; i++)
      expect(await request(`http://rebind.example:${port}/`, { resolve })).toMatchObject({ kind: 'refused' });
    expect(count()).toBe(3);
    expect(reached).toBe(0);
  });

  test.each([
    [{ all: true }, [{ address: '93.184.215.14', family: 4 }]],
    [{ all: false }, '93.184.215.14'],
    [{ family: 4 }, '93.184.215.14'],
  ])(
    'public and private in one answer: only the public one is handed to the connection, %j',
    async (options, expected) => {
      const lookup = guardedLookup(false, answering(['127.0.0.1', '::1', '93.184.215.14', '10.0.0.1']));
      const given = await new Promise((resolve, reject) =>
        lookup('mixed.example', options, (error, address) => (error ? reject(error) : resolve(address))),
      );
      expect(given).toEqual(expected);
    },
  );
});

test('a redirect to a private address is not followed', async () => {
  const receiver = await startReceiver();
  for (const status of [301, 302, 303, 307, 308]) {
    receiver.answer = () => ({ status, headers: { location: `http://127.0.0.1:${port}/` } });
    expect(await request(receiver.url, { allowPrivate: true })).toMatchObject({ kind: 'answer', status });
  }
  expect(reached).toBe(0);
  expect(receiver.requests).toHaveLength(5);
});

test('allowed addresses are reached, by name too', async () => {
  const receiver = await startReceiver();
  expect(await request(receiver.url, { allowPrivate: true })).toMatchObject({ kind: 'answer', status: 200 });
  const named = receiver.url.replace('127.0.0.1', 'box.example');
  expect(await request(named, { allowPrivate: true, resolve: answering(['127.0.0.1']) })).toMatchObject({
    status: 200,
  });
  expect(receiver.requests.at(-1)?.headers.host).toMatch(/^box\.example:/);
});

test.each([
  ['8.8.8.8', true],
  ['1.1.1.1', true],
  ['172.32.0.1', true],
  ['100.128.0.1', true],
  ['192.167.255.255', true],
  ['2606:4700:4700::1111', true],
  ['2a00:1450:4001:81b::200e', true],
  ['::ffff:8.8.8.8', true],
  ['64:ff9b::8.8.8.8', true],
  ['fe80::1%eth0', false],
  ['not an address', false],
  ['', false],
])('%s public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

test.each([
  ['https://hooks.example.com/x', false, ['93.184.215.14'], ['ok']],
  ['http://hooks.example.com/x', false, ['93.184.215.14'], ['ok', 'warn']],
  ['https://hooks.example.com/x', false, ['10.0.0.1'], ['fail']],
  ['https://hooks.example.com/x', true, ['10.0.0.1'], ['ok']],
  ['not a url', false, [], ['fail']],
  ['ftp://example.com', false, [], ['fail']],
])('what doctor finds at %s, allowed %s, %j', async (url, allowPrivate, addresses, levels) => {
  const found = await checkUrl(url, allowPrivate, AbortSignal.timeout(5_000), '`url`', answering(addresses));
  expect(found.map(({ level }) => level)).toEqual(levels);
});

test.each([
  ['http://127.0.0.1/x', '127.0.0.1'],
  ['https://hooks.example.com/x', 'hooks.example.com'],
])('doctor says of a private address once what to do: %s', async (url, host) => {
  const found = await checkUrl(url, false, AbortSignal.timeout(5_000), '`url`', answering(['10.0.0.1']));
  const fix = 'use a public address, or set allow_private = true for this channel';
  expect(found).toEqual([{ level: 'fail', text: `${host} is a private or reserved address`, fix }]);
});
