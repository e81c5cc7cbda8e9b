// The mock service: the same data for the same day, states that change over time, keys, roles and trouble on request.
import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiError, createClient } from '../../src/api/index.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { virtualClock } from '../support/clock.ts';

const NOON = Date.UTC(2026, 5, 1, 12);

async function start(options: SandboxOptions = {}) {
  const clock = virtualClock(NOON);
  const sandbox = await startSandbox({ clock, ...options });
  onTestFinished(() => sandbox.close());
  const { baseUrl, appUrl, apiKey, memberKey, jwt } = sandbox;
  const as = (key: string) => createClient({ baseUrl, appUrl, key, clock, retries: 0 });
  return { clock, sandbox, client: as(apiKey), member: as(memberKey), jwt: as(jwt), as };
}

const kindOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'fine',
    (error: unknown) => (error instanceof ApiError ? error.kind : String(error)),
  );

const whole = { startDate: '2026-01-14', endDate: '2026-05-31' };
const week = { startDate: '2026-05-25', endDate: '2026-05-31' };

describe('analytics', () => {
  test('every day from the first to yesterday, always the same for the same seed', async () => {
    const [one, two, other] = [await start(), await start(), await start({ seed: 'x' })];
    const days = (await one.client.analytics.tokens(whole)).data;
    expect(days).toHaveLength(138);
    expect((await two.client.analytics.tokens(whole)).data).toEqual(days);
    expect((await other.client.analytics.tokens(whole)).data).not.toEqual(days);
    await one.clock.advance(86_400_000);
    expect((await one.client.analytics.tokens(week)).data).toEqual(days.slice(-7));
  });

  test('the parts add up: by model, by user, and one row a user and day', async () => {
    const { client } = await start();
    const tokens = (await client.analytics.tokens(week)).data;
    const grouped = (await client.analytics.tokens({ ...week, group_by: 'model' })).data;
    const users = (await client.analytics.users({ ...week, limit: 100 })).data;
    expect(
      tokens.flatMap(({ by_user }) => by_user ?? []).every(({ user_email }) => typeof user_email === 'string'),
    ).toBe(true);
    const activity = (await client.analytics.activity(week)).data;
    const sum = (values: (number | null | undefined)[]): number => values.reduce<number>((a, b) => a + (b ?? 0), 0);
    for (const [i, day] of tokens.entries()) {
      const ofDay = users.filter(({ date }) => date === day.date);
      expect(sum(day.by_model?.map((one) => one.billable_tokens) ?? [])).toBe(day.billable_tokens);
      expect(sum(grouped.filter(({ date }) => date === day.date).map((row) => row.billable_tokens))).toBe(
        day.billable_tokens,
      );
      expect(sum(ofDay.map((row) => row.billable_tokens))).toBe(day.billable_tokens);
      expect(activity[i]?.daily_active_users).toBe(ofDay.length);
      // A user of several clients counts once in the total, and in each client.
      expect(sum(Object.values(activity[i]?.daily_active_users_by_client ?? {}))).toBeGreaterThanOrEqual(ofDay.length);
    }
  });

  test('pages of /users hold whole users, none twice, none missing', async () => {
    const { client } = await start();
    const pages: string[][] = [];
    for await (const page of client.analytics.users.pages({ ...week, limit: 7 }))
      pages.push([...new Set(page.data.map((row) => row.user_id))]);
    const all = (await client.analytics.users({ ...week, limit: 100 })).data;
    expect(pages.flat()).toEqual([...new Set(all.map((row) => row.user_id))]);
    expect(pages.slice(0, -1).every((ids) => ids.length === 7)).toBe(true);
    expect(all.some((row) => row.user_email === null)).toBe(true);
  });

  test('MCP servers are there in two spellings, as the service warns', async () => {
    const { client } = await start();
    const names = (await client.analytics.tools(week)).data.flatMap((row) =>
      row.mcp_by_server?.map((one) => one.server),
    );
    expect(new Set(names)).toEqual(new Set(['github', 'GitHub', 'linear']));
  });
});

