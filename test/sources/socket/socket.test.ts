// The local socket: single instance, bounds, many at once, commands, a clean close.
import { spawn } from 'node:child_process';
import { mkdirSync, existsSync, lstatSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listenSocket } from '../../../src/sources/socket/socket.ts';
import type { SendReply } from '../../../src/sources/socket/connection.ts';
import { daemonLock } from '../../../src/runtime/autostart.ts';
import { sendCommand } from '../../../src/ipc/client.ts';
import { encodeEnvelope, type Envelope } from '../../../src/ipc/envelope.ts';
import type { Acknowledgement, Command, Reply } from '../../../src/ipc/frames.ts';
import { newId } from '../../../src/ipc/id.ts';
import type { Paths } from '../../../src/runtime/paths.ts';
import { pathsBelow, temporaryFolder } from '../../support/home.ts';
import { until } from '../../support/wait.ts';

interface Served {
  readonly got: Envelope[];
  readonly close: () => Promise<void>;
}

async function serve(
  paths: Paths,
  more: {
    accept?: (envelope: Envelope) => Promise<Acknowledgement>;
    command?: (command: Command, reply: SendReply, gone: AbortSignal) => Promise<void>;
  } = {},
): Promise<Served> {
  const got: Envelope[] = [];
  const listening = await listenSocket({
    paths,
    log: () => undefined,
    accept: async (envelope) => {
      got.push(envelope);
      return { ok: true, id: envelope.id };
    },
    command: async (command, reply) => reply({ data: command.args, done: true }),
    ...more,
  });
  if (listening.state !== 'listening') throw new Error(JSON.stringify(listening));
  onTestFinished(listening.close);
  return { got, close: listening.close };
}

function envelope(raw: string | Uint8Array, id = newId(Date.now())): Envelope {
  return { id, startedAt: 1, receivedAt: 2, origin: { pid: 1, ppid: 1, env: {} }, raw: Buffer.from(raw) };
}

/** Sends bytes as they are; the answer until the other side closes. */
function exchange(paths: Paths, bytes: Uint8Array | string, end = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(paths.socket);
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    if (end) socket.end(bytes);
    else socket.write(bytes);
  });
}

async function collect(replies: AsyncIterable<Reply>): Promise<Reply[]> {
  const all: Reply[] = [];
  for await (const reply of replies) all.push(reply);
  return all;
}

const home = (): Paths => pathsBelow(temporaryFolder());

test('an envelope arrives whole and is acknowledged; the socket is private', async () => {
  const paths = home();
  const { got } = await serve(paths);
  const sent = envelope(Buffer.from([0, 10, 255, 10, 123]));
  expect(JSON.parse(await exchange(paths, encodeEnvelope(sent)))).toEqual({ ok: true, id: sent.id });
  expect(got[0]).toMatchObject({ id: sent.id, startedAt: 1 });
  expect(Buffer.from(got[0]?.raw ?? [])).toEqual(Buffer.from(sent.raw));
  expect(statSync(paths.socket).mode & 0o777).toBe(0o600);
  expect(statSync(paths.run).mode & 0o777).toBe(0o700);
});

test.runIf(process.platform === 'linux')(
  'ancestors are seen where the daemon finds them itself, not where a hook names them',
  async () => {
    const paths = home();
    const { got } = await serve(paths);
    const named = [{ pid: process.pid, start: '1', name: 'claude' }];
    const origins = [
      { pid: process.pid, ppid: process.ppid, env: {} },
      { pid: process.pid, ppid: process.ppid, env: {}, ancestors: named },
      { pid: process.pid, ppid: process.pid, env: {} },
    ];
    for (const origin of origins) await exchange(paths, encodeEnvelope({ ...envelope('{}'), origin }));
    expect(got.map(({ origin }) => [origin.seen, origin.ancestors?.[0]?.pid])).toEqual([
      [true, process.ppid],
      [undefined, process.pid],
      [undefined, undefined],
    ]);
  },
);

