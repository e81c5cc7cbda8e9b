// The request's bounds: time over headers and body, bytes, cancelling; and answers that are none.
import fc from 'fast-check';
import { createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type HttpRequest, parseRetryAfter, sendRequest } from '../../../src/lib/net/http.ts';
import { startReceiver } from '../../support/receiver.ts';

/** A server that does as it likes with each connection. */
async function rawServer(behave: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined); // the client breaks off: that is what is tested
    behave(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/secret-path`;
}

const post = (url: string, more: Partial<HttpRequest> = {}) =>
  sendRequest({ method: 'POST', url, body: '{}', timeout: 20_000, allowPrivate: true, ...more });

describe('time', () => {
  test.each([
    ['says nothing', (_s: Socket) => undefined],
    ['sends headers and no body', (s: Socket) => void s.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n')],
    [
      'sends a byte now and then',
      (s: Socket) => {
        s.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
        const timer = setInterval(() => s.write('x'), 20);
        s.on('close', () => clearInterval(timer));
      },
    ],
    [
      'sends endless headers',
      (s: Socket) => {
        s.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => s.write('a: b\r\n'), 20);
        s.on('close', () => clearInterval(timer));
      },
    ],
  ])('a receiver that %s is given up', async (_name, behave) => {
    const result = await post(await rawServer(behave), { timeout: 300 });
    expect(result).toMatchObject({ kind: 'timeout', error: expect.stringMatching(/did not answer within 0.3 s/) });
    expect(JSON.stringify(result)).not.toContain('secret-path');
  });

  test('a signal ends it', async () => {
    const stop = new AbortController();
    const url = await rawServer(() => stop.abort());
    expect(await post(url, { signal: stop.signal })).toMatchObject({ kind: 'cancelled' });
    expect(await post(url, { signal: AbortSignal.abort() })).toMatchObject({ kind: 'cancelled' });
  });
});

describe('answers', () => {
  test.each([
    ['closes at once', (s: Socket) => void s.destroy()],
    ['resets', (s: Socket) => void s.resetAndDestroy()],
    ['ends within the body', (s: Socket) => void s.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')],
    ['speaks something else', (s: Socket) => void s.end('SSH-2.0-OpenSSH_9.9\r\n')],
    ['sends rubbish', (s: Socket) => void s.end(Buffer.alloc(2_000, 0xff))],
    ['has headers beyond bounds', (s: Socket) => void s.end(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}\r\n`)],
  ])('a receiver that %s is a network fault', async (_name, behave) => {
    const result = await post(await rawServer(behave));
    expect(result).toMatchObject({ kind: 'network' });
    expect(JSON.stringify(result)).not.toContain('secret-path');
  });

  test('an endless body is cut at the limit', async () => {
    const url = await rawServer((s) => {
      s.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = (): void => {
        while (!s.destroyed && s.write('x'.repeat(16_384)));
        s.once('drain', more);
      };
      more();
    });
    const result = await post(url, { limit: 1_000 });
    expect(result).toMatchObject({ kind: 'answer', status: 200, body: 'x'.repeat(1_000) });
  });

  test('nobody there, no such name', async () => {
    const receiver = await startReceiver({ owned: false });
    await receiver.close();
    expect(await post(receiver.url)).toMatchObject({
      kind: 'network',
      error: expect.stringContaining('refused the connection'),
    });
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await post('http://nowhere.example/', { resolve })).toMatchObject({
      kind: 'network',
      error: expect.stringContaining('was not found'),
    });
  });

  test('a header that cannot be sent is a fault, not an exception', async () => {
    const receiver = await startReceiver();
    expect(await post(receiver.url, { headers: { 'x-id': 'a\r\nb: c' } })).toMatchObject({ kind: 'network' });
    expect(receiver.requests).toHaveLength(0);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 5, 1, 12);
  test.each([
    ['0', 0],
    ['7', 7_000],
    [' 30 ', 30_000],
    ['1.5', 1_500],
    ['Mon, 01 Jun 2026 12:01:00 GMT', 60_000],
    ['Monday, 01-Jun-26 12:01:00 GMT', 60_000],
    ['Mon Jun  1 12:01:00 2026', 60_000],
    ['Mon, 01 Jun 2026 11:00:00 GMT', 0],
    ['999999999', 604_800_000],
    ['-1', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
    ['2026-06-01', undefined],
    ['1e3', undefined],
  ])('%j', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });

  test('is a wait from now on, or nothing, for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const wait = parseRetryAfter(text, now);
        expect(wait === undefined || (wait >= 0 && wait <= 604_800_000)).toBe(true);
      }),
    );
  });
});
