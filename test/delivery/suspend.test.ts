// The machine sleeps while something is being sent: it is still being sent when it wakes, whatever its lease says.
import { expect, test } from 'vitest';
import type { Outcome } from '../../src/model/delivery/delivery.ts';
import { madeDelivery } from '../support/made.ts';
import { stage } from './worker-harness.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

test.each(['an hour', 'two sleeps'])('what was in flight when the machine slept is sent once: %s', async (how) => {
  const s = await stage();
  let arrive = (_outcome: Outcome): void => undefined;
  s.answer('team', ({ id }) => (id === 'a' ? new Promise((resolve) => (arrive = resolve)) : { ok: true }));
  await s.add('team', 'a');
  s.start();
  await s.clock.advance(0);
  for (let sleeps = how === 'an hour' ? 1 : 2; sleeps > 0; sleeps--) {
    s.clock.jump(HOUR);
    await s.add('team', `after sleep ${sleeps}`); // another event wakes the worker
    await s.clock.advance(0);
  }
  arrive({ ok: true });
  await s.clock.advance(HOUR);
  expect(s.seen['team']?.filter(({ id }) => id === 'a')).toHaveLength(1);
  expect(new Set(Object.values(await s.states()))).toEqual(new Set(['sent']));
  expect(await s.store.attempts('a')).toMatchObject([{ number: 1, ok: true, next: 'sent' }]);
});

test('while one is in flight beyond its lease, its worker does not look for it again and again', async () => {
  const s = await stage();
  s.answer('team', () => new Promise(() => undefined));
  await s.add('team', 'a:1', 'a:2');
  s.start();
  await s.clock.advance(0);
  s.clock.jump(HOUR);
  await s.add('team', 'b');
  await s.clock.advance(100);
  expect(s.seen['team']?.map(({ id }) => id)).toEqual(['a:1', 'b']);
});

test('a step that is overdue after the clock was set forward goes out within a minute', async () => {
  const s = await stage();
  const due = s.clock.now() + HOUR;
  const step = { ...madeDelivery({ id: 'step', step: 1, due, scheduled: true }), channel: 'team' };
  await s.store.addDelivery(step);
  s.start();
  await s.clock.advance(0);
  s.clock.jump(2 * HOUR);
  await s.clock.advance(60 * SECOND);
  expect(s.seen['team']).toMatchObject([{ id: 'step' }]);
});