test('two hundred at once and 10 MB in one', async () => {
  const paths = home();
  const { got } = await serve(paths);
  const many = Array.from({ length: 200 }, (_, i) => envelope(`{"n":${i}}`));
  const big = envelope(Buffer.alloc(10 * 1024 * 1024, 97));
  const answers = await Promise.all([...many, big].map((e) => exchange(paths, encodeEnvelope(e))));
  expect(answers.every((answer) => answer.startsWith('{"ok":true'))).toBe(true);
  expect(new Set(got.map((e) => e.id)).size).toBe(201);
  expect(got.find((e) => e.id === big.id)?.raw.byteLength).toBe(10 * 1024 * 1024);
});

const header = (more: object): string =>
  `${JSON.stringify({ v: 1, id: 'abcdefgh', startedAt: 1, receivedAt: 1, origin: {}, length: 0, ...more })}\n`;

test.each([
  ['no JSON', 'hello\n', 'not JSON'],
  ['an empty line', '\n', 'not JSON'],
  ['a later version', header({ v: 2 }), 'version 2'],
  ['an id that is a path', header({ id: '../../etc/passwd' }), 'no usable id'],
  ['a negative length', header({ length: -1 }), 'no length'],
  ['a length without bound', header({ length: 1e12 }), 'too large'],
  ['a length that is no number', header({ length: '9' }), 'no length'],
  ['an endless first line', 'x'.repeat(300_000), 'too long'],
])('%s is refused with its reason', async (_name, bytes, reason) => {
  const paths = home();
  const { got } = await serve(paths);
  const answer = JSON.parse(await exchange(paths, bytes)) as Acknowledgement;
  expect(answer).toMatchObject({ ok: false, error: expect.stringContaining(reason) });
  expect(got).toEqual([]);
});

test('a body that ends early is refused, and a hang-up harms nobody', async () => {
  const paths = home();
  const { got } = await serve(paths);
  expect(await exchange(paths, `${header({ length: 9 })}abc`, true)).toContain('ended early');
  const gone = connect(paths.socket);
  await new Promise((resolve) => gone.write(`${header({ length: 9 })}abc`, resolve));
  gone.destroy();
  expect(await exchange(paths, encodeEnvelope(envelope('{}')))).toContain('"ok":true');
  expect(got).toHaveLength(1);
});

test('a refusal or a bug of the receiver reaches the sender as not kept', async () => {
  const paths = home();
  let bug = false;
  await serve(paths, {
    accept: async () => {
      if (bug) throw new Error('secret detail');
      return { ok: false, error: 'the disk is full' };
    },
  });
  expect(await exchange(paths, encodeEnvelope(envelope('{}')))).toContain('the disk is full');
  bug = true;
  const answer = await exchange(paths, encodeEnvelope(envelope('{}')));
  expect(answer).toContain('"error"');
  expect(answer).not.toMatch(/"ok":true|secret detail/);
});

test('commands: one answer, a stream, an asker who leaves', async () => {
  const paths = home();
  let left = false;
  await serve(paths, {
    command: async ({ op, args }, reply, gone) => {
      if (op === 'echo') return reply({ data: args, done: true });
      for (let i = 0; i < 3; i++) await reply({ data: i });
      if (op === 'stream') return reply({ data: 3, done: true });
      await new Promise((resolve) => gone.addEventListener('abort', resolve));
      left = true;
    },
  });
  const echo = await sendCommand(paths, 'echo', { a: 'ü' });
  if (echo.state !== 'answered') throw new Error(echo.state);
  expect(await collect(echo.replies)).toEqual([{ data: { a: 'ü' }, done: true }]);
  const stream = await sendCommand(paths, 'stream');
  if (stream.state !== 'answered') throw new Error(stream.state);
  expect((await collect(stream.replies)).map((r) => 'data' in r && r.data)).toEqual([0, 1, 2, 3]);
  const follow = await sendCommand(paths, 'follow');
  if (follow.state !== 'answered') throw new Error(follow.state);
  for await (const reply of follow.replies) if ('data' in reply && reply.data === 2) break;
  await until(() => left, 'the daemon to notice');
});

