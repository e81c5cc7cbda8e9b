// What is sent again after a fault, and what never is; how pages end.
import { describe, expect, test } from 'vitest';
import { type Client, createClient } from '../../src/api/index.ts';
import { virtualClock } from '../support/clock.ts';
import { type Answer, type Received, startReceiver } from '../support/receiver.ts';

const ok = { status: 200, body: '{"computers":[]}' };
const reset: Answer = (_request, response) => void response.socket?.destroy();
const late = (value: string): Answer => ({ status: 429, headers: { 'retry-after': value } });

const get = (c: Client): Promise<unknown> => c.computers.list();
const post = (c: Client): Promise<unknown> => c.computers.create({ name: 'n', remoteUser: 'u' });
const patch = (c: Client): Promise<unknown> => c.computers.update({ computerId: 'c', name: 'n' });
const put = (c: Client): Promise<unknown> => c.usageLimits.set({ users: [{ email: 'a@example.com', limit: 1 }] });

/** `sent`: requests in all; `kind`: of the error, null: success. */
const cases: readonly (readonly [string, (c: Client) => Promise<unknown>, readonly Answer[], number, string | null])[] =
  [
    ['GET after 503, 500', get, [503, 500, ok], 3, null],
    ['GET after resets', get, [reset, reset, ok], 3, null],
    ['GET after 429 with seconds', get, [late('2'), ok], 2, null],
    ['GET after 429 with a date', get, [late('Mon, 01 Jun 2026 12:00:30 GMT'), ok], 2, null],
    ['GET after 429 with nonsense', get, [late('soon'), ok], 2, null],
    ['GET after 429 with 61 s: not', get, [late('61'), ok], 1, 'rate-limited'],
    [
      'GET after 429 with a date an hour away: not',
      get,
      [late('Mon, 01 Jun 2026 13:00:00 GMT'), ok],
      1,
      'rate-limited',
    ],
    ['GET after 429s of 40 s: no more than a minute in all', get, [late('40'), late('40'), ok], 2, 'rate-limited'],
    ['GET after 404: not', get, [404, ok], 1, 'not-found'],
    ['GET three times at most', get, [500, 500, 500, ok], 3, 'server'],
    ['POST after 500: never', post, [500, ok], 1, 'server'],
    ['POST after 429: never', post, [late('1'), ok], 1, 'rate-limited'],
    ['POST after a reset: never', post, [reset, ok], 1, 'unknown-outcome'],
    ['POST redirected: never', post, [{ status: 307, headers: { location: '/x' } }, ok], 1, 'redirected'],
    ['PATCH after 503: never', patch, [503, ok], 1, 'server'],
    ['PUT after 503', put, [503, { status: 200, body: '{"updated":[],"errors":[]}' }], 2, null],
    ['PUT after a reset: not', put, [reset, ok], 1, 'unknown-outcome'],
    ['PUT after 429: not', put, [late('1'), ok], 1, 'rate-limited'],
  ];

describe('sent again', () => {
  test.each(cases)('%s', async (_name, call, answers, sent, kind) => {
    const service = await startReceiver();
    service.answer = (_request, index) => answers[index] ?? 599;
    const clock = virtualClock(Date.UTC(2026, 5, 1, 12));
    const done = call(createClient({ baseUrl: service.url, key: 'k', clock })).then(
      () => null,
      (error: { kind: string }) => error.kind,
    );
    // The client waits on this clock only; each wait is over as soon as it has begun.
    let ended = false;
    void done.then(() => {
      ended = true;
    });
    while (!ended) await clock.advance(60_000);
    expect(await done).toBe(kind);
    expect(service.requests).toHaveLength(sent);
  });
});

test('a caller that waits learns for how long', async () => {
  const service = await startReceiver();
  service.answer = (_request, index) => (index === 0 ? late('7') : ok);
  const clock = virtualClock();
  const waits: [number, string][] = [];
  const onWait = (ms: number, after: string): void => void waits.push([ms, after]);
  const call = createClient({ baseUrl: service.url, key: 'k', clock, onWait }).computers.list();
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(7_000);
  await call;
  expect(waits).toEqual([[7_000, 'rate-limited']]);
});

test('a cancelled call sends nothing more', async () => {
  const service = await startReceiver();
  const stop = new AbortController();
  service.answer = () => {
    stop.abort();
    return 503;
  };
  const call = createClient({ baseUrl: service.url, key: 'k' }).computers.list({}, { signal: stop.signal });
  await expect(call).rejects.toMatchObject({ kind: 'cancelled' });
  expect(service.requests).toHaveLength(1);
});

/** Serves the users of a page by its cursor. */
const users =
  (pages: Record<string, { ids: string[]; next: string | null | undefined; more?: boolean }>) =>
  (request: Received) => {
    const cursor = new URL(request.path, 'http://x').searchParams.get('cursor') ?? '';
    const page = pages[cursor] ?? { ids: [], next: null };
    const meta = { has_more: page.more ?? true, ...(page.next === undefined ? {} : { next_cursor: page.next }) };
    return {
      status: 200,
      body: JSON.stringify({ data: page.ids.map((user_id) => ({ user_id, date: '2026-02-01' })), meta }),
    };
  };

