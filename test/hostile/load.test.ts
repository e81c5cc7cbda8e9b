// Whoever asks for too much uses up their own share: the page loads, and a person's answer arrives, whatever anybody else does.
// It floods a daemon, so it runs alone, with the tests of the page: `npm run test:web`.
import { connect, type Socket } from 'node:net';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { BASE } from '../../src/http/api/paths.ts';
import { openQuestion, permission, waitAsHook } from '../support/answering.ts';
import { dashboardAddress, type Visitor } from '../support/interface.ts';
import { pressProof } from '../../src/channels/webpush/press-proof.ts';
import { startPushService } from '../support/push-service.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { asked } from '../support/thread.ts';
import { until as untilLimit } from '../support/wait.ts';
import { hostilePage } from './hostile-home.ts';

/** Generous, for what takes a second. */
const until: typeof untilLimit = (look, what) => untilLimit(look, what, 20_000);

let home = '';
let page: Visitor;
let port = 0;
let count = 0;

beforeAll(async () => {
  ({ home, page, port } = await hostilePage());
});

const token = async (scope: string): Promise<string> => {
  count += 1;
  return (await asked<{ token: string }>(home, ['token', 'add', `t${count}`, '--scope', scope])).token;
};
const bearer = (of: string) => ({ authorization: `Bearer ${of}` });
const sockets = new Set<Socket>();

const floods = new Set<NodeJS.Timeout>();