test('nobody there is a value', async () => {
  const paths = home();
  expect(await sendCommand(paths, 'status')).toEqual({ state: 'not-running' });
  mkdirSync(paths.run, { recursive: true });
  const mute = createServer().listen(paths.socket);
  onTestFinished(() => void mute.close());
  await until(() => existsSync(paths.socket), 'the socket');
  mute.on('connection', (socket) => onTestFinished(() => void socket.destroy()));
  expect(await sendCommand(paths, 'status', {}, 50)).toEqual({ state: 'silent' });
});

test('one instance: a live one is reported, a dead one replaced, nothing is left behind', async () => {
  const paths = home();
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill('SIGKILL'));
  mkdirSync(paths.run, { recursive: true });
  writeFileSync(daemonLock(paths), JSON.stringify({ pid: child.pid, start: null, at: Date.now() }));
  const options = {
    paths,
    log: () => undefined,
    accept: async () => ({ ok: false, error: '' }) as const,
    command: async () => undefined,
  };
  expect(await listenSocket(options)).toEqual({ state: 'running', pid: child.pid });
  child.kill('SIGKILL');
  await new Promise((resolve) => child.on('exit', resolve));
  // its socket is still there, as after SIGKILL
  const orphan = spawn(process.execPath, ['-e', 'require("net").createServer().listen(process.argv[1])', paths.socket]);
  await until(() => existsSync(paths.socket), 'the socket');
  orphan.kill('SIGKILL');
  await new Promise((resolve) => orphan.on('exit', resolve));
  expect(lstatSync(paths.socket).isSocket()).toBe(true);
  const { close } = await serve(paths);
  expect(await sendCommand(paths, 'x')).toMatchObject({ state: 'answered' });
  await close();
  expect([existsSync(paths.socket), existsSync(daemonLock(paths))]).toEqual([false, false]);
});

test('a live socket without a lock still counts as running', async () => {
  const paths = home();
  mkdirSync(paths.run, { recursive: true });
  const other = createServer().listen(paths.socket);
  onTestFinished(() => void other.close());
  await until(() => existsSync(paths.socket), 'the socket');
  const found = await listenSocket({
    paths,
    log: () => undefined,
    accept: async () => ({ ok: false, error: '' }),
    command: async () => undefined,
  });
  expect(found).toEqual({ state: 'running', pid: null });
});

test('a file in the place of the socket is not removed; a long path is shortened', async () => {
  const paths = home();
  mkdirSync(paths.run, { recursive: true });
  writeFileSync(paths.socket, 'mine');
  const options = {
    paths,
    log: () => undefined,
    accept: async () => ({ ok: false, error: '' }) as const,
    command: async () => undefined,
  };
  expect(await listenSocket(options)).toMatchObject({ state: 'failed', error: expect.stringContaining('remove it') });
  const deep = pathsBelow(join(temporaryFolder(), 'x'.repeat(120)));
  expect(Buffer.byteLength(deep.socket)).toBeLessThan(104);
  await serve(deep);
  expect(statSync(dirname(deep.socket)).mode & 0o777).toBe(0o700);
  expect(await sendCommand(deep, 'x')).toMatchObject({ state: 'answered' });
});

test('close finishes what is in flight', async () => {
  const paths = home();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = false;
  const { close } = await serve(paths, {
    accept: async ({ id }) => {
      waiting = true;
      await held;
      return { ok: true, id };
    },
  });
  const answer = exchange(paths, encodeEnvelope(envelope('{}')));
  await until(() => waiting, 'the envelope');
  const closed = close();
  release();
  expect(await answer).toContain('"ok":true');
  await closed;
});
