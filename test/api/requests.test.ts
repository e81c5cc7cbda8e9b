// Section 4 of the specification, row by row: what each call sends, and that its answer comes back whole.
import { describe, expect, test } from 'vitest';
import { type Client, createClient } from '../../src/api/index.ts';
import { entries } from '../../src/api/contract/contract.ts';
import { read, sources } from '../conventions/files.ts';
import { startReceiver } from '../support/receiver.ts';

const range = { startDate: '2026-02-01', endDate: '2026-02-03' };
const meta = { org_id: 'o', start_date: range.startDate, end_date: range.endDate };
const computer = { id: 'c1', name: 'box', providerType: 'byom', createdAt: 1, later: true };
const session = { sessionId: 's1', status: 'idle', messageCount: 0, createdAt: 1, updatedAt: 1 };
const message = { id: 'm1', role: 'user', content: [{ type: 'text', text: 'hi' }], createdAt: 1, updatedAt: 1 };
const image = { type: 'base64', data: 'AAAA', mediaType: 'image/png' } as const;
const file = {
  type: 'base64',
  mediaType: 'text/plain',
  data: 'AAAA',
  parsedData: 'x',
  name: 'a.txt',
  path: 'a.txt',
} as const;

interface Case {
  readonly name: string;
  readonly call: (client: Client) => Promise<unknown>;
  readonly sends: string;
  readonly body?: unknown;
  readonly status?: number;
  readonly answer: unknown;
}

const day = (row: object) => ({ data: [{ date: '2026-02-01', ...row }], meta });

const cases: readonly Case[] = [
  {
    name: '4.1 /tokens',
    call: (c) => c.analytics.tokens(range),
    sends: 'GET /base/api/v1/analytics/tokens?startDate=2026-02-01&endDate=2026-02-03',
    answer: day({ billable_tokens: 5, by_model: [{ model_id: 'm', model_tier: 'standard', billable_tokens: 5 }] }),
  },
  {
    name: '4.1 /tokens grouped by model (rule 2)',
    call: (c) => c.analytics.tokens({ ...range, group_by: 'model' }),
    sends: 'GET /base/api/v1/analytics/tokens?startDate=2026-02-01&endDate=2026-02-03&group_by=model',
    answer: day({ group_key: 'm', billable_tokens: 5, input_tokens: 4, output_tokens: 1 }),
  },
  {
    name: '4.1 /tools',
    call: (c) => c.analytics.tools(range),
    sends: 'GET /base/api/v1/analytics/tools?startDate=2026-02-01&endDate=2026-02-03',
    answer: day({ tool_calls: 5, tool_autonomy_level_ratio: { auto_high: 0.5, manual: 0.5 } }),
  },
  {
    name: '4.1 /tools grouped by tool_name (rule 2)',
    call: (c) => c.analytics.tools({ ...range, group_by: 'tool_name' }),
    sends: 'GET /base/api/v1/analytics/tools?startDate=2026-02-01&endDate=2026-02-03&group_by=tool_name',
    answer: day({ group_key: 'Read', tool_calls: 5 }),
  },
  {
    name: '4.1 /activity',
    call: (c) => c.analytics.activity(range),
    sends: 'GET /base/api/v1/analytics/activity?startDate=2026-02-01&endDate=2026-02-03',
    answer: day({ daily_active_users: 5, daily_active_users_by_client: { 'terminal-ui': 5, hologram: 1 } }),
  },
  {
    name: '4.1 /activity grouped by client (rule 2)',
    call: (c) => c.analytics.activity({ ...range, group_by: 'client' }),
    sends: 'GET /base/api/v1/analytics/activity?startDate=2026-02-01&endDate=2026-02-03&group_by=client',
    answer: day({ group_key: 'web', daily_active_users: 5 }),
  },
  {
    name: '4.1 /productivity',
    call: (c) => c.analytics.productivity(range),
    sends: 'GET /base/api/v1/analytics/productivity?startDate=2026-02-01&endDate=2026-02-03',
    answer: day({ files_created: 1 }),
  },
  {
    name: '4.1 /users',
    call: (c) => c.analytics.users({ ...range, limit: 100, cursor: 'u/1' }),
    sends: 'GET /base/api/v1/analytics/users?startDate=2026-02-01&endDate=2026-02-03&limit=100&cursor=u%2F1',
    answer: { data: [{ user_id: 'u', date: '2026-02-01', user_email: null }], meta: { ...meta, has_more: false } },
  },
  {
    name: '4.2 readiness reports, on the other address',
    call: (c) => c.readinessReports.list({ repoId: 'r', limit: 500, startAfter: 'x' }),
    sends: 'GET /app/api/organization/maturity-level-reports?repoId=r&limit=500&startAfter=x',
    answer: { reports: [] },
  },
  {
    name: '4.3 enterprise control history',
    call: (c) => c.enterpriseControls.history({ limit: 1, cursor: '4' }),
    sends: 'GET /base/api/v0/organization/enterprise-controls/history?limit=1&cursor=4',
    answer: {
      changes: [{ revision: 3, settings: { anything: [1] } }],
      pagination: { hasMore: false, nextCursor: null },
    },
  },
  {
    name: '4.4 create a computer',
    call: (c) =>
      c.computers.create({ name: 'box', remoteUser: 'me', provider: 'byom', repos: ['https://git.example.com/a'] }),
    sends: 'POST /base/api/v0/computers',
    body: { name: 'box', remoteUser: 'me', provider: 'byom', repos: ['https://git.example.com/a'] },
    status: 201,
    answer: computer,
  },
  {
    name: '4.4 change a computer',
    call: (c) => c.computers.update({ computerId: 'c/1', name: 'new' }),
    sends: 'PATCH /base/api/v0/computers/c%2F1',
    body: { name: 'new' },
    answer: computer,
  },
  {
    name: '4.4 a computer by name',
    call: (c) => c.computers.get({ name: 'my box?' }),
    sends: 'GET /base/api/v0/computers/name/my%20box%3F',
    answer: computer,
  },
  {
    name: '4.4 list computers',
    call: (c) => c.computers.list(),
    sends: 'GET /base/api/v0/computers',
    answer: { computers: [computer] },
  },
  {
    name: '4.5 create a session',
    call: (c) => c.sessions.create({ computerId: 'c1', sessionSettings: { model: 'm', unknown: 1 } }),
    sends: 'POST /base/api/v0/sessions',
    body: { computerId: 'c1', sessionSettings: { model: 'm', unknown: 1 } },
    status: 201,
    answer: session,
  },
  {
    name: '4.5 read a session',
    call: (c) => c.sessions.get({ sessionId: 's1', computerId: 'c1' }),
    sends: 'GET /base/api/v0/sessions/s1?computerId=c1',
    answer: session,
  },
  {
    name: '4.5 read messages',
    call: (c) => c.sessions.messages({ sessionId: 's1', limit: 20, cursor: 'x', computerId: 'c1', role: 'tool' }),
    sends: 'GET /base/api/v0/sessions/s1/messages?limit=20&cursor=x&computerId=c1&role=tool',
    answer: { messages: [message], pagination: { hasMore: true, nextCursor: 'm1' } },
  },
  {
    name: '4.5 read one message',
    call: (c) => c.sessions.message({ sessionId: 's1', messageId: 'm1', computerId: 'c1' }),
    sends: 'GET /base/api/v0/sessions/s1/messages/m1?computerId=c1',
    answer: message,
  },
  {
    name: '4.5 post a message',
    call: (c) => c.sessions.send({ sessionId: 's1', text: 'hi', images: [image], files: [file], computerId: 'c2' }),
    sends: 'POST /base/api/v0/sessions/s1/messages',
    body: { text: 'hi', images: [image], files: [file], computerId: 'c2' },
    answer: { messageId: 'm1', status: 'running' },
  },
  {
    name: '4.6 set usage limits',
    call: (c) => c.usageLimits.set({ users: [{ email: 'a@example.com', limit: 12.5 }] }),
    sends: 'PUT /base/api/v0/organization/usage/limits/users',
    body: { users: [{ email: 'a@example.com', limit: 12.5 }] },
    answer: { updated: [], errors: [{ email: 'a@example.com', error: 'unknown' }] },
  },
];

