// The HTTP server where all is well: who gets in, limits by number and time, settings that change under load.
import { createServer, connect, type AddressInfo } from 'node:net';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { addToken, createTokens, removeToken } from '../../src/http/tokens.ts';
import { readTokenFile, updateTokenFile } from '../../src/http/token-file.ts';
import { startTime } from '../../src/runtime/process-table.ts';
import { virtualClock } from '../support/clock.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/home.ts';
import { until } from '../support/wait.ts';
import { startHttp } from './http-harness.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const post = (port: number, token: string, body: string, more: Readonly<Record<string, string>> = {}): string =>
  rawRequest(
    'POST /hooks HTTP/1.1',
    { host: `127.0.0.1:${port}`, ...bearer(token), 'content-length': String(Buffer.byteLength(body)), ...more },
    body,
  );

test.each([
  ['the address', '127.0.0.1:PORT', {}],
  ['localhost in capitals', 'LOCALHOST:PORT', {}],
  ['IPv6', '[::1]:PORT', {}],
  ['a loopback name without a port', 'localhost', {}],
  ['a name of the settings', 'host.docker.internal:PORT', {}],
  ['a name of the settings without a port', 'host.docker.internal', {}],
  ['our own origin', 'localhost:PORT', { origin: 'http://localhost:PORT', 'sec-fetch-site': 'same-origin' }],
  ['an address typed by hand', 'localhost:PORT', { 'sec-fetch-site': 'none' }],
  ['a proxy before a name of the settings', 'host.docker.internal', { origin: 'https://host.docker.internal' }],
  ['an upgrade that may be ignored', 'localhost:PORT', { connection: 'upgrade', upgrade: 'h2c' }],
] as const)('lets in %s', async (_name, host, headers) => {
  const { port, inside } = await startHttp({ hosts: ['Host.docker.internal'] });
  const here = (text: string): string => text.replaceAll('PORT', String(port));
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, here(value)]));
  const answered = await sendRaw(port, rawRequest('GET /metrics HTTP/1.1', { host: here(host), ...sent }));
  expect(answered.status).toBe(200);
  expect(answered.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  expect(inside).toHaveLength(1);
});

test('somebody is led to the page by a file or a link', async () => {
  const { port, inside } = await startHttp();
  for (const site of ['cross-site', 'same-site', 'none']) {
    const led = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await sendRaw(port, rawRequest('GET / HTTP/1.1', { host: `127.0.0.1:${port}`, ...led }))).status).toBe(200);
  }
  expect(inside).toHaveLength(3);
});

test('a write of a page, one of a machine, and one that asks before it sends', async () => {
  const { port, tokens, inside } = await startHttp();
  const json = { 'content-type': 'application/json; charset=utf-8', 'x-belfry': '1' };
  const host = `127.0.0.1:${port}`;
  const write = { host, ...bearer(tokens.answer), ...json, 'content-length': '2' };
  expect((await sendRaw(port, rawRequest('POST /api/v1/questions/a%20b/answer HTTP/1.1', write, '{}'))).status).toBe(
    200,
  );
  expect(inside[0]?.params).toEqual({ id: 'a b' });
  expect((await sendRaw(port, post(port, tokens.publish, 'not json \u00e9'))).status).toBe(200);
  expect(inside[1]?.body.toString()).toBe('not json \u00e9');
  expect(inside[1]?.token).toEqual({ id: expect.any(String), name: 'publisher', scopes: ['publish'] });
  expect((await sendRaw(port, post(port, tokens.publish, '{}', { expect: '100-continue' }))).status).toBe(200);
  const chunked = { host, ...bearer(tokens.publish), 'transfer-encoding': 'chunked' };
  const chunks = `${rawRequest('POST /hooks HTTP/1.1', chunked)}2\r\n{}\r\n0\r\n\r\n`;
  expect((await sendRaw(port, chunks)).status).toBe(200);
  expect((await sendRaw(port, post(port, tokens.publish, 'x'.repeat(2_000_000)))).body).toBe('{"bytes":2000000}');
});

test('an address that others reach asks everybody for a token', async () => {
  const { port, tokens, inside } = await startHttp({ listen: '0.0.0.0' });
  const host = `127.0.0.1:${port}`;
  for (const path of ['/metrics', '/hooks', '/nothing'])
    expect((await sendRaw(port, rawRequest(`GET ${path} HTTP/1.1`, { host }))).status).toBe(401);
  expect(inside).toEqual([]);
  expect((await sendRaw(port, rawRequest('GET /metrics HTTP/1.1', { host, ...bearer(tokens.read) }))).status).toBe(200);
});

