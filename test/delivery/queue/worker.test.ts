// What the worker of a channel does with each outcome, and that sessions keep their order without waiting for each other.
import { expect, test } from 'vitest';
import { madeDelivery } from '../../support/made.ts';
import { fail, stage } from '../worker-harness.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test('sends in order within a session and settles', async () => {
  const s = await stage();
  await s.add('team', 'a:1', 'b:1', 'a:2', 'a:3');
  s.start();
  await s.clock.advance(0);
  const ids = s.seen['team']?.map((x) => x.id) ?? [];
  expect(ids.filter((id) => id.startsWith('a'))).toEqual(['a:1', 'a:2', 'a:3']);
  expect(ids).toContain('b:1');
  expect(await s.states()).toEqual({ 'a:1': 'sent', 'a:2': 'sent', 'a:3': 'sent', 'b:1': 'sent' });
  expect(await s.store.attempts('a:1')).toMatchObject([{ number: 1, ok: true, status: 200, next: 'sent' }]);
  expect(s.clock.pending).toBe(0);
});

test('tries again by the table, under the same id, then gives up', async () => {
  const s = await stage();
  s.answer('team', () => fail('server'));
  await s.add('team', 'a');
  s.start();
  await s.clock.advance(7 * MINUTE); // four attempts: one session alone trips the breaker only later
  const at = s.seen['team']?.map((x) => (x.at - (s.seen['team']?.[0]?.at ?? 0)) / SECOND);
  expect(at).toEqual([0, 5, 35, 155]);
  expect(await s.store.attempts('a')).toMatchObject([
    { next: 'retry in 5 s' },
    { next: 'retry in 30 s' },
    { next: 'retry in 2 min' },
    { next: 'retry in 10 min' },
  ]);
  await s.clock.advance(72 * HOUR);
  expect(s.seen['team']).toHaveLength(12);
  expect(await s.states()).toEqual({ a: 'dead' });
});

test('a refused delivery is a dead letter and the channel goes on', async () => {
  const s = await stage();
  s.answer('team', (parcel) => (parcel.id === 'a:1' ? fail('client') : { ok: true }));
  await s.add('team', 'a:1', 'a:2');
  s.start();
  await s.clock.advance(0);
  expect(await s.states()).toEqual({ 'a:1': 'dead', 'a:2': 'sent' });
  expect(s.raised).toEqual([]);
});

test('nothing is sent to the channel inside a Retry-After, and it costs no attempt', async () => {
  const s = await stage();
  let limited = 20;
  s.answer('team', () => (limited-- > 0 ? fail('rate-limited', 90 * SECOND) : { ok: true }));
  await s.add('team', 'a:1', 'a:2');
  s.start();
  for (let i = 0; i < 20; i++) {
    await s.clock.advance(1);
    await s.add('team', `x${i}`);
    await s.clock.advance(90 * SECOND - 2);
    expect(s.seen['team']).toHaveLength(i + 1);
    await s.clock.advance(1);
  }
  await s.clock.advance(MINUTE);
  expect(new Set(Object.values(await s.states()))).toEqual(new Set(['sent']));
});

test('a hold survives a restart', async () => {
  const s = await stage();
  s.answer('team', (_p, nth) => (nth === 1 ? fail('rate-limited', HOUR) : { ok: true }));
  await s.add('team', 'a');
  s.start();
  await s.clock.advance(0);
  await s.kill();
  await s.add('team', 'b');
  s.start();
  await s.clock.advance(HOUR - 1);
  expect(s.seen['team']).toHaveLength(1);
  await s.clock.advance(1);
  expect(await s.states()).toEqual({ a: 'sent', b: 'sent' });
});

test.each([0, 500])('keeps the spacing of a channel and its number at once (spacing %i ms)', async (minIntervalMs) => {
  const s = await stage({ limits: { minIntervalMs, concurrency: 2 } });
  let under = 0;
  let most = 0;
  s.answer('team', async () => {
    most = Math.max(most, ++under);
    await new Promise<void>((resolve) => s.clock.setTimer(100, resolve));
    under--;
    return { ok: true };
  });
  await s.add('team', 'a', 'b', 'c', 'd', 'e');
  s.start();
  await s.clock.advance(5 * SECOND);
  const times = s.seen['team']?.map((x) => x.at) ?? [];
  expect(times).toHaveLength(5);
  expect(most).toBeLessThanOrEqual(2);
  for (let i = 1; i < times.length; i++)
    expect((times[i] ?? 0) - (times[i - 1] ?? 0)).toBeGreaterThanOrEqual(minIntervalMs);
});

test('sessions whose receiver hangs delay no other, and time out', async () => {
  const s = await stage({ limits: { concurrency: 2 } });
  s.answer('team', (parcel) => (parcel.threadKey.startsWith('hung') ? new Promise(() => undefined) : { ok: true }));
  await s.add('team', 'hung1', 'hung2', 'hung3', 'a:1', 'a:2', 'b:1');
  s.start();
  await s.clock.advance(3 * SECOND);
  expect(await s.states()).toMatchObject({ hung1: 'leased', 'a:1': 'sent', 'a:2': 'sent', 'b:1': 'sent' });
  await s.clock.advance(10 * SECOND);
  expect(await s.store.attempts('hung1')).toMatchObject([{ ok: false, reason: 'timeout' }]);
});

