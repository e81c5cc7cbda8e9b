// /api/v1 of the built daemon: who gets in, what each endpoint answers (held against the contract), the stream, a restart under it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { createInterfaceClient } from '../../src/http/api/client.ts';
import type { ApiResult } from '../../src/http/api/contract.ts';
import { BASE } from '../../src/http/api/paths.ts';
import { streamRows } from '../../src/http/api/rows.ts';
import {
  checked,
  dashboardAddress,
  messages,
  PLAIN_READS,
  problemOf,
  type StreamMessage,
  type Visitor,
  visit,
} from '../support/interface.ts';
import { hoursIn } from '../support/hours.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, chatAndWebhookTo, homeWith, spool, stop, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

/** Nothing of it can fail. */
const COMMAND = '[channels.own]\ntype = "command"\nrun = ["true"]\n';

const ROUTED = `${COMMAND}[[routes]]\nto = ["own"]\n`;

const permission = (session: string): Record<string, unknown> => ({
  session_id: session,
  hook_event_name: 'Notification',
  cwd: '/src/payments',
  notification_type: 'permission_prompt',
  message: 'Claude needs your permission to use Bash',
});

async function eventsOf({ call }: Visitor, count: number) {
  return until(async () => {
    const { events } = await call('events.list', {});
    return events.length >= count ? events : null;
  }, `${count} events`);
}

test('a code lets one browser in, once; its token reads and acts, and outlives the daemon', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url));
  await startDaemon(home);
  const visitor = await visit(home);
  const { origin, call } = visitor;
  for (const name of PLAIN_READS) await call(name, {});

  const { code } = await dashboardAddress(home);
  const outside = createInterfaceClient({ origin, token: () => null });
  await outside('page.token', { code });
  expect((await problemOf(outside('page.token', { code }))).status).toBe(401);
  expect((await problemOf(outside('page.token', { code: 'guessed' }))).status).toBe(401);
  expect((await problemOf(outside('sessions.list', {}))).status).toBe(401);

  spool(home, permission('s1'), Date.now(), { agent: 'claude' });
  spool(home, stop('s2'), Date.now(), { agent: 'claude' });
  const [event] = await eventsOf(visitor, 2);
  expect(event?.outcome.notified).toEqual(['audit']);
  await audit.waitFor(2);
  const whole = await until(async () => {
    const one = await call('events.get', { id: event?.id ?? '' });
    return one.deliveries.every(({ attempts }) => attempts === 1) ? one : null;
  }, 'the attempt to be written');
  expect(whole.deliveries.map(({ channel, attempt_list }) => [channel, attempt_list.length])).toEqual([['audit', 1]]);
  const { sessions, total } = await call('sessions.list', {});
  expect([total, sessions.map(({ session_id, state }) => [session_id, state])]).toEqual([
    2,
    [
      ['s1', 'waiting'],
      ['s2', 'finished'],
    ],
  ]);
  const one = await call('sessions.get', { key: sessions[0]?.key ?? '' });
  expect(one).toMatchObject({ session: { session_id: 's1' }, notifications: [{ state: 'open' }] });
  expect((await call('sessions.get', { key: 's2' })).session.key).toBe(sessions[1]?.key);

  const open = (await call('notifications.list', {})).notifications;
  const waiting = open.find(({ session_id }) => session_id === 's1');
  const acknowledged = await call('notifications.ack', { id: waiting?.id ?? '' });
  expect(acknowledged).toMatchObject({ result: 'acknowledged', why: expect.stringContaining('page') });
  expect((await call('notifications.ack', { id: waiting?.id ?? '' })).result).toBe('already');

  const muted = await call('mutes.add', { minutes: 5, session: 's2', reason: 'lunch' });
  expect((await call('mutes.list', {})).mutes).toMatchObject([{ id: muted.id, reason: 'lunch' }]);
  expect(await call('mutes.end', { id: muted.id })).toEqual({ removed: 1 });
  expect((await problemOf(call('mutes.end', { id: muted.id }))).status).toBe(404);
  expect(await call('channels.test', { name: 'audit' })).toMatchObject({ ok: true });
  const { deliveries } = await call('deliveries.list', { channel: 'audit', limit: 2 });
  expect(await call('deliveries.replay', { id: deliveries[1]?.id ?? '' })).toMatchObject({
    replayed: [{ channel: 'audit', state: 'sent' }],
  });
  const tried = await call('rules.try', { input: JSON.stringify(permission('s3')), agent: 'claude' });
  expect(tried.notifications).toMatchObject([{ channel: 'audit', title: expect.stringContaining('permission') }]);
  expect((await problemOf(call('service.get', { resource: 'analytics', method: 'tokens' }))).status).toBe(503);

  expect((await belfry(home, ['restart'])).code).toBe(0);
  expect((await call('sessions.list', {})).total).toBe(2); // the same origin, the same token
  const kept = join(home, 'state', 'tokens.json');
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  for (const name of readdirSync(join(home, 'state')).filter((one) => one !== 'backups'))
    expect(readFileSync(join(home, 'state', name), 'latin1').includes(visitor.token.slice(21)), name).toBe(false);
});