describe('5 authentication', () => {
  test('roles', async () => {
    const { client, member, as } = await start();
    expect(await kindOf(client.analytics.tools(week))).toBe('fine');
    expect(await kindOf(member.analytics.tools(week))).toBe('forbidden');
    expect(await kindOf(member.computers.list())).toBe('fine');
    expect(await kindOf(as('someone-else').computers.list())).toBe('unauthenticated');
  });
  test('a JWT below /api/v0 only', async () => {
    const { jwt } = await start();
    expect(await kindOf(jwt.computers.list())).toBe('fine');
    expect(await kindOf(jwt.analytics.tools(week))).toBe('unauthenticated');
    expect(await kindOf(jwt.readinessReports.list())).toBe('unauthenticated');
  });
  test('no header: 401 with the documented body', async () => {
    const { sandbox } = await start();
    const response = await fetch(`${sandbox.baseUrl}/api/v0/computers`);
    expect(response.status).toBe(401);
    expect(Object.keys((await response.json()) as object)).toEqual(['title', 'detail', 'status', 'requestId']);
  });
});

describe('3 states over time', () => {
  test('a computer is provisioned step by step', async () => {
    const { clock, client } = await start();
    const created = await client.computers.create({ name: 'mine', remoteUser: 'me' });
    const seen = [created];
    for (let i = 0; i < 4; i++) {
      await clock.advance(600);
      seen.push(await client.computers.get({ name: 'mine' }));
    }
    expect(seen.map(({ status }) => status)).toEqual([
      'provisioning',
      'provisioning',
      'provisioning',
      'provisioning',
      'active',
    ]);
    expect(seen.map(({ provisioningSteps }) => provisioningSteps?.map((step) => step.status).join(' '))).toEqual([
      'running pending pending',
      'completed running pending',
      'completed running pending',
      'completed completed running',
      'completed completed completed',
    ]);
  });

  test('one that fails says where and why; a fault on request comes and goes', async () => {
    const { clock, client, sandbox } = await start();
    await client.computers.create({ name: 'will-fail', remoteUser: 'me' });
    await clock.advance(5_000);
    const failed = await client.computers.get({ name: 'will-fail' });
    expect(failed).toMatchObject({ status: 'error' });
    expect(failed.provisioningSteps?.[1]).toMatchObject({ status: 'failed', error: expect.any(String) });
    sandbox.setFault('cloud-1', 'disk full');
    expect(await client.computers.get({ name: 'cloud-1' })).toMatchObject({ status: 'error' });
    sandbox.setFault('cloud-1', null);
    expect(await client.computers.get({ name: 'cloud-1' })).toMatchObject({ status: 'active' });
  });

  test('a posted message is answered within two seconds: pending, running, idle', async () => {
    const { clock, client } = await start();
    const computerId = (await client.computers.list()).computers[0]?.id ?? '';
    const { sessionId } = await client.sessions.create({ computerId });
    await clock.advance(500);
    const states = [(await client.sessions.send({ sessionId, text: 'hello' })).status];
    for (let i = 0; i < 4; i++) {
      await clock.advance(500);
      states.push((await client.sessions.get({ sessionId })).status);
    }
    expect(states).toEqual(['pending', 'running', 'running', 'idle', 'idle']);
    const { messages } = await client.sessions.messages({ sessionId });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'tool', 'assistant']);
    expect((await client.sessions.messages({ sessionId, role: 'assistant' })).messages).toEqual(messages.slice(2));
    expect((await client.sessions.get({ sessionId })).messageCount).toBe(3);
  });

  test('a session on a computer that failed stays pending', async () => {
    const { clock, client } = await start();
    const { id } = await client.computers.get({ name: 'cloud-failed' });
    const { sessionId } = await client.sessions.create({ computerId: id });
    await clock.advance(600_000);
    expect((await client.sessions.get({ sessionId })).status).toBe('pending');
  });
});