test('a bug in a handler is logged and says nothing', async () => {
  const { port, tokens, logged } = await startHttp();
  const headers = { host: `127.0.0.1:${port}`, ...bearer(tokens.read) };
  const answered = await sendRaw(port, rawRequest('GET /fails HTTP/1.1', headers));
  expect(answered.status).toBe(500);
  expect(answered.body).not.toContain('a bug');
  expect(logged.join()).toContain('a bug');
});

test('a hundred requests a second, and who has no token takes nothing from who has one', async () => {
  const clock = virtualClock();
  const { port, tokens } = await startHttp({ clock });
  const anonymous = rawRequest('GET /metrics HTTP/1.1', { host: 'localhost' });
  const states: number[] = [];
  for (let i = 0; i < 103; i++) states.push((await sendRaw(port, anonymous)).status);
  expect(states.filter((status) => status === 200)).toHaveLength(100);
  expect(states.slice(100)).toEqual([429, 429, 429]);
  expect((await sendRaw(port, anonymous)).headers['retry-after']).toBe('1');
  const known = rawRequest('GET /metrics HTTP/1.1', { host: 'localhost', ...bearer(tokens.read) });
  expect((await sendRaw(port, known)).status).toBe(200);
  clock.jump(20);
  expect((await sendRaw(port, anonymous)).status).toBe(200);
  expect((await sendRaw(port, anonymous)).status).toBe(200);
  expect((await sendRaw(port, anonymous)).status).toBe(429);
});

test.each([
  ['no headers', (port: number) => `GET /metrics HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`],
  ['no body', (port: number, token: string) => post(port, token, '', { 'content-length': '10' })],
  ['half a body', (port: number, token: string) => post(port, token, 'abc', { 'content-length': '10' })],
])('cuts off who is slow: %s', async (_name, request) => {
  const { port, tokens, inside } = await startHttp({
    bodies: { idleMs: 100 },
    connections: { headersMs: 100, checkMs: 50 },
  });
  expect((await sendRaw(port, request(port, tokens.publish))).status).toBe(408);
  expect(inside).toEqual([]);
});

test('cuts off who sends a byte now and then', async () => {
  const { port, tokens, inside } = await startHttp({ bodies: { totalMs: 300, idleMs: 250 } });
  const socket = connect(port, '127.0.0.1');
  const ended = new Promise((resolve) => socket.on('close', resolve));
  socket.on('error', () => undefined);
  socket.write(post(port, tokens.publish, '', { 'content-length': '100000' }));
  const drip = setInterval(() => socket.write('x'), 20);
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  await ended;
  clearInterval(drip);
  expect(text).toContain('408');
  expect(inside).toEqual([]);
});

test('what a caller’s bodies hold is bounded, its space is given back, and another is not held up', async () => {
  const release: (() => void)[] = [];
  const { port, tokens, inside } = await startHttp({
    admission: { bytes: { each: 1_000, all: 10_000, reserve: 1_000 } },
    hold: () => new Promise((resolve) => void release.push(resolve)),
  });
  const first = sendRaw(port, post(port, tokens.publish, 'x'.repeat(600)));
  await until(() => inside.length === 1, 'the first to be inside');
  const second = await sendRaw(port, post(port, tokens.publish, 'x'.repeat(600)));
  expect([second.status, second.headers['retry-after']]).toEqual([503, '1']);
  release[0]?.();
  expect((await first).status).toBe(200);
  const third = sendRaw(port, post(port, tokens.publish, 'x'.repeat(600)));
  await until(() => inside.length === 2, 'the third to be inside');
  release[1]?.();
  expect((await third).status).toBe(200);
});

test('connections are bounded: of whoever has most the one that waits for longest goes', async () => {
  const { port } = await startHttp({ mostConnections: 3 });
  const open = () =>
    new Promise<{ readonly socket: ReturnType<typeof connect>; readonly closed: () => boolean }>((resolve) => {
      let isClosed = false;
      const socket = connect(port, '127.0.0.1', () => resolve({ socket, closed: () => isClosed }));
      socket.on('close', () => {
        isClosed = true;
      });
      socket.on('error', () => undefined);
    });
  const sockets = [await open(), await open(), await open()];
  expect((await sendRaw(port, rawRequest('GET /metrics HTTP/1.1', { host: 'localhost' }))).status).toBe(200);
  await until(() => sockets[0]?.closed() === true, 'the oldest to go');
  expect(sockets.slice(1).map(({ closed }) => closed())).toEqual([false, false]);
  for (const { socket } of sockets) socket.destroy();
});

test('new settings let requests under way end; hosts change without a new port', async () => {
  let release = (): void => undefined;
  const { port, tokens, server, settings, inside } = await startHttp({
    hold: () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  });
  const first = sendRaw(port, post(port, tokens.publish, '{}'));
  await until(() => inside.length === 1, 'the request to be inside');
  const named = rawRequest('GET /nothing HTTP/1.1', { host: 'pager.example' });
  expect((await sendRaw(port, named)).status).toBe(403);
  await server.configure({ ...settings, hosts: ['pager.example'] });
  expect((await sendRaw(port, named)).status).toBe(404);
  const moved = server.configure({ ...settings, listen: [] });
  expect((await sendRaw(port, named)).status).toBe(0);
  release();
  expect((await first).status).toBe(200);
  await moved;
});

