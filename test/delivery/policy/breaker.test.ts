// A channel that stops accepting: paused, reported once through the others, probed, drained in order, stale ones summarized.
import { expect, test } from 'vitest';
import { fail, stage } from '../worker-harness.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each(['auth', 'invalid-config'] as const)('%s: failing at once, reported once, probed seldom', async (reason) => {
  const s = await stage({ limits: { concurrency: 1 } });
  s.answer('team', () => fail(reason));
  await s.add('team', 'a:1', 'a:2', 'b:1');
  s.start();
  await s.clock.advance(0);
  expect(s.seen['team']).toHaveLength(1);
  expect(new Set(Object.values(await s.states()))).toEqual(new Set(['paused']));
  expect(s.raised).toMatchObject([{ kind: 'channel.failing', attributes: { channel: 'team' }, urgency: 'urgent' }]);
  expect(await s.store.health()).toMatchObject([{ channel: 'team', state: 'failing', reason }]);
  await s.clock.advance(DAY);
  expect(s.seen['team']?.length).toBeLessThanOrEqual(16);
  expect(s.raised).toHaveLength(1);
});

test('faults of several sessions in a row trip it; in between a success forgets them', async () => {
  const s = await stage({ limits: { concurrency: 1 } });
  s.answer('team', (_p, nth) => (nth === 3 ? { ok: true } : fail('server')));
  await s.add('team', 'a', 'b', 'ok', 'c', 'd');
  s.start();
  await s.clock.advance(0);
  expect(s.raised).toEqual([]);
  await s.clock.advance(6 * SECOND);
  expect(s.raised).toHaveLength(1);
  expect(await s.states()).toMatchObject({ a: 'paused', ok: 'sent', d: 'paused' });
});

test('what comes while it fails is paused, and on recovery all go out in order', async () => {
  const s = await stage({ limits: { concurrency: 1 } });
  let broken = true;
  s.answer('team', () => (broken ? fail('auth') : { ok: true }));
  await s.add('team', 'a:1');
  s.start();
  await s.clock.advance(0);
  await s.add('team', 'a:2', 'b:1', 'a:3');
  await s.clock.advance(MINUTE);
  expect(s.seen['team']).toHaveLength(1);
  expect(new Set(Object.values(await s.states()))).toEqual(new Set(['paused']));
  broken = false;
  await s.clock.advance(12 * MINUTE);
  expect(new Set(Object.values(await s.states()))).toEqual(new Set(['sent']));
  expect(s.seen['team']?.map((x) => x.id).filter((id) => id.startsWith('a'))).toEqual(['a:1', 'a:1', 'a:2', 'a:3']);
  expect(await s.store.health()).toMatchObject([{ state: 'ok' }]);
  broken = true;
  await s.clock.advance(1);
  await s.add('team', 'c');
  await s.clock.advance(0);
  expect(s.raised).toHaveLength(2);
});

test('an outage outlives restarts and is reported once', async () => {
  const s = await stage({ limits: { concurrency: 1 } });
  s.answer('team', () => fail('auth'));
  await s.add('team', 'a', 'b');
  for (let i = 0; i < 5; i++) {
    s.start();
    await s.clock.advance(SECOND);
    await s.kill();
  }
  expect(s.raised).toHaveLength(1);
  expect(s.seen['team']).toHaveLength(1);
  s.answer('team', () => ({ ok: true }));
  s.start().probe('team');
  await s.clock.advance(11 * MINUTE);
  expect(await s.states()).toEqual({ a: 'sent', b: 'sent' });
});

test('a probe on request goes out at once', async () => {
  const s = await stage({ limits: { concurrency: 1 } });
  s.answer('team', (_p, nth) => (nth === 1 ? fail('auth') : { ok: true }));
  await s.add('team', 'a', 'b');
  const deliveries = s.start();
  await s.clock.advance(6 * SECOND);
  deliveries.probe();
  await s.clock.advance(0);
  expect(await s.states()).toEqual({ a: 'sent', b: 'sent' });
});

