// Days on the virtual clock, many of them: outages of 24 hours, clocks set wrong by a day, the nights on which they change.
import { expect, test } from 'vitest';
import { RETRY_TABLE } from '../../src/lib/retry.ts';
import { fail, stage } from '../delivery/worker-harness.ts';
import { figures, seeded, size } from './size.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WORLDS = size(100, 6);
/** What holds what waited for the channel of these worlds. */
const HOLD = 'outage:team';

/** The nights of 2026 on which clocks change, in Europe and the United States, an hour before. */
const NIGHTS = [Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 25), Date.UTC(2026, 2, 8, 6), Date.UTC(2026, 10, 1, 5)];

test(`${WORLDS} worlds with an outage of 24 hours`, async () => {
  let most = 0;
  let notified = 0;
  for (let world = 0; world < WORLDS; world++) {
    const random = seeded(world);
    const s = await stage({ random, start: NIGHTS[world % NIGHTS.length] ?? 0 });
    let out = true;
    const reasons = ['server', 'network', 'timeout'] as const;
    s.answer('team', () => (out ? fail(reasons[Math.floor(random() * 3)] ?? 'server') : { ok: true }));
    const count = 1 + Math.floor(random() * 20);
    for (let i = 0; i < count; i++) {
      await s.add('team', `s${i % 4}:${String(i).padStart(3, '0')}`);
      if (i === 0) s.start();
      await s.clock.advance(random() * HOUR);
      if (random() < 0.2) {
        await s.kill();
        s.start();
      }
    }
    await s.clock.advance(DAY);
    const tries = new Map<string, number>();
    for (const { id, at } of s.seen['team'] ?? []) if (at < s.clock.now()) tries.set(id, (tries.get(id) ?? 0) + 1);
    most = Math.max(most, ...tries.values());
    out = false;
    await s.clock.advance(DAY);
    // What waited for an hour is held for the batch of its outage, which has its timer.
    const held = new Set((await s.store.deliveries({ heldBy: HOLD })).map(({ id }) => id));
    expect(await s.store.timers([HOLD])).toHaveLength(held.size > 0 ? 1 : 0);
    const states = Object.entries(await s.states());
    expect(states.filter(([id, state]) => !held.has(id) && state !== 'sent' && state !== 'cancelled')).toEqual([]);
    expect(s.raised.length).toBe(1);
    notified += states.length;
    await s.kill();
  }
  figures('clocks, outage', { worlds: WORLDS, deliveries: notified, 'most attempts': most, lost: 0 });
  expect(most).toBeLessThanOrEqual(12);
});

test(`${WORLDS} worlds whose clock jumps by a day, back and forth`, async () => {
  let jumps = 0;
  let notified = 0;
  for (let world = 0; world < WORLDS; world++) {
    const random = seeded(1_000 + world);
    const s = await stage({ random });
    s.answer('team', () => (random() < 0.3 ? fail('server') : { ok: true }));
    s.start();
    for (let i = 0; i < 30; i++) {
      await s.add('team', `s${i % 4}:${String(i).padStart(3, '0')}`);
      await s.clock.advance(random() * 10 * SECOND);
      if (random() < 0.2) {
        s.clock.jump(random() < 0.5 ? DAY : -DAY);
        jumps++;
      }
      if (random() < 0.1) {
        await s.kill();
        s.start();
      }
    }
    // The receiver is well again. Nothing waits longer than the table says, whatever the clock showed when it began to wait.
    s.answer('team', () => ({ ok: true }));
    await s.clock.advance(6 * MINUTE);
    for (const { id, due, attempts } of await s.store.deliveries({ channel: 'team', states: ['pending', 'paused'] })) {
      const most = RETRY_TABLE[Math.min(Math.max(attempts, 1), RETRY_TABLE.length) - 1] ?? 0;
      expect(due - s.clock.now(), `${id} of world ${world}`).toBeLessThanOrEqual(1.2 * most);
    }
    await s.clock.advance(12 * HOUR);
    const states = await s.states();
    expect(Object.values(states).filter((x) => x !== 'sent' && !['superseded', 'cancelled'].includes(x))).toEqual([]);
    const ids = (s.seen['team'] ?? []).map((x) => x.id).filter((id) => !id.endsWith('-digest'));
    for (const line of ['s0', 's1', 's2', 's3']) {
      const own = ids.filter((id) => id.startsWith(line));
      expect(own).toEqual([...own].sort());
    }
    notified += Object.keys(states).length;
    await s.kill();
  }
  figures('clocks, jumps', { worlds: WORLDS, jumps, deliveries: notified, lost: 0 });
});
