// Delivering again: once a channel at each call, and never to a channel that the settings no longer have.
import { expect, test } from 'vitest';
import type { Outcome } from '../../src/model/delivery/delivery.ts';
import { madeDelivery } from '../support/made.ts';
import { fail, stage } from './worker-harness.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

test('each replay of an event delivers once a channel, however often it was replayed before', async () => {
  const s = await stage({ channels: ['team', 'desk'] });
  await s.add('team', 'a');
  await s.add('desk', 'a in desk');
  const deliveries = s.start();
  await s.clock.advance(0);
  for (let times = 2; times <= 5; times++) {
    const { ids, inProgress } = await deliveries.replay(await s.store.deliveries({}));
    expect([ids.length, inProgress]).toEqual([2, 0]);
    await s.clock.advance(SECOND);
    expect([s.seen['team']?.length, s.seen['desk']?.length]).toEqual([times, times]);
  }
  const ids = s.seen['team']?.map(({ id }) => id) ?? [];
  expect(new Set(ids).size).toBe(5);
  for (const id of ids.slice(1)) expect(id).toMatch(/^a-again-[^-]+$/);
});

test('a replay that is still on its way is not joined by another; one that was given up is tried again itself', async () => {
  const s = await stage();
  let answer: Outcome = fail('server');
  s.answer('team', (_p, nth) => (nth === 1 ? { ok: true } : answer));
  await s.add('team', 'a');
  const deliveries = s.start();
  await s.clock.advance(0);
  const again = async () => deliveries.replay(await s.store.deliveries({}));
  const [first = ''] = (await again()).ids;
  await s.clock.advance(0);
  expect(await again()).toMatchObject({ ids: [], inProgress: 1 });
  answer = fail('client');
  await s.clock.advance(10 * SECOND);
  expect(await s.states()).toEqual({ a: 'sent', [first]: 'dead' });
  answer = { ok: true };
  expect(await again()).toMatchObject({ ids: [first], inProgress: 0 });
  await s.clock.advance(0);
  expect(await s.states()).toEqual({ a: 'sent', [first]: 'sent' });
});

test('a channel that is gone from the settings: what waits for it is given up, and a replay says so', async () => {
  const s = await stage({ channels: ['team', 'desk'] });
  s.answer('desk', () => fail('auth'));
  for (const state of ['pending', 'leased', 'paused'] as const)
    await s.store.addDelivery(madeDelivery({ id: state, eventId: state, channel: 'ftp', threadKey: state, state }));
  await s.add('desk', 'd1', 'd2');
  const deliveries = s.start();
  await s.clock.advance(0);
  const error = 'there is no channel ftp any more';
  const ftp = await s.store.deliveries({ channel: 'ftp' });
  expect(ftp.map((d) => [d.state, d.lastError])).toEqual(Array.from({ length: 3 }, () => ['dead', error]));
  const { ids, removed } = await deliveries.replay(ftp);
  expect([ids, removed.map(({ channel }) => channel)]).toEqual([[], ['ftp', 'ftp', 'ftp']]);

  const team = s.channels.get('team');
  if (!team) throw new Error('no such channel');
  deliveries.configure(new Map([['team', team]]));
  await s.clock.advance(MINUTE);
  expect(await s.states('desk')).toEqual({ d1: 'dead', d2: 'dead' });
  // One that was decided by the settings before.
  await s.add('desk', 'late');
  deliveries.wake(['team', 'desk']);
  await s.clock.advance(0);
  expect(await s.store.deliveries({ channel: 'desk', states: ['dead'] })).toHaveLength(3);
});

test('a channel that leaves and comes back while it sends is not sent the same twice', async () => {
  const s = await stage();
  let accept = (): void => undefined;
  s.answer('team', () => new Promise((resolve) => (accept = () => resolve({ ok: true }))));
  await s.add('team', 'a');
  const deliveries = s.start();
  await s.clock.advance(0);
  deliveries.configure(new Map());
  deliveries.configure(s.channels);
  await s.clock.advance(SECOND);
  accept();
  await s.clock.advance(SECOND);
  expect(s.seen['team']).toHaveLength(1);
  expect(await s.states()).toEqual({ a: 'sent' });
});
