// Tokens that are removed, of the wrong scope or stolen: none of them reads, answers, listens or is notified.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { pressProof } from '../../src/channels/webpush/press-proof.ts';
import { ACCESS, mayUse, type RouteName } from '../../src/http/access.ts';
import { BASE, type EndpointName, PATHS } from '../../src/http/api/paths.ts';
import { sha256 } from '../../src/lib/hash.ts';
import { openQuestion, permission, questionsIn, waitAsHook } from '../support/answering.ts';
import { type Visitor, visit } from '../support/interface.ts';
import { belfry } from '../support/programs.ts';
import { startPushService } from '../support/push-service.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { asked } from '../support/thread.ts';
import { until } from '../support/wait.ts';
import { hostilePage } from './hostile-home.ts';

let home = '';
let page: Visitor;
let port = 0;
let count = 0;

beforeAll(async () => {
  ({ home, page, port } = await hostilePage());
});

const WRITE = { 'content-type': 'application/json', 'x-belfry': '1' };

async function added(scope: string): Promise<{ readonly name: string; readonly token: string }> {
  count += 1;
  const name = `t${count}`;
  return { name, token: (await asked<{ token: string }>(home, ['token', 'add', name, '--scope', scope])).token };
}
const remove = async (name: string): Promise<void> => {
  expect((await belfry(home, ['token', 'remove', name])).code).toBe(0);
};
/** As `belfry token list` shows the page. */
const nameOf = ({ token }: Visitor): string => `page-${token.slice(12, 20)}`;

/** The answer's status. */
async function send(
  line: string,
  token: string | null,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly body?: object } = {},
): Promise<number> {
  const body = line.startsWith('GET') ? '' : JSON.stringify(options.body ?? {});
  const own = {
    host: `127.0.0.1:${port}`,
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === '' ? {} : { ...WRITE, 'content-length': String(body.length) }),
  };
  return (await sendRaw(port, rawRequest(`${line} HTTP/1.1`, { ...own, ...options.headers }, body))).status;
}

const ENDPOINTS = (Object.keys(PATHS) as EndpointName[]).map((name) => {
  const [method = '', path = ''] = PATHS[name].split(' ');
  return { name: name as RouteName, line: `${method} ${BASE}${path.replace(/:\w+/g, 'x')}` };
});
const ALL = [...ENDPOINTS, { name: 'stream' as const, line: `GET ${BASE}/stream` }];

test.each(['publish', 'read', 'answer'] as const)('a token to %s may use no route beyond its scope', async (scope) => {
  const { token } = await added(scope);
  const beyond = ALL.filter(({ name }) => !mayUse([scope], name));
  expect(beyond.length).toBeGreaterThan(10);
  const wrong: string[] = [];
  for (const { line } of beyond) {
    const status = await send(line, token);
    if (status !== 403) wrong.push(`${line}: ${status}`);
  }
  if (scope !== 'publish' && (await send('POST /hooks', token)) !== 403) wrong.push('it publishes');
  expect(wrong).toEqual([]);
});

test('nobody without a token may use a route that is not open', async () => {
  const wrong: string[] = [];
  for (const { name, line } of ALL)
    if (ACCESS[name].open === undefined && (await send(line, null)) !== 401) wrong.push(line);
  expect(wrong).toEqual([]);
});

test('a removed token answers no question that it was shown', async () => {
  const { name, token } = await added('answer');
  const talk = await waitAsHook(home, permission('r1'));
  const { id } = await openQuestion(home, 'r1');
  const list = await fetch(`${page.origin}${BASE}/questions`, { headers: { authorization: `Bearer ${token}` } });
  const { questions } = (await list.json()) as { questions: { id: string; seen: string }[] };
  const seen = questions.find((one) => one.id === id)?.seen;
  await remove(name);
  expect(await send(`POST ${BASE}/questions/${id}/answer`, token, { body: { seen, answer: { type: 'allow' } } })).toBe(
    401,
  );
  expect((await questionsIn(home)).find((one) => one.id === id)?.state).toBe('open');
  talk.close();
});

