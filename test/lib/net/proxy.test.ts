// Requests through a real proxy: by CONNECT for TLS and WebSockets, forwarded for plain HTTP; what goes past it, what is refused, and what its faults say.
import { afterEach, describe, expect, test } from 'vitest';
import { receiveAnswers } from '../../../src/channels/ntfy/receive.ts';
import { ntfy } from '../../../src/channels/ntfy.ts';
import { checkUrl } from '../../../src/lib/net/check-url.ts';
import { type HttpRequest, sendRequest } from '../../../src/lib/net/http.ts';
import { isExempt } from '../../../src/lib/net/no-proxy.ts';
import type { Resolve } from '../../../src/lib/net/outbound-url.ts';
import { maskProxy, proxyFor, useProxy } from '../../../src/lib/net/proxy.ts';
import { freePort } from '../../support/free-port.ts';
import { startNtfyServer } from '../../support/ntfy-server.ts';
import { startProxy } from '../../support/proxy-server.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startTlsReceiver } from '../../support/tls-receiver.ts';
import { until } from '../../support/wait.ts';

afterEach(() => useProxy('none', {}));

const notFound: Resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
const to =
  (...addresses: string[]): Resolve =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

const post = (url: string, more: Partial<HttpRequest> = {}) =>
  sendRequest({ method: 'POST', url, body: 'x', timeout: 20_000, allowPrivate: false, resolve: notFound, ...more });

/** A proxy that knows `hooks.example` as a plain receiver. */
async function world() {
  const [proxy, receiver] = [await startProxy(), await startReceiver()];
  proxy.names['hooks.example'] = Number(new URL(receiver.url).port);
  return { proxy, receiver };
}

describe('through the proxy', () => {
  test.each([
    ['http_proxy', 'HTTP_PROXY'],
    ['HTTP_PROXY', 'http_proxy'],
  ])('plain HTTP is forwarded: %s', async (name, other) => {
    const { proxy, receiver } = await world();
    // The lower case name wins.
    useProxy('env', { [name]: proxy.url, ...(name === 'http_proxy' ? { [other]: 'http://127.0.0.1:1' } : {}) });
    expect(await post('http://hooks.example/a?b=1')).toMatchObject({ kind: 'answer', status: 200 });
    expect(proxy.asked).toEqual(['POST http://hooks.example/a?b=1']);
    expect(receiver.requests).toMatchObject([{ path: '/a?b=1', body: 'x', headers: { host: 'hooks.example' } }]);
  });

  test('TLS is tunnelled, with the target itself: its certificate is judged by its name', async () => {
    const proxy = await startProxy();
    const { port, receiver } = await startTlsReceiver(['hooks.example']);
    proxy.names['hooks.example'] = port;
    useProxy('env', { https_proxy: proxy.url });
    const name = proxy.url.replace('http://', '');
    expect(await post('https://hooks.example/')).toMatchObject({
      kind: 'network',
      error: `hooks.example uses a self-signed certificate (through the proxy ${name})`,
    });
    expect(proxy.asked).toEqual(['CONNECT hooks.example:443']);
    expect(receiver.requests).toHaveLength(0);
  });

  test('a WebSocket is tunnelled: answers of ntfy arrive', async () => {
    const [proxy, server] = [await startProxy(), await startNtfyServer()];
    proxy.names['ntfy.example'] = Number(new URL(server.url).port);
    useProxy(proxy.url, {});
    const settings = ntfy.schema.parse({
      server: 'http://ntfy.example',
      topic: 'belfry-k3y5n8m2q7r4t6w9',
      allow_private: true,
      answer_topic: 'belfry-answers-k3y5n8m2q7r4',
    }) as Parameters<typeof receiveAnswers>[0];
    const stop = new AbortController();
    const log = () => undefined;
    const ended = receiveAnswers(settings, {
      on: async () => ({ reply: '' }) as never,
      signal: stop.signal,
      now: Date.now,
      log,
    } as Parameters<typeof receiveAnswers>[1]);
    await until(() => server.subscribers.size === 1, 'the subscription');
    expect(proxy.asked).toEqual(['CONNECT ntfy.example:80']);
    stop.abort();
    await ended;
  });

  test('an address in the settings goes before the environment, and "none" is none', async () => {
    const { proxy } = await world();
    useProxy(proxy.url, { http_proxy: 'http://127.0.0.1:1' });
    expect(await post('http://hooks.example/')).toMatchObject({ status: 200 });
    useProxy('none', { http_proxy: proxy.url });
    expect(await post('http://hooks.example/')).toMatchObject({ error: expect.stringContaining('was not found') });
    expect(proxy.asked).toHaveLength(1);
  });
});