afterEach(() => {
  for (const timer of floods) clearInterval(timer);
  floods.clear();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

/** A connection that sends this and nothing more; `answer`: what came back so far. */
function hold(text: string | Buffer): { readonly answer: () => string; readonly isOpen: () => boolean } {
  let answer = '';
  let isOpen = true;
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('data', (chunk) => {
    if (answer.length < 10_000) answer += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOpen = false;
  });
  socket.write(text);
  return { answer: () => answer, isOpen: () => isOpen };
}

/** A thousand of these a second, until the test is over; resolves when they are too many. */
async function flood(text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  let answer = '';
  socket.on('data', (chunk) => {
    answer = (answer + chunk.toString('latin1')).slice(-20_000);
  });
  socket.on('error', () => undefined);
  floods.add(setInterval(() => socket.write(text.repeat(20)), 20));
  await until(() => answer.includes('HTTP/1.1 429'), 'them to be too many');
}

const request = (line: string, headers: Readonly<Record<string, string>> = {}): string =>
  rawRequest(`${line} HTTP/1.1`, { host: `127.0.0.1:${port}`, ...headers });
const many = <T>(times: number, make: (index: number) => T): T[] => Array.from({ length: times }, (_, i) => make(i));
const statuses = (held: readonly { readonly answer: () => string }[], status: number): number =>
  held.filter(({ answer }) => answer().startsWith(`HTTP/1.1 ${status}`)).length;
const stream = (of: string): string => request(`GET ${BASE}/stream`, bearer(of));

/** A session asks, and the page allows it: the hook has its answer. */
async function answersInTime(): Promise<void> {
  const session = `s${randomBytes(4).toString('hex')}`;
  const talk = await waitAsHook(home, permission(session));
  const { id } = await openQuestion(home, session);
  const { questions } = await page.call('questions.list', {});
  const seen = questions.find((question) => question.id === id)?.seen ?? '';
  await page.call('questions.answer', { id, seen, answer: { type: 'allow' } });
  expect(JSON.stringify(await talk.next())).toContain('allow');
  talk.close();
}

/** A browser is let in. */
async function loads(): Promise<void> {
  const { origin, code } = await dashboardAddress(home);
  const document = await fetch(`${origin}/`);
  const [, script = ''] = /src="([^"]+)"/.exec(await document.text()) ?? [];
  expect([document.status, (await fetch(origin + script)).status]).toEqual([200, 200]);
  const entered = await fetch(`${origin}${BASE}/page/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-belfry': '1' },
    body: JSON.stringify({ code }),
  });
  expect(entered.status).toBe(200);
}

test('a reader that opens 128 streams has eight, and shuts nobody out', async () => {
  const reads = await token('read');
  const held = many(128, () => hold(stream(reads)));
  await until(() => statuses(held, 200) + statuses(held, 429) === 128, 'each to be answered');
  expect(statuses(held, 200)).toBe(8);
  const own = hold(stream(page.token));
  await until(() => own.answer().includes('event: open'), 'the stream of the page');
  await answersInTime();
});

test('twelve readers that open eight streams each leave streams for the page', async () => {
  const readers = await Promise.all(many(12, () => token('read')));
  const held = readers.flatMap((reads) => many(8, () => hold(stream(reads))));
  await until(() => statuses(held, 200) + statuses(held, 503) === held.length, 'each to be answered');
  expect(statuses(held, 503)).toBeGreaterThan(0);
  const own = hold(stream(page.token));
  await until(() => own.answer().includes('event: open'), 'the stream of the page');
});

test('a stream that is closed gives its place back', async () => {
  const reads = await token('read');
  const held = many(8, () => hold(stream(reads)));
  await until(() => statuses(held, 200) === 8, 'eight streams');
  for (const socket of sockets) socket.destroy();
  await until(async () => {
    const one = hold(stream(reads));
    await until(() => one.answer() !== '', 'an answer');
    return one.answer().startsWith('HTTP/1.1 200');
  }, 'room for another');
});

test('five slow bodies of a publisher hold up no answer', async () => {
  const publishes = await token('publish');
  const part = Buffer.alloc(15 * 1024 * 1024, 120);
  const held = many(5, () =>
    hold(
      Buffer.concat([
        Buffer.from(request('POST /hooks', { ...bearer(publishes), 'content-length': String(16 * 1024 * 1024) })),
        part,
      ]),
    ),
  );
  await until(() => statuses(held, 503) >= 3, 'the publisher to have its share');
  await answersInTime();
});

test('a thousand requests a second without a token do not keep the page from loading', async () => {
  await flood(request('GET /metrics'));
  await loads();
  await answersInTime();
});

test('a thousand wrong tokens a second take nothing from the page', async () => {
  await flood(request(`GET ${BASE}/sessions`, bearer('guessed')));
  await loads();
  await answersInTime();
});

test('a reader over its hundred a second slows down nobody else', async () => {
  const [greedy, other] = [await token('read'), await token('read')];
  const held = many(4, () => hold(request(`GET ${BASE}/mutes`, bearer(greedy)).repeat(100)));
  await until(() => held.some(({ answer }) => answer().includes('429')), 'it to be too much');
  expect((await sendRaw(port, request(`GET ${BASE}/mutes`, bearer(other)))).status).toBe(200);
  await answersInTime();
});

test('four hundred connections that ask nothing do not keep a person from answering', async () => {
  const held = many(400, () => hold('GET / HTTP/1.1\r\nhost: '));
  await until(() => held.some(({ isOpen }) => !isOpen()), 'the first of them to go');
  expect((await sendRaw(port, request('GET /'))).status).toBe(200); // a new connection
  await answersInTime();
  await loads();
});

test('three hundred codes whose text never comes do not keep a browser out', async () => {
  const json = { 'content-type': 'application/json', 'x-belfry': '1', 'content-length': '50' };
  const held = many(300, () => hold(request(`POST ${BASE}/page/token`, json)));
  await until(() => held.some(({ isOpen }) => !isOpen()), 'the first of them to go');
  expect((await sendRaw(port, request('GET /'))).status).toBe(200);
  await loads();
});

test('a hundred slow posts of a publisher leave what is under way for the page', async () => {
  const publishes = await token('publish');
  const slow = request('POST /hooks', { ...bearer(publishes), 'content-length': '10' });
  const held = many(100, () => hold(slow));
  await until(() => statuses(held, 429) === 68, 'all but its share to be refused');
  await answersInTime();
});

test('a body of a megabyte without a token is not read', async () => {
  const json = { 'content-type': 'application/json', 'x-belfry': '1', 'content-length': '1000000' };
  expect((await sendRaw(port, request(`POST ${BASE}/page/token`, json))).status).toBe(413);
});

test('two hundred forged presses refuse no real one', async () => {
  const browser = (await startPushService()).subscribe('one');
  await page.call('push.subscribe', browser);
  const press = async (reference: string, proof: string): Promise<number> => {
    const body = JSON.stringify({ reference, proof });
    const json = { 'content-type': 'application/json', 'x-belfry': '1', 'content-length': String(body.length) };
    return (await sendRaw(port, request(`POST ${BASE}/push/press`, json) + body)).status;
  };
  const forged = await Promise.all(many(200, (i) => press(`qst:${i}`, randomBytes(16).toString('base64url'))));
  expect(new Set(forged)).toEqual(new Set([403]));
  expect(await press('qst:1', pressProof(browser, 'qst:1'))).toBe(200);
});

test('fifty requests with headers of a megabyte are cut off, and the page goes on', async () => {
  const held = many(50, () => hold(request('GET /', { 'x-fill': 'x'.repeat(1_000_000) })));
  await until(() => held.every(({ isOpen }) => !isOpen()), 'each to be cut off');
  await answersInTime();
});

test('seventy refused answers of one token keep no other from answering', async () => {
  const [wrong, right] = [await token('answer'), await token('answer')];
  const talk = await waitAsHook(home, permission('two'));
  const { id } = await openQuestion(home, 'two');
  const { questions } = await page.call('questions.list', {});
  const seen = questions.find((question) => question.id === id)?.seen ?? '';
  const answer = async (of: string, given: object): Promise<number> => {
    const body = JSON.stringify({ seen, answer: given });
    const response = await fetch(`${page.origin}${BASE}/questions/${id}/answer`, {
      method: 'POST',
      body,
      headers: { ...bearer(of), 'content-type': 'application/json', 'x-belfry': '1' },
    });
    await response.arrayBuffer();
    return response.status;
  };
  for (let i = 0; i < 70; i++) expect(await answer(wrong, { type: 'reply', text: 'x' })).not.toBe(200);
  expect(await answer(right, { type: 'allow' })).toBe(200);
  talk.close();
});
