// Sections 4 and 8 of the specification: what must fail is refused before anything is sent (exit 2), what may pass is sent.
import { describe, expect, test } from 'vitest';
import { ApiError, type Client, createClient } from '../../src/api/index.ts';
import { virtualClock } from '../support/clock.ts';
import { startReceiver } from '../support/receiver.ts';

/** 2026-06-01, half past midnight in UTC: still 31 May in America. */
const clock = virtualClock(Date.UTC(2026, 5, 1, 0, 30));
const range = { startDate: '2026-05-01', endDate: '2026-05-31' };
const wide = '💡'.repeat(63);
const url = (length: number): string => `https://example.com/${'a'.repeat(length - 20)}`;
const users = (count: number) => Array.from({ length: count }, (_, i) => ({ email: `u${i}@example.com`, limit: i }));

type Call = (client: Client) => Promise<unknown>;

/** Calls as a program without types would make them. */
const untyped = (value: unknown): never => value as never;

const refused: readonly (readonly [string, Call, string])[] = [
  ['8 today', (c) => c.analytics.tokens({ ...range, endDate: '2026-06-01' }), 'endDate'],
  ['8 tomorrow', (c) => c.analytics.tools({ startDate: '2026-06-02', endDate: '2026-06-02' }), 'startDate'],
  ['8 before the history', (c) => c.analytics.activity({ ...range, startDate: '2026-01-13' }), 'startDate'],
  [
    '4.1 start after end',
    (c) => c.analytics.productivity({ startDate: '2026-05-03', endDate: '2026-05-02' }),
    'startDate',
  ],
  ['7 impossible day', (c) => c.analytics.users({ ...range, startDate: '2026-02-30' }), 'startDate'],
  ['7 month 13', (c) => c.analytics.users({ ...range, endDate: '2026-13-01' }), 'endDate'],
  ['7 other format', (c) => c.analytics.tokens({ ...range, startDate: '1 May 2026' }), 'startDate'],
  ['7 with time', (c) => c.analytics.tokens({ ...range, startDate: '2026-05-01T00:00:00Z' }), 'startDate'],
  ['4.1 startDate missing', (c) => c.analytics.tokens(untyped({ endDate: '2026-05-02' })), 'startDate'],
  ['4.1 endDate missing', (c) => c.analytics.tokens(untyped({ startDate: '2026-05-02' })), 'endDate'],
  ['4.1 group_by other than model', (c) => c.analytics.tokens(untyped({ ...range, group_by: 'user' })), 'group_by'],
  ['4.1 no group_by there', (c) => c.analytics.productivity(untyped({ ...range, group_by: 'x' })), 'group_by'],
  ['8 /users limit 0', (c) => c.analytics.users({ ...range, limit: 0 }), 'limit'],
  ['8 /users limit 101', (c) => c.analytics.users({ ...range, limit: 101 }), 'limit'],
  ['8 /users limit 1.5', (c) => c.analytics.users({ ...range, limit: 1.5 }), 'limit'],
  ['8 history limit 101', (c) => c.enterpriseControls.history({ limit: 101 }), 'limit'],
  ['8 messages limit 0', (c) => c.sessions.messages({ sessionId: 's', limit: 0 }), 'limit'],
  ['8 readiness limit 0', (c) => c.readinessReports.list({ limit: 0 }), 'limit'],
  ['8 readiness limit -1', (c) => c.readinessReports.list({ limit: -1 }), 'limit'],
  ['4.5 role system', (c) => c.sessions.messages(untyped({ sessionId: 's', role: 'system' })), 'role'],
  ['8 name empty', (c) => c.computers.create({ name: '', remoteUser: 'u' }), 'name'],
  ['8 name of 64', (c) => c.computers.create({ name: `${wide}x`, remoteUser: 'u' }), 'name'],
  ['8 remoteUser of 64', (c) => c.computers.update({ computerId: 'c', remoteUser: 'u'.repeat(64) }), 'remoteUser'],
  ['4.4 name in the path of 64', (c) => c.computers.get({ name: 'n'.repeat(64) }), 'name'],
  [
    '4.4 provider unknown',
    (c) => c.computers.create(untyped({ name: 'n', remoteUser: 'u', provider: 'x' })),
    'provider',
  ],
  ['8 21 repos', (c) => c.computers.create({ name: 'n', remoteUser: 'u', repos: Array(21).fill(url(40)) }), 'repos'],
  ['8 repo of 2049', (c) => c.computers.create({ name: 'n', remoteUser: 'u', repos: [url(2049)] }), 'repos[0]'],
  ['4.4 repo no URI', (c) => c.computers.create({ name: 'n', remoteUser: 'u', repos: ['a b'] }), 'repos[0]'],
  ['8 no users', (c) => c.usageLimits.set({ users: [] }), 'users'],
  ['8 101 users', (c) => c.usageLimits.set({ users: users(101) }), 'users'],
  ['2.12 bad e-mail', (c) => c.usageLimits.set({ users: [{ email: 'nobody', limit: 1 }] }), 'users[0].email'],
  [
    '2.12 limit no number',
    (c) => c.usageLimits.set({ users: [{ email: 'a@example.com', limit: Number.NaN }] }),
    'users[0].limit',
  ],
  ['4.5 text missing', (c) => c.sessions.send(untyped({ sessionId: 's' })), 'text'],
  [
    '4.5 image no image type',
    (c) =>
      c.sessions.send({
        sessionId: 's',
        text: 't',
        images: [{ type: 'base64', data: 'AAAA', mediaType: 'text/plain' }],
      }),
    'images[0].mediaType',
  ],
  [
    '4.5 image no base64',
    (c) =>
      c.sessions.send({ sessionId: 's', text: 't', images: [{ type: 'base64', data: '?!', mediaType: 'image/png' }] }),
    'images[0].data',
  ],
  ['4.5 computerId missing', (c) => c.sessions.create(untyped({})), 'computerId'],
  ['id "."', (c) => c.sessions.get({ sessionId: '.' }), 'sessionId'],
  ['id ".."', (c) => c.sessions.message({ sessionId: 's', messageId: '..' }), 'messageId'],
  ['id empty', (c) => c.sessions.get({ sessionId: '' }), 'sessionId'],
  ['id with half a character', (c) => c.sessions.get({ sessionId: 'a\ud800' }), 'sessionId'],
  ['a field nobody knows', (c) => c.computers.list(untyped({ nmae: 'x' })), 'nmae'],
];