test('what is held back says when it is due', async () => {
  const chat = await startReceiver();
  const audit = await startReceiver();
  const home = homeWith(chatAndWebhookTo(chat.url, audit.url, `[quiet]\nhours = ["${hoursIn(-1, 2)}"]\n`));
  await startDaemon(home);
  const { call } = await visit(home);
  await hook(home, JSON.stringify(stop('s1')), ['--agent', 'claude']);
  const held = await until(async () => {
    const { notifications } = await call('notifications.list', {});
    return notifications.find(({ notified }) => notified.includes('audit')) ?? null;
  }, 'the record to have it');
  expect([held.notified, held.unsent]).toEqual([['audit'], ['chat']]);
  expect([chat.requests.length, audit.requests.length]).toEqual([0, 1]);
  const hours = (Date.parse(held.due ?? '') - Date.now()) / 3_600_000;
  expect(Math.abs(hours - 2)).toBeLessThan(1.1); // the clock may be changed in between
  await hook(home, JSON.stringify({ ...stop('s2'), hook_event_name: 'SessionEnd', reason: 'error' }), [
    '--agent',
    'claude',
  ]);
  const sent = await until(async () => {
    const { notifications } = await call('notifications.list', {});
    return notifications.find(({ notified }) => notified.includes('chat')) ?? null;
  }, 'what is urgent to be sent');
  expect(sent).toMatchObject({ notified: expect.arrayContaining(['chat']), due: null });
});