test('what serves a request hears that its client has gone, and only then', async () => {
  let release = (): void => undefined;
  const { port, tokens, inside } = await startHttp({
    hold: () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  });
  const client = connect(port, '127.0.0.1');
  client.write(post(port, tokens.publish, '{}'));
  await until(() => inside.length === 1, 'the request to be inside');
  expect(inside[0]?.gone.aborted).toBe(false);
  client.destroy();
  await until(() => inside[0]?.gone.aborted, 'it to be told');
  release();
  expect((await sendRaw(port, rawRequest('GET / HTTP/1.1', { host: 'elsewhere.example' }))).status).toBe(403);
});

test('a port that is taken is tried again', async () => {
  const clock = virtualClock();
  const { server, settings, logged } = await startHttp({ clock });
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  await server.configure({ ...settings, listen: [{ host: '127.0.0.1', port }] });
  expect(logged.join()).toContain('is the port taken?');
  await clock.advance(5_000);
  await new Promise((resolve) => other.close(resolve));
  const request = rawRequest('GET /metrics HTTP/1.1', { host: 'localhost' });
  await until(async () => {
    await clock.advance(5_000);
    return (await sendRaw(port, request)).status === 200;
  }, 'the port to be served');
  expect(logged.filter((line) => line.includes('is the port taken?'))).toHaveLength(1);
  expect(logged.join()).toContain('listens after all');
});

test('tokens are kept as hashes in a private file, and what is removed is refused at once', async () => {
  const file = `${temporaryFolder()}/tokens.json`;
  const day = Date.UTC(2026, 2, 4);
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const tokens = createTokens({ file, now: () => day, log });
  const verify = (text: string) => tokens.verify(text, { host: '127.0.0.1', serving: '' });
  expect(await verify('anything')).toBeNull();
  const token = await addToken(file, 'box', ['publish'], day);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain(token.slice(7));
  expect(await verify(token)).toEqual({ id: expect.any(String), name: 'box', scopes: ['publish'] });
  await tokens.flush();
  expect((await readTokenFile(file)).tokens.map(({ last_used }) => last_used)).toEqual(['2026-03-04']);
  await expect(addToken(file, 'box', ['read'], day)).rejects.toThrow(/there is a token "box"/);
  await removeToken(file, 'box');
  expect(await verify(token)).toBeNull();
  await expect(removeToken(file, 'box')).rejects.toThrow(/there is no token "box"/);
  const again = await addToken(file, 'box', ['read'], day);
  writeFileSync(file, '{"v":1,"tokens":[{"name":"x"}]}');
  expect(await verify(again)).toBeNull();
  expect(logged.join()).toContain('cannot be read');
  await expect(addToken(file, 'y', ['read'], day)).rejects.toThrow(/is damaged/);
});

test('of writers at once none is lost, and a lock that a crash left behind holds nobody up', async () => {
  const file = `${temporaryFolder()}/tokens.json`;
  await Promise.all(Array.from({ length: 12 }, (_, i) => addToken(file, `t${i}`, ['read'], 0)));
  expect((await readTokenFile(file)).tokens).toHaveLength(12);
  writeFileSync(`${file}.lock`, 'half');
  await addToken(file, 'late', ['read'], 0);
  expect((await readTokenFile(file)).tokens).toHaveLength(13);
});

test('the lock of a process that has ended is taken over at once, and no request waits for one that lives', async () => {
  const file = `${temporaryFolder()}/tokens.json`;
  const token = await addToken(file, 'box', ['read'], 0);
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  writeFileSync(`${file}.lock`, JSON.stringify({ pid: ended, start: null, at: Date.now(), file: `${file}.lock` }));
  await addToken(file, 'late', ['read'], 0);
  const holder = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)']);
  onTestFinished(() => void holder.kill('SIGKILL'));
  writeFileSync(
    `${file}.lock`,
    JSON.stringify({ pid: holder.pid, start: startTime(holder.pid ?? 0), at: Date.now(), file: `${file}.lock` }),
  );
  const tokens = createTokens({ file, now: () => Date.UTC(2026, 2, 4), log: () => undefined });
  const began = Date.now();
  expect((await tokens.verify(token, { host: '127.0.0.1', serving: '' }))?.name).toBe('box');
  expect(Date.now() - began).toBeLessThan(1_000);
  await tokens.flush(); // that it could not be noted is logged, and all
  await expect(updateTokenFile(file, (content) => ({ ...content, page_port: 1 }))).rejects.toThrow(/try again/);
});
