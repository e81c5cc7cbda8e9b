// What must not get lost between an outcome and what follows from it: a store in trouble, an expired letter, a clock that was wrong.
import { expect, test } from 'vitest';
import { fail, stage } from './worker-harness.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const YEAR = 365 * 24 * HOUR;

test.each(['transition', 'setHealth'] as const)(
  'a store in trouble at the moment of recovery: what waited goes out all the same: %s',
  async (call) => {
    const s = await stage({ limits: { concurrency: 1 } });
    s.answer('team', (_p, nth) => (nth === 1 ? fail('auth') : { ok: true }));
    await s.add('team', 'a', 'b', 'c');
    const deliveries = s.start();
    await s.clock.advance(0);
    const { transition, setHealth } = s.store;
    let full = true;
    const refused = async () => {
      full = false;
      throw new Error('database or disk is full');
    };
    Object.assign(s.store, {
      transition: (...args: Parameters<typeof transition>) =>
        full && call === 'transition' && args[1] === 'pending' ? refused() : transition(...args),
      setHealth: (...args: Parameters<typeof setHealth>) =>
        full && call === 'setHealth' && args[0].state === 'ok' ? refused() : setHealth(...args),
    });
    deliveries.probe();
    await s.clock.advance(10 * SECOND);
    expect(full).toBe(false);
    expect(await s.states()).toEqual({ a: 'sent', b: 'sent', c: 'sent' });
  },
);

test('a letter that expired is counted from zero when it is delivered again', async () => {
  const s = await stage();
  let out = true;
  s.answer('team', (_p, nth) => (out || nth % 2 === 1 ? fail('server') : { ok: true }));
  await s.add('team', 'a');
  const deliveries = s.start();
  for (let tries = 1; (await s.store.attempts('a')).length < 11; tries++) {
    expect(tries).toBeLessThan(40);
    await s.clock.advance(5 * HOUR);
  }
  await s.store.transition({ from: ['pending', 'paused'] }, 'dead', s.clock.now());
  out = false;
  const { length } = s.seen['team'] ?? [];
  s.answer('team', (_p, nth) => (nth === length + 1 ? fail('server') : { ok: true }));
  await deliveries.replay(await s.store.deliveries({}));
  deliveries.probe();
  await s.clock.advance(HOUR);
  expect(await s.states()).toEqual({ a: 'sent' });
});

test('a channel that failed while the clock was years ahead is tried again within hours', async () => {
  const s = await stage({ limits: { concurrency: 1 } });
  s.answer('team', (_p, nth) => (nth === 1 ? fail('auth') : { ok: true }));
  await s.add('team', 'a', 'b');
  s.start();
  await s.clock.advance(0);
  await s.kill();
  s.clock.jump(-4 * YEAR);
  s.start();
  await s.clock.advance(2 * HOUR);
  expect(await s.states()).toEqual({ a: 'sent', b: 'sent' });
});