test('lists page by cursor without a gap, filter on the server, and refuse what they do not know', async () => {
  const home = homeWith(COMMAND);
  await startDaemon(home);
  const visitor = await visit(home);
  const { call, origin, token } = visitor;
  const now = Date.now();
  for (let i = 0; i < 25; i++) spool(home, stop(`s${i % 5}`, `turn ${i} says 100% "quoted"`), now - 25_000 + i * 1_000);
  const all = await eventsOf(visitor, 25);
  const seen: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: ApiResult<'events.list'> = await call('events.list', {
      limit: 7,
      ...(cursor === null ? {} : { cursor }),
    });
    seen.push(...page.events.map(({ id }) => id));
    cursor = page.cursor;
    if (cursor === null) break;
  }
  expect(seen).toEqual(all.map(({ id }) => id));
  const found = async (query: Parameters<typeof call<'events.list'>>[1]) =>
    (await call('events.list', query)).events.length;
  expect(await found({ q: 'turn 24' })).toBe(1);
  expect(await found({ q: '100% "QUOTED"' })).toBe(25);
  expect(await found({ q: '1_0%' })).toBe(0);
  expect(await found({ agent: 'generic', session: 's0' })).toBe(5);
  expect(await found({ kind: 'session.failed' })).toBe(0);
  const raw = async (path: string) =>
    (await fetch(`${origin}${BASE}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
  for (const path of ['/events?limit=0', '/events?cursor=x', '/events?kind=nothing', '/events?unknown=1', '/mutes?x=1'])
    expect(await raw(path), path).toBe(400);
  expect(await raw('/events/none')).toBe(404);
  expect(await raw('/sessions/none')).toBe(404);
});

test('the stream tells changes within half a second, resumes without a gap and over a restart', async () => {
  const home = homeWith(COMMAND);
  await startDaemon(home);
  const visitor = await visit(home);
  const first = new AbortController();
  const stream = messages(visitor, { signal: first.signal });
  const opened = (await stream.next()).value;
  expect(opened?.event).toBe('open');
  const wrote = Date.now();
  spool(home, stop('live'), wrote);
  const changed = (await stream.next()).value as StreamMessage | undefined;
  expect(changed?.data.changes?.map(({ type }) => type)).toContain('event');
  expect(Date.now() - wrote).toBeLessThan(5_000); // measured: under 500 ms; the machine may be busy
  first.abort();

  spool(home, stop('missed'), Date.now());
  await eventsOf(visitor, 2);
  expect((await belfry(home, ['restart'])).code).toBe(0);
  const second = new AbortController();
  const resumed = messages(visitor, { signal: second.signal, lastId: changed?.id ?? 0 });
  const missed = (await resumed.next()).value;
  expect(missed?.id).toBeGreaterThan(changed?.id ?? 0);
  expect(missed?.data.changes?.length).toBeGreaterThan(0);
  second.abort();

  const third = new AbortController();
  const far = messages(visitor, { signal: third.signal, lastId: 999_999_999 });
  expect((await far.next()).value?.event).toBe('reset');
  third.abort();
});

test('the stream carries rows for whoever asks: what waits, what is gone and how it ended', async () => {
  const home = homeWith(ROUTED);
  await startDaemon(home);
  const visitor = await visit(home);
  const over = new AbortController();
  const stream = messages(visitor, { signal: over.signal, rows: true });
  expect((await stream.next()).value).toMatchObject({ event: 'open', data: { version: expect.any(String) } });
  type Rows = z.output<ReturnType<typeof streamRows>>;
  const rowsWhere = async (isIt: (rows: Rows) => boolean): Promise<Rows> => {
    for (let message = await stream.next(); message.done !== true; message = await stream.next()) {
      const { changes, rows } = message.value.data;
      if (changes === undefined) continue;
      const read = streamRows().parse(rows);
      if (isIt(read)) return read;
    }
    throw new Error('the stream has ended');
  };
  spool(home, permission('asks'), Date.now() - 1_000);
  const asked = await rowsWhere(({ waiting }) => waiting !== null && waiting.notifications.length > 0);
  const [row] = asked.waiting?.notifications ?? [];
  expect(row).toMatchObject({ state: 'open', group: 'blocking', project: 'payments' });
  expect(asked.waiting).toMatchObject({ gone: [], total: 1 });
  expect(asked.events.map(({ kind }) => kind)).toContain('agent.waiting');
  expect(asked.sessions.map(({ session_id }) => session_id)).toContain('asks');

  await visitor.call('notifications.ack', { id: row?.id ?? '' });
  const done = await rowsWhere(({ waiting }) => (waiting?.gone.length ?? 0) > 0);
  expect(done.waiting).toMatchObject({ gone: [row?.id], total: 0 });
  expect(done.waiting?.notifications).toMatchObject([{ id: row?.id, acknowledged: { via: 'page' } }]);
  over.abort();
});

test('all that went well is acknowledged as far as it was seen, and nothing else', async () => {
  const home = homeWith(ROUTED);
  await startDaemon(home);
  const { call } = await visit(home);
  const open = async () => (await call('notifications.list', {})).notifications;
  spool(home, stop('first'), Date.now() - 3_000);
  const [first] = await until(async () => ((await open()).length === 1 ? open() : null), 'the first');
  spool(home, stop('second'), Date.now() - 2_000);
  spool(home, { ...stop('failed'), hook_event_name: 'SessionEnd', reason: 'error' }, Date.now() - 1_000);
  await until(async () => (await open()).length === 3, 'all three');
  const kinds = ['agent.finished', 'session.ended'] as const;
  const { acknowledged } = await call('notifications.ackAll', {
    kinds: [...kinds],
    group: 'done',
    until: first?.since,
  });
  expect(acknowledged).toBe(1);
  expect((await call('notifications.ackAll', { kinds: [...kinds], group: 'done' })).acknowledged).toBe(1);
  expect((await open()).map(({ group }) => group)).toEqual(['failed']);
});

test('a token reads or acts as its scopes say', async () => {
  const home = homeWith('[http]\nlisten = ["127.0.0.1:0"]\n');
  await startDaemon(home);
  const { origin } = await dashboardAddress(home);
  const { token: reads } = await asked<{ token: string }>(home, ['token', 'add', 'graph', '--scope', 'read']);
  const call = checked(createInterfaceClient({ origin, token: () => reads }));
  await call('sessions.list', {});
  expect((await problemOf(call('mutes.add', {}))).status).toBe(403);
  expect((await problemOf(call('notifications.ack', { id: 'x' }))).status).toBe(403);
  const document = await fetch(`${origin}${BASE}/openapi.json`, { headers: { authorization: `Bearer ${reads}` } });
  expect(await document.json()).toMatchObject({ openapi: '3.1.0', paths: { '/sessions/{key}': {} } });
});