describe('past the proxy', () => {
  test('this machine, and what NO_PROXY names', async () => {
    const { proxy, receiver } = await world();
    useProxy('env', { http_proxy: proxy.url, no_proxy: 'hooks.example' });
    expect(await post(receiver.url, { allowPrivate: true })).toMatchObject({ status: 200 });
    const url = receiver.url.replace('127.0.0.1', 'hooks.example');
    expect(await post(url, { allowPrivate: true, resolve: to('127.0.0.1') })).toMatchObject({ status: 200 });
    expect(proxy.asked).toEqual([]);
    for (const host of ['localhost', 'x.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])
      expect(proxyFor(new URL(`http://${host}/`)), host).toBeNull();
  });

  test.each([
    ['example.com', 'example.com', true],
    ['example.com', 'api.example.com', true],
    ['example.com', 'notexample.com', false],
    ['.example.com', 'api.example.com', true],
    ['.example.com', 'example.com', true],
    ['*.example.com', 'a.b.example.com', true],
    ['EXAMPLE.com.', 'Example.COM', true],
    ['example.com', 'example.com.', true],
    ['example.com:8080', 'example.com', false],
    ['example.com:443', 'example.com', true],
    ['a.test, example.com', 'example.com', true],
    ['a.test example.com', 'example.com', true],
    ['*', 'anything.test', true],
    ['', 'example.com', false],
    ['.', 'example.com', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3:443', '10.1.2.3', true],
    ['10.0.0.0/8', '10.200.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/99', '10.0.0.0', false],
    ['2.3', '10.1.2.3', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd12::1', 'fd12:0:0::1', true],
    ['[fd12::1]:443', 'fd12::1', true],
    ['[fd12::1]:80', 'fd12::1', false],
  ])('NO_PROXY=%s, %s:443: %s', (list, host, expected) => {
    expect(isExempt(list, host, 443)).toBe(expected);
  });
});

describe('faults', () => {
  test('nobody there: the proxy is named, not the spelling of the target', async () => {
    const port = await freePort();
    useProxy('env', { https_proxy: `127.0.0.1:${port}`, http_proxy: `http://127.0.0.1:${port}` });
    for (const [url, from] of [
      ['https://hooks.example/', 'https_proxy'],
      ['http://hooks.example/', 'http_proxy'],
    ])
      expect(await post(url ?? '')).toMatchObject({
        kind: 'network',
        error: `the proxy 127.0.0.1:${port} refused the connection (${from})`,
      });
  });

  test.each(['http', 'https'])('%s: a sign-in is demanded, refused and accepted; it is in no text', async (scheme) => {
    const { proxy } = await world();
    proxy.signIn = 'dev:s3cr3t p@ss';
    const url = `${scheme}://hooks.example/`;
    const name = `127.0.0.1:${proxy.port}`;
    useProxy(proxy.url, {});
    expect(await post(url)).toMatchObject({
      kind: 'network',
      error: expect.stringContaining(`the proxy ${name} demands a sign-in (407)`),
    });
    useProxy(proxy.url.replace('//', '//dev:wr0ngwr0ng@'), {});
    const refused = await post(url);
    expect(refused).toMatchObject({ error: expect.stringContaining(`the proxy ${name} does not accept`) });
    expect(JSON.stringify(refused)).not.toContain('wr0ng');
    useProxy(proxy.url.replace('//', '//dev:s3cr3t%20p%40ss@'), {});
    // The plain receiver speaks no TLS: that the tunnel stands is what counts.
    expect(await post(url)).toMatchObject(scheme === 'http' ? { status: 200 } : { error: /^hooks\.example / });
  });

  test('a name that the proxy does not find', async () => {
    const { proxy } = await world();
    useProxy(proxy.url, {});
    expect(await post('https://elsewhere.example/')).toMatchObject({
      kind: 'network',
      error: `the proxy 127.0.0.1:${proxy.port} answered 502 to CONNECT elsewhere.example:443`,
    });
  });

  test('one that says nothing', async () => {
    const { proxy } = await world();
    proxy.silent = true;
    useProxy(proxy.url, {});
    expect(await post('https://hooks.example/', { timeout: 500 })).toMatchObject({
      kind: 'timeout',
      error: `the proxy 127.0.0.1:${proxy.port} did not connect to hooks.example within 0.5 s`,
    });
  });

  test('an address of another kind: nothing goes past it', async () => {
    const receiver = await startReceiver();
    useProxy('env', { HTTP_PROXY: 'socks5://dev:s3cr3ts3cr3t@127.0.0.1:1080' });
    const result = await post(receiver.url.replace('127.0.0.1', 'box.example'), {
      resolve: to('127.0.0.1'),
      allowPrivate: true,
    });
    expect(result).toMatchObject({ kind: 'network', error: expect.stringMatching(/^HTTP_PROXY must be an address/) });
    expect(JSON.stringify(result)).not.toContain('s3cr3t');
    expect(receiver.requests).toHaveLength(0);
    useProxy({ fault: 'the secret is gone' }, {});
    expect(await post('http://hooks.example/')).toMatchObject({ error: expect.stringContaining('the secret is gone') });
  });
});

describe('private addresses stay closed', () => {
  test.each([
    ['http://10.0.0.1/', notFound],
    ['https://169.254.169.254/', notFound],
    ['http://localhost/', notFound],
    ['http://hooks.example/', to('10.0.0.1', '192.168.0.1')],
    ['https://hooks.example/', to('10.0.0.1')],
  ])('%s', async (url, resolve) => {
    const { proxy } = await world();
    useProxy(proxy.url, {});
    expect(await post(url, { resolve })).toMatchObject({ kind: 'refused' });
    expect(proxy.asked).toEqual([]);
  });

  test('allowed ones, and public names, are the proxy’s to find', async () => {
    const { proxy } = await world();
    proxy.names['10.0.0.1'] = proxy.names['hooks.example'] ?? 0;
    useProxy(proxy.url, {});
    expect(await post('http://10.0.0.1/', { allowPrivate: true })).toMatchObject({ status: 200 });
    expect(await post('http://hooks.example/', { resolve: to('93.184.215.14', '10.0.0.1') })).toMatchObject({
      status: 200,
    });
    // One whose look-up never ends.
    expect(await post('http://hooks.example/', { resolve: () => new Promise(() => undefined) })).toMatchObject({
      status: 200,
    });
  });

  test('doctor: a name that is not known here is no fault', async () => {
    useProxy('http://127.0.0.1:3128', {});
    const check = (resolve: Resolve) =>
      checkUrl('https://hooks.example/', false, AbortSignal.timeout(10_000), '`url`', resolve);
    expect(await check(notFound)).toMatchObject([{ level: 'ok', text: expect.stringContaining('127.0.0.1:3128') }]);
    expect(await check(to('10.0.0.1'))).toMatchObject([{ level: 'fail' }]);
  });
});

test.each([
  ['http://dev:pw@proxy.example:3128', 'http://(hidden)@proxy.example:3128'],
  ['http://proxy.example:3128', 'http://proxy.example:3128'],
  ['env:PROXY', 'env:PROXY'],
])('%s is shown as %s', (text, shown) => {
  expect(maskProxy(text)).toBe(shown);
});
