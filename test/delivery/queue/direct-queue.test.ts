// Sends past the outbox (`belfry test`, notices while the journal is in trouble): within the channel's limits, its hold and its breaker.
import { expect, test } from 'vitest';
import { madeContent } from '../../support/made.ts';
import { fail, stage } from '../worker-harness.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

test.each(['test', 'notice'] as const)('a %s does not go out while the receiver asked to wait', async (by) => {
  const s = await stage();
  s.answer('team', (_p, nth) => (nth === 1 ? fail('rate-limited', HOUR) : { ok: true }));
  await s.add('team', 'a');
  let deliveries = s.start();
  await s.clock.advance(0);
  const send = () => deliveries.sendDirect('team', 'now', madeContent(), by);
  const refused = { ok: false, reason: 'rate-limited', error: expect.stringMatching(/^not sent: .* wait until 2026-/) };
  expect(await send()).toMatchObject({ ...refused, retryAfter: HOUR });
  expect(s.seen['team']).toHaveLength(1);
  // Nor before the worker of a new process has looked at anything.
  await s.kill();
  deliveries = s.start();
  expect(await send()).toMatchObject(refused);
  expect(s.seen['team']).toHaveLength(1);
  await s.clock.advance(HOUR);
  expect(await send()).toMatchObject({ ok: true });
});

test('a limit that a test receives holds for the whole channel', async () => {
  const s = await stage();
  s.answer('team', (_p, nth) => (nth === 1 ? fail('rate-limited', HOUR) : { ok: true }));
  const deliveries = s.start();
  await s.clock.advance(0);
  expect(await deliveries.sendDirect('team', 'now', madeContent(), 'test')).toMatchObject({ retryAfter: HOUR });
  await s.add('team', 'a');
  await s.clock.advance(HOUR - 1);
  expect(s.seen['team']).toHaveLength(1);
  await s.clock.advance(1);
  expect(await s.states()).toEqual({ a: 'sent' });
});

test('a failing channel is tried for a test at once, and for a notice only when a probe is due', async () => {
  const s = await stage();
  let broken = true;
  s.answer('team', () => (broken ? fail('auth') : { ok: true }));
  await s.add('team', 'a');
  const deliveries = s.start();
  await s.clock.advance(SECOND);
  const send = (by: 'test' | 'notice') => deliveries.sendDirect('team', 'now', madeContent(), by);
  expect(await send('notice')).toMatchObject({ ok: false, error: expect.stringMatching(/^not sent: .*failing/) });
  expect(s.seen['team']).toHaveLength(1);
  expect(await send('test')).toMatchObject({ ok: false, reason: 'auth' });
  expect(s.seen['team']).toHaveLength(2);
  broken = false;
  expect(await send('test')).toMatchObject({ ok: true });
  await s.clock.advance(SECOND);
  expect(await s.states()).toEqual({ a: 'sent' });
});

test('a test takes a place like any other send, and goes before what waits', async () => {
  const s = await stage({ limits: { concurrency: 1, minIntervalMs: 100 } });
  let under = 0;
  let most = 0;
  s.answer('team', async () => {
    most = Math.max(most, ++under);
    await new Promise<void>((resolve) => s.clock.setTimer(300, resolve));
    under--;
    return { ok: true };
  });
  await s.add('team', 'a', 'b', 'c');
  const deliveries = s.start();
  await s.clock.advance(10);
  const sent = deliveries.sendDirect('team', 'now', madeContent(), 'test');
  await s.clock.advance(5 * SECOND);
  expect(await sent).toMatchObject({ ok: true });
  expect([most, s.seen['team']?.map(({ id }) => id)]).toEqual([1, ['a', 'now', 'b', 'c']]);
});

test('a hung receiver does not keep a test waiting for ever, and a stop ends it', async () => {
  const s = await stage({ limits: { concurrency: 1, timeoutMs: HOUR, minIntervalMs: HOUR } });
  s.answer('team', () => new Promise(() => undefined));
  await s.add('team', 'a');
  const deliveries = s.start();
  await s.clock.advance(10);
  const busy = deliveries.sendDirect('team', 'now', madeContent(), 'test');
  await s.clock.advance(20 * SECOND);
  expect(await busy).toMatchObject({ ok: false, error: expect.stringMatching(/^not sent: .*busy/) });
  const waiting = deliveries.sendDirect('team', 'later', madeContent(), 'test');
  await s.clock.advance(10);
  await s.kill();
  expect(await waiting).toMatchObject({ ok: false, error: expect.stringMatching(/^not sent/) });
});