test('what was in flight at a kill is sent again under its id; what was settled is not', async () => {
  const s = await stage();
  s.answer('team', (parcel, nth) => (parcel.id === 'b' && nth < 3 ? new Promise(() => undefined) : { ok: true }));
  await s.add('team', 'a', 'b');
  s.start();
  await s.clock.advance(0);
  await s.kill();
  expect(await s.states()).toEqual({ a: 'sent', b: 'leased' });
  s.start();
  await s.clock.advance(0);
  expect(s.seen['team']?.map((x) => x.id)).toEqual(['a', 'b', 'b']);
  expect(await s.states()).toEqual({ a: 'sent', b: 'sent' });
});

test('stop lets what is in flight end', async () => {
  const s = await stage();
  let end = (): void => undefined;
  s.answer('team', () => new Promise((resolve) => (end = () => resolve({ ok: true }))));
  await s.add('team', 'a:1', 'a:2');
  const deliveries = s.start();
  await s.clock.advance(0);
  const stopping = deliveries.stop(5_000);
  end();
  await stopping;
  expect(await s.states()).toEqual({ 'a:1': 'sent', 'a:2': 'pending' });
});

test('a bug in a channel is an outcome, without its words', async () => {
  const s = await stage();
  const broken = (): never => {
    throw new TypeError('secret in it');
  };
  s.answer('team', (parcel) => (parcel.id === 'send' ? broken() : { ok: true }));
  s.render('team', (parcel) => (parcel.id === 'render' ? broken() : 'fine'));
  await s.add('team', 'render', 'send', 'fine');
  s.start();
  await s.clock.advance(0);
  expect(await s.states()).toEqual({ render: 'dead', send: 'pending', fine: 'sent' });
  for (const id of ['render', 'send']) {
    const [attempt] = await s.store.attempts(id);
    expect(attempt?.error).toContain('TypeError');
    expect(attempt?.error).not.toContain('secret');
  }
});

const PACED = { minIntervalMs: SECOND, concurrency: 1 } as const;

test('the store is not asked again after a send that nothing follows, and is once something is written', async () => {
  let asked = 0;
  const s = await stage({ limits: PACED, afterClaim: async () => void asked++ });
  s.start();
  await s.clock.advance(0);
  await s.add('team', 'a');
  await s.clock.advance(MINUTE);
  expect([await s.states(), asked]).toEqual([{ a: 'sent' }, 2]);
  expect(s.clock.pending).toBe(0);
  await s.add('team', 'b');
  await s.clock.advance(MINUTE);
  expect([await s.states(), asked]).toEqual([{ a: 'sent', b: 'sent' }, 3]);
});

test('while sends have to keep their distance the store is asked only where a change may wait', async () => {
  let asked = 0;
  const s = await stage({ limits: PACED, changes: true, afterClaim: async () => void asked++ });
  s.answer('team', () => ({ ok: true, receipt: 'posted' }));
  const service = s.start();
  await s.add('team', 'a');
  await s.clock.advance(0);
  const before = asked;
  const times = { due: s.clock.now(), createdAt: s.clock.now(), updatedAt: s.clock.now() };
  await s.store.addDelivery(madeDelivery({ id: 'b', threadKey: 'b', ...times }));
  service.wake(['team'], 'sends');
  await s.clock.advance(SECOND / 2);
  expect([s.seen['team']?.length, asked - before]).toEqual([1, 0]);
  await s.store.addDelivery(madeDelivery({ id: 'c', threadKey: 'c', operation: 'update', ...times }));
  service.wake(['team']);
  service.wake(['team'], 'sends');
  await s.clock.advance(0);
  expect(await s.states()).toMatchObject({ b: 'pending', c: 'sent' });
  await s.clock.advance(SECOND);
  expect(await s.states()).toEqual({ a: 'sent', b: 'sent', c: 'sent' });
});

test('what is written while a claim is under way is sent after it', async () => {
  let late: (() => Promise<void>) | null = null;
  const s = await stage({
    limits: { concurrency: 1 },
    afterClaim: async () => {
      const add = late;
      late = null;
      await add?.();
    },
  });
  s.start();
  await s.clock.advance(0);
  late = () => s.add('team', 'b');
  await s.add('team', 'a');
  await s.clock.advance(0);
  expect(await s.states()).toEqual({ a: 'sent', b: 'sent' });
});

test('what another process puts behind a send goes out after it', async () => {
  const s = await stage();
  let answer = (): void => undefined;
  s.answer('team', ({ id }) =>
    id === 'a:1' ? new Promise((resolve) => (answer = () => resolve({ ok: true }))) : { ok: true },
  );
  s.start();
  await s.add('team', 'a:1');
  await s.clock.advance(0);
  const at = s.clock.now();
  await s.store.addDelivery(madeDelivery({ id: 'a:2', threadKey: 'a', due: at, createdAt: at, updatedAt: at }));
  answer();
  await s.clock.advance(0);
  expect(await s.states()).toEqual({ 'a:1': 'sent', 'a:2': 'sent' });
});
