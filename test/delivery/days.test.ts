// Days on the virtual clock: a long outage, a clock set wrong, the nights on which it is changed.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JITTER, MAX_ATTEMPTS, RETRY_TABLE, retryWait } from '../../src/lib/retry.ts';
import { NOON } from '../support/made.ts';
import { fail, stage } from './worker-harness.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each(['server', 'network', 'timeout'] as const)(
  '24 hours of %s: at most 12 attempts each, then all notified',
  async (reason) => {
    const s = await stage({ random: Math.random });
    let out = true;
    s.answer('team', () => (out ? fail(reason) : { ok: true }));
    await s.add('team', 'a:1', 'a:2', 'b:1');
    s.start();
    await s.clock.advance(DAY);
    const tries = new Map<string, number>();
    for (const { id } of s.seen['team'] ?? []) tries.set(id, (tries.get(id) ?? 0) + 1);
    for (const [id, n] of tries) expect([id, n <= 12]).toEqual([id, true]);
    expect(s.raised).toHaveLength(1);
    out = false;
    await s.clock.advance(12 * HOUR);
    expect(new Set(Object.values(await s.states()))).toEqual(new Set(['sent']));
    expect([...new Set(s.seen['team']?.map((x) => x.id))].filter((id) => id.startsWith('a'))).toEqual(['a:1', 'a:2']);
  },
);

test.each([
  ['back', -DAY],
  ['forth', DAY],
])('a clock set %s by a day neither loses nor holds up a retry', async (_way, jump) => {
  const s = await stage();
  s.answer('team', (_p, nth) => (nth <= 2 ? fail('server') : { ok: true }));
  await s.add('team', 'a:1', 'a:2');
  s.start();
  await s.clock.advance(SECOND);
  s.clock.jump(jump);
  await s.add('team', 'b');
  await s.clock.advance(MINUTE);
  expect(await s.states()).toEqual({ 'a:1': 'sent', 'a:2': 'sent', b: 'sent' });
});

test('a clock set back while nothing ran keeps waits and leases as short as they were', async () => {
  const s = await stage();
  s.answer('team', (parcel, nth) =>
    parcel.id === 'hung' && nth < 3 ? new Promise(() => undefined) : nth < 3 ? fail('server') : { ok: true },
  );
  await s.add('team', 'a', 'hung');
  s.start();
  await s.clock.advance(SECOND);
  await s.kill();
  s.clock.jump(-DAY);
  s.start();
  await s.clock.advance(MINUTE);
  expect(await s.states()).toEqual({ a: 'sent', hung: 'sent' });
});

// Europe and the United States, spring and autumn: the local hour that is missing and the one that comes twice.
test.each([
  ['Europe, spring', Date.UTC(2026, 2, 29, 0, 59, 50)],
  ['Europe, autumn', Date.UTC(2026, 9, 25, 0, 59, 50)],
  ['United States, spring', Date.UTC(2026, 2, 8, 6, 59, 50)],
  ['United States, autumn', Date.UTC(2026, 10, 1, 5, 59, 50)],
])('the night the clocks change changes no wait: %s', async (_night, start) => {
  const s = await stage({ start });
  s.answer('team', (_p, nth) => (nth <= 3 ? fail('server') : { ok: true }));
  await s.add('team', 'a');
  s.start();
  await s.clock.advance(3 * MINUTE);
  expect(s.seen['team']?.map((x) => (x.at - start) / SECOND)).toEqual([0, 5, 35, 155]);
  expect(await s.states()).toEqual({ a: 'sent' });
});

test('retry times: the table within its jitter, what the receiver asks above it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
      const base = RETRY_TABLE[Math.min(failures, RETRY_TABLE.length) - 1] ?? 0;
      const wait = retryWait(failures, random);
      expect(wait).toBeGreaterThanOrEqual(Math.floor(base * (1 - JITTER)));
      expect(wait).toBeLessThanOrEqual(Math.ceil(base * (1 + JITTER)));
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(7 * DAY), (failures, asked) => {
      expect(retryWait(failures, 0.3, asked)).toBe(Math.max(1_000, asked));
    }),
  );
  // The counted attempts, at the shortest waits there can be, do not exceed the limit within a day.
  let at = 0;
  let attempts = 1;
  while (at + retryWait(attempts, 0) <= DAY) at += retryWait(attempts++, 0);
  expect(attempts).toBeLessThanOrEqual(MAX_ATTEMPTS);
});

test('whatever a receiver answers, each session keeps its order and everything ends', async () => {
  const outcomes = ['ok', 'server', 'timeout', 'client', 'limited', 'auth'] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 }),
      fc.array(fc.constantFrom(...outcomes), { maxLength: 20 }),
      fc.array(fc.nat(30), { maxLength: 3 }),
      async (lines, answers, kills) => {
        const s = await stage({ start: NOON });
        s.answer('team', (_p, nth) => {
          const answer = answers[nth - 1] ?? 'ok';
          if (answer === 'ok') return { ok: true };
          return answer === 'limited' ? fail('rate-limited', 7_000) : fail(answer);
        });
        await s.add('team', ...lines.map((line, i) => `${line}:${String(i).padStart(2, '0')}`));
        s.start();
        for (const seconds of kills) {
          await s.clock.advance(seconds * SECOND);
          await s.kill();
          s.start();
        }
        await s.clock.advance(3 * DAY); // twenty refusals, some of which stop the channel, may take longer than one
        // What waited for an hour is held, for the batch that is not part of this.
        const held = new Set((await s.store.deliveries({ heldBy: 'outage:team' })).map(({ id }) => id));
        expect(await s.store.timers(['outage:team'])).toHaveLength(held.size > 0 ? 1 : 0);
        const states = Object.fromEntries(Object.entries(await s.states()).filter(([id]) => !held.has(id)));
        for (const state of Object.values(states)) expect(['sent', 'dead', 'cancelled']).toContain(state);
        for (const line of ['a', 'b', 'c']) {
          const ids = (s.seen['team'] ?? []).map((x) => x.id).filter((id) => id.startsWith(`${line}:`));
          expect(ids).toEqual([...ids].sort());
        }
        await s.kill();
      },
    ),
    { numRuns: 40 },
  );
});