test('what waited for an hour is held to go out as one; fresh ones follow as they are', async () => {
  const s = await stage({ limits: { concurrency: 1 } });
  let broken = true;
  s.answer('team', () => (broken ? fail('auth') : { ok: true }));
  await s.add('team', ...Array.from({ length: 30 }, (_, i) => `s${i % 3}:${i}`));
  const deliveries = s.start();
  await s.clock.advance(5 * HOUR);
  await s.add('team', 's0:fresh', 's1:fresh');
  broken = false;
  deliveries.probe('team');
  await s.clock.advance(MINUTE);
  const held = await s.store.deliveries({ heldBy: 'outage:team', states: ['pending'] });
  expect(held.length).toBeGreaterThanOrEqual(29);
  expect(await s.store.timers(['outage:team'])).toMatchObject([{ kind: 'batch' }]);
  expect(s.seen['team']?.slice(-2).map((x) => x.id)).toEqual(['s0:fresh', 's1:fresh']);
  const others = Object.values(await s.states()).filter((state) => state !== 'sent');
  expect(others).toEqual(held.map(() => 'pending'));
});

test('a record gets each of them by itself', async () => {
  const s = await stage({ audience: 'records' });
  let broken = true;
  s.answer('team', () => (broken ? fail('auth') : { ok: true }));
  await s.add('team', ...Array.from({ length: 8 }, (_, i) => `s${i}`));
  const deliveries = s.start();
  await s.clock.advance(5 * HOUR);
  broken = false;
  deliveries.probe('team');
  await s.clock.advance(MINUTE);
  expect(new Set(Object.values(await s.states()))).toEqual(new Set(['sent']));
});

test('one failing channel leaves the others alone', async () => {
  const s = await stage({ channels: ['team', 'desk'] });
  s.answer('team', () => fail('auth'));
  await s.add('team', 'a');
  await s.add('desk', 'd');
  s.start();
  await s.clock.advance(0);
  expect(await s.states('desk')).toEqual({ d: 'sent' });
});

test('dead letters are delivered again under their id, with attempts counted from zero; sent ones under a new id', async () => {
  const s = await stage();
  s.answer('team', (parcel, nth) => (parcel.id === 'a' && nth < 3 ? fail('client') : { ok: true }));
  await s.add('team', 'a', 'b');
  const deliveries = s.start();
  await s.clock.advance(0);
  expect(await s.states()).toEqual({ a: 'dead', b: 'sent' });
  const { ids } = await deliveries.replay(await s.store.deliveries({}));
  await s.clock.advance(0);
  expect(ids[0]).toBe('a');
  expect(ids[1]).toMatch(/^b-again-/);
  expect(await s.states()).toMatchObject({ a: 'sent', b: 'sent', [ids[1] ?? '']: 'sent' });
  expect((await s.store.attempts('a')).map((x) => [x.number, x.next.slice(0, 4)])).toEqual([
    [1, 'dead'],
    [2, 'sent'],
  ]);
});

test('changed settings: a new channel begins, a removed one ends, a fixed one is tried at once', async () => {
  const s = await stage({ channels: ['team', 'desk'], limits: { concurrency: 1 } });
  s.answer('team', (_p, nth) => (nth === 1 ? fail('auth') : { ok: true }));
  await s.add('team', 'a', 'b');
  const deliveries = s.start();
  await s.clock.advance(6 * SECOND);
  const team = s.channels.get('team');
  if (!team) throw new Error('no such channel');
  deliveries.configure(new Map([['team', team]]));
  await s.clock.advance(MINUTE);
  await s.add('desk', 'd');
  await s.clock.advance(MINUTE);
  expect(await s.states()).toEqual({ a: 'sent', b: 'sent' });
  expect(await s.states('desk')).toEqual({ d: 'pending' });
  deliveries.configure(s.channels);
  await s.clock.advance(MINUTE);
  expect(await s.states('desk')).toEqual({ d: 'sent' });
});