/** Its stream, begun; `ended` resolves when it has ended. */
async function streamOf(token: string): Promise<{ readonly ended: () => Promise<void> }> {
  const response = await fetch(`${page.origin}${BASE}/stream`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  let isOver = false;
  const readOn = async (): Promise<void> => {
    while ((await reader?.read())?.done === false);
  };
  const over = (): void => {
    isOver = true;
  };
  readOn().then(over, over);
  return { ended: async () => void (await until(() => isOver, 'the stream to end', 20_000)) };
}

test('a token that is removed while its stream is open hears no more', async () => {
  const { name, token } = await added('read');
  const { ended } = await streamOf(token);
  await remove(name);
  await ended();
  expect(await send(`GET ${BASE}/stream`, token)).toBe(401);
});

test('a page that is removed while its stream is open hears no more, and may do nothing', async () => {
  const other = await visit(home);
  const { ended } = await streamOf(other.token);
  await remove(nameOf(other));
  await ended();
  expect(await send(`POST ${BASE}/mutes`, other.token)).toBe(401);
});

test('a page that signs out leaves nothing behind', async () => {
  const other = await visit(home);
  const { ended } = await streamOf(other.token);
  await other.call('page.leave', {});
  await ended();
  expect(await send(`GET ${BASE}/sessions`, other.token)).toBe(401);
});

test('a token of the same name as one that was removed is another', async () => {
  const { name, token } = await added('read');
  const { ended } = await streamOf(token);
  await remove(name);
  await asked(home, ['token', 'add', name, '--scope', 'read']);
  await ended();
  expect(await send(`GET ${BASE}/sessions`, token)).toBe(401);
});

test('a token to answer subscribes no browser to what is pushed', async () => {
  const { token } = await added('read,answer');
  const browser = (await startPushService()).subscribe('stranger');
  expect(await send(`POST ${BASE}/push/browsers`, token, { body: browser })).toBe(403);
  expect((await page.call('push.get', {})).browsers).toBe(0);
});

test('a browser is pushed nothing, and its presses count no more, once its page is removed', async () => {
  const other = await visit(home);
  const browser = (await startPushService()).subscribe('one');
  const press = (): Promise<number> =>
    send(`POST ${BASE}/push/press`, null, { body: { reference: 'qst:1', proof: pressProof(browser, 'qst:1') } });
  await other.call('push.subscribe', browser);
  expect([(await page.call('push.get', {})).browsers, await press()]).toEqual([1, 200]);
  await remove(nameOf(other));
  expect([(await page.call('push.get', {})).browsers, await press()]).toEqual([0, 403]);
});

test('a press without what proves it is refused', async () => {
  expect(await send(`POST ${BASE}/push/press`, null, { body: { reference: 'qst:1' } })).toBe(400);
  expect(await send(`POST ${BASE}/push/press`, null, { body: { reference: 'qst:1', proof: 'x' } })).toBe(403);
});

test.each([
  ['a page of another site', { origin: 'https://evil.example' }],
  ['a page of another port', { origin: 'http://127.0.0.1:1' }],
  ['a name that leads here', { host: 'evil.example' }],
  ['another port’s name', { host: '127.0.0.1:1' }],
] as const)('the page’s token, stolen, is of no use to %s', async (_what, headers) => {
  expect(await send(`GET ${BASE}/sessions`, page.token, { headers })).toBe(403);
  expect(await send(`POST ${BASE}/mutes`, page.token, { headers })).toBe(403);
});

test('a token in the query, or its hash, is none', async () => {
  expect(await send(`GET ${BASE}/sessions?token=${page.token}&access_token=${page.token}`, null)).toBe(401);
  const kept = readFileSync(join(home, 'state', 'tokens.json'), 'utf8');
  expect(kept).toContain(sha256(page.token));
  expect(await send(`GET ${BASE}/sessions`, sha256(page.token))).toBe(401);
});