const passing: readonly (readonly [string, Call])[] = [
  ['8 the first day to yesterday', (c) => c.analytics.tokens({ startDate: '2026-01-14', endDate: '2026-05-31' })],
  ['8 one day', (c) => c.analytics.tokens({ startDate: '2026-05-31', endDate: '2026-05-31' })],
  ['8 /users limit 1', (c) => c.analytics.users({ ...range, limit: 1 })],
  ['8 /users limit 100', (c) => c.analytics.users({ ...range, limit: 100 })],
  ['8 readiness limit of any size', (c) => c.readinessReports.list({ limit: 100_000 })],
  ['8 name of 63 code points', (c) => c.computers.create({ name: wide, remoteUser: wide })],
  ['8 20 repos of 2048', (c) => c.computers.create({ name: 'n', remoteUser: 'u', repos: Array(20).fill(url(2048)) })],
  ['8 100 users', (c) => c.usageLimits.set({ users: users(100) })],
  ['2.12 any number', (c) => c.usageLimits.set({ users: [{ email: 'a@example.com', limit: -0.5 }] })],
  ['an id that looks like a path', (c) => c.sessions.get({ sessionId: '../..' })],
];

describe('refused with nothing sent', () => {
  test.each(refused)('%s', async (_name, call, field) => {
    const service = await startReceiver();
    const client = createClient({ baseUrl: service.url, appUrl: service.url, key: 'k', clock });
    const error = await call(client).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ kind: 'invalid-input', exit: 2 });
    expect(String(error)).toContain(`ApiError: ${field}: `);
    expect(service.requests).toHaveLength(0);
  });
});

describe('sent', () => {
  test.each(passing)('%s', async (_name, call) => {
    const service = await startReceiver();
    service.answer = () => 404;
    const client = createClient({ baseUrl: service.url, appUrl: service.url, key: 'k', clock });
    await expect(call(client)).rejects.toMatchObject({ kind: 'not-found' });
    expect(service.requests).toHaveLength(1);
  });
});

describe('5 no request without a key that can be one', () => {
  test.each([[''], ['  '], ['two words'], ['line\nfeed'], ['schlüssel']])('%j', async (key) => {
    const service = await startReceiver();
    const error = await createClient({ baseUrl: service.url, key })
      .computers.list()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'unauthenticated', exit: 3 });
    if (key.trim()) expect(String(error)).not.toContain(key);
    expect(service.requests).toHaveLength(0);
  });
});

test.each([
  [''],
  ['api.example.com'],
  ['ftp://example.com'],
  ['https://me:pw@example.com'],
  ['https://example.com/?a=1'],
])('no address: %j', async (baseUrl) => {
  await expect(createClient({ baseUrl, key: 'k' }).computers.list()).rejects.toMatchObject({ kind: 'invalid-input' });
});

test('the readiness reports need the other address', async () => {
  const call = createClient({ baseUrl: 'http://127.0.0.1:9', key: 'k' }).readinessReports.list();
  await expect(call).rejects.toThrow(/^no address of the service: set BELFRY_API_APP_URL/);
});