describe('lists and changes', () => {
  test('settings revisions, newest first, and one more on request', async () => {
    const { client, sandbox } = await start();
    const before = (await client.enterpriseControls.history()).changes.map(({ revision }) => revision);
    expect(before).toEqual(Array.from({ length: 20 }, (_, i) => 45 - i));
    sandbox.changeControls({ maxAutonomyLevel: 'low' });
    const [latest] = (await client.enterpriseControls.history({ limit: 1 })).changes;
    expect(latest).toMatchObject({ revision: 46, settings: { maxAutonomyLevel: 'low', sessionRetentionDays: 30 } });
  });

  test('readiness reports by repository, and a newer one on request', async () => {
    const { client, sandbox } = await start();
    sandbox.addReport('repo-infra', { readme: { numerator: 0, denominator: 2, rationale: 'gone' } });
    const { reports } = await client.readinessReports.list({ repoId: 'repo-infra' });
    expect(reports).toHaveLength(17);
    expect(reports[0]?.report['readme']).toEqual({ numerator: 0, denominator: 2, rationale: 'gone' });
    expect(new Set(reports.map(({ repoUrl }) => repoUrl)).size).toBe(1);
  });

  test('every list has three pages of the default size, whatever the day', async () => {
    const { client } = await start();
    const range = { startDate: '2026-05-30', endDate: '2026-05-30' };
    const lists = [
      client.analytics.users.pages(range),
      client.readinessReports.list.pages(),
      client.enterpriseControls.history.pages(),
      client.sessions.messages.pages({ sessionId: 'session-1' }),
    ];
    for (const list of lists) {
      let pages = 0;
      for await (const _ of list) pages++;
      expect(pages).toBe(3);
    }
  });

  test('messages of each role, so that the filter shows something', async () => {
    const { client } = await start();
    for (const role of ['user', 'tool', 'assistant'] as const) {
      const { messages } = await client.sessions.messages({ sessionId: 'session-2', role });
      expect(new Set(messages.map((one) => one.role))).toEqual(new Set([role]));
    }
  });

  test.each([
    ['a cursor of no user', 400, '/api/v1/analytics/users?startDate=2026-05-30&endDate=2026-05-30&cursor=x'],
    ['a cursor of no report', 400, '/app/api/organization/maturity-level-reports?startAfter=x'],
    ['a cursor of no message', 400, '/api/v0/sessions/session-1/messages?cursor=x'],
    ['a cursor of another list', 400, '/api/v0/organization/enterprise-controls/history?cursor=x'],
    ['a limit beyond the bounds', 400, '/api/v0/organization/enterprise-controls/history?limit=0'],
    ['today', 400, '/api/v1/analytics/users?startDate=2026-06-01&endDate=2026-06-01'],
    ['a day that does not exist', 400, '/api/v1/analytics/users?startDate=2026-02-30&endDate=2026-03-01'],
    ['a session that is not there', 404, '/api/v0/sessions/none'],
    ['a path that is not there', 404, '/api/v0/nothing'],
  ])('7 %s: %i', async (_name, status, path) => {
    const { sandbox } = await start();
    const headers = { authorization: `Bearer ${sandbox.apiKey}` };
    expect((await fetch(`${sandbox.baseUrl}${path}`, { headers })).status).toBe(status);
  });

  test('two computers of one name, a body that is no JSON, an unknown user', async () => {
    const { client, sandbox } = await start();
    expect(await kindOf(client.computers.create({ name: 'build-box', remoteUser: 'me' }))).toBe('refused');
    const headers = { authorization: `Bearer ${sandbox.apiKey}` };
    const broken = await fetch(`${sandbox.baseUrl}/api/v0/computers`, { method: 'POST', headers, body: '{' });
    expect(broken.status).toBe(400);
    const users = ['ada.clark@example.com', 'nobody@example.com'].map((email) => ({ email, limit: 5 }));
    const { updated, errors } = await client.usageLimits.set({ users });
    expect([updated.map(({ email }) => email), errors.map(({ email }) => email)]).toEqual([
      [users[0]?.email],
      [users[1]?.email],
    ]);
  });
});

describe('trouble on request', () => {
  test('failures', async () => {
    const { client } = await start({ failRate: 1 });
    expect(await kindOf(client.computers.list())).toBe('server');
  });
  test('a rate limit, with the time to wait', async () => {
    const { client, clock } = await start({ rateLimit: 2 });
    expect([await kindOf(client.computers.list()), await kindOf(client.computers.list())]).toEqual(['fine', 'fine']);
    const error = await client.computers.list().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'rate-limited', retryAfterMs: 10_000 });
    await clock.advance(10_000);
    expect(await kindOf(client.computers.list())).toBe('fine');
  });
  test('slowness', async () => {
    const { client, clock } = await start({ latencyMs: 5_000 });
    let done = false;
    const call = client.computers.list().finally(() => {
      done = true;
    });
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBe(false);
    await clock.advance(5_000);
    await call;
  });
});