const range = { startDate: '2026-02-01', endDate: '2026-02-01' };

describe('4.1 rule 3: pages end', () => {
  test.each([
    [
      'with has_more false',
      { '': { ids: ['a'], next: 'a' }, a: { ids: ['b'], next: 'b', more: false } },
      ['a', 'b'],
      2,
    ],
    ['with an empty page', { '': { ids: ['a'], next: 'a' }, a: { ids: [], next: 'z' } }, ['a'], 2],
    ['with a null cursor', { '': { ids: ['a'], next: null } }, ['a'], 1],
    ['with a missing cursor', { '': { ids: ['a'], next: undefined } }, ['a'], 1],
    ['with the same cursor again', { '': { ids: ['a'], next: 'a' }, a: { ids: ['b'], next: 'a' } }, ['a', 'b'], 2],
    [
      'with a circle of cursors',
      { '': { ids: ['a'], next: 'a' }, a: { ids: ['b'], next: 'b' }, b: { ids: ['c'], next: 'a' } },
      ['a', 'b', 'c'],
      3,
    ],
  ])('%s', async (_name, pages, expected, requests) => {
    const service = await startReceiver();
    service.answer = users(pages);
    const client = createClient({ baseUrl: service.url, key: 'k' });
    const seen: string[] = [];
    for await (const page of client.analytics.users.pages(range)) seen.push(...page.data.map((row) => row.user_id));
    expect(seen).toEqual(expected);
    expect(service.requests).toHaveLength(requests);
    expect(service.requests.every(({ path }) => path.includes('startDate=2026-02-01'))).toBe(true);
  });
});

test('4.2: the next page of readiness reports starts after the last report of this one', async () => {
  const ids = ['r1', 'r2', 'r3'];
  const service = await startReceiver();
  service.answer = (request) => {
    const after = new URL(request.path, 'http://x').searchParams.get('startAfter');
    const id = ids[after === null ? 0 : ids.indexOf(after) + 1];
    const report = { reportId: id, createdAt: 1, repoUrl: 'https://git.example.com/r', apps: {}, report: {} };
    return { status: 200, body: JSON.stringify({ reports: id === undefined ? [] : [report] }) };
  };
  const client = createClient({ baseUrl: service.url, appUrl: service.url, key: 'k' });
  const seen: string[] = [];
  for await (const page of client.readinessReports.list.pages({ limit: 1 }))
    seen.push(...page.reports.map((report) => report.reportId));
  expect(seen).toEqual(ids);
  expect(service.requests).toHaveLength(4);
});

test('a service that ignores the cursor ends all the same', async () => {
  const service = await startReceiver();
  const report = { reportId: 'r1', createdAt: 1, repoUrl: 'https://git.example.com/r', apps: {}, report: {} };
  service.answer = () => ({ status: 200, body: JSON.stringify({ reports: [report] }) });
  const client = createClient({ baseUrl: service.url, appUrl: service.url, key: 'k' });
  let pages = 0;
  for await (const _ of client.readinessReports.list.pages()) pages++;
  expect([pages, service.requests.length]).toEqual([1, 2]);
});

describe('pages that come again', () => {
  const report = (reportId: string) => ({ reportId, createdAt: 1, repoUrl: 'https://x', apps: {}, report: {} });
  test.each([
    [
      'the same page for ever',
      [
        ['a', 'b'],
        ['a', 'b'],
        ['a', 'b'],
      ],
      ['a', 'b'],
      2,
    ],
    ['a circle of pages', [['a', 'b'], ['c', 'd'], ['a', 'b'], ['e']], ['a', 'b', 'c', 'd'], 3],
    ['a page that begins with the last of the page before', [['a', 'b'], ['b', 'c'], ['c']], ['a', 'b', 'c'], 3],
  ])('%s: each report once, the end with a warning', async (_name, served, expected, requests) => {
    const service = await startReceiver();
    service.answer = (_request, i) => ({
      status: 200,
      body: JSON.stringify({ reports: (served[i] ?? []).map(report) }),
    });
    const warnings: string[] = [];
    const onWarning = (text: string): void => void warnings.push(text);
    const client = createClient({ baseUrl: service.url, appUrl: service.url, key: 'k', onWarning });
    const seen: string[] = [];
    for await (const page of client.readinessReports.list.pages()) seen.push(...page.reports.map((r) => r.reportId));
    expect(seen).toEqual(expected);
    expect(service.requests).toHaveLength(requests);
    expect(warnings).toEqual([expect.stringContaining('gave the same rows again')]);
  });

  test('more is promised without a way to get it: a warning', async () => {
    const service = await startReceiver();
    service.answer = users({ '': { ids: ['a'], next: null, more: true } });
    const warnings: string[] = [];
    const client = createClient({ baseUrl: service.url, key: 'k', onWarning: (text) => void warnings.push(text) });
    for await (const _ of client.analytics.users.pages(range));
    expect(warnings).toEqual([expect.stringContaining('gives no cursor for them')]);
  });
});