describe('each endpoint', () => {
  test.each(cases)('$name', async ({ call, sends, body, status = 200, answer }) => {
    const service = await startReceiver();
    service.answer = () => ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) });
    const client = createClient({ baseUrl: `${service.url}/base/`, appUrl: `${service.url}/app`, key: ' key-1\n' });
    expect(await call(client)).toEqual(answer);
    const [request] = service.requests;
    expect(`${request?.method} ${request?.path}`).toBe(sends);
    expect(request?.headers.authorization).toBe('Bearer key-1');
    expect(request?.body === '' ? undefined : JSON.parse(request?.body ?? '')).toEqual(body);
    expect(request?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
    expect(service.requests).toHaveLength(1);
  });

  test('every endpoint of the contract is among them', () => {
    const called = new Set(cases.map(({ sends }) => sends.replace(/\?.*/, '')));
    const missing = entries.filter(({ endpoint }) => {
      const pattern = `^${endpoint.method} /${endpoint.host}${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`;
      return ![...called].some((one) => new RegExp(pattern).test(one));
    });
    expect(missing).toEqual([]);
  });
});

test('the path of an endpoint stands in one file only: that of its resource', () => {
  const texts = sources.map((file) => ({ file, text: read(file) }));
  const places = new Set(
    entries.map(({ endpoint }) =>
      texts
        .filter(({ text }) => text.includes(`'${endpoint.path}'`))
        .map(({ file }) => file)
        .join(' '),
    ),
  );
  expect([...places].filter((files) => !/^src\/api\/contract\/[a-z-]+\.ts$/.test(files))).toEqual([]);
});

test.each([
  ['a trailing slash', '/', '/'],
  ['no slash', '', '/'],
  ['a prefix', '/prefix/two', '/prefix/two/'],
  ['a prefix and slashes', '/prefix//', '/prefix/'],
])('the address with %s', async (_what, suffix, expected) => {
  const service = await startReceiver();
  service.answer = () => ({ status: 200, body: '{"computers":[]}' });
  await createClient({ baseUrl: `${service.url}${suffix}`, key: 'k' }).computers.list();
  expect(service.requests[0]?.path).toBe(`${expected}api/v0/computers`);
});
