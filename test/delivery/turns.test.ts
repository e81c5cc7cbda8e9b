// What waits at a paced channel: what is urgent first, then each session in turn; within a session everything in order.
import { expect, test } from 'vitest';
import { madeContent, madeDelivery } from '../support/made.ts';
import { fail, type Stage, stage } from './worker-harness.ts';

const SECOND = 1_000;
const PACED = { limits: { minIntervalMs: SECOND, concurrency: 1 } } as const;

/** Adds `session:name`, urgent. */
async function addUrgent(s: Stage, id: string): Promise<void> {
  const at = s.clock.now();
  const times = { due: at, createdAt: at, updatedAt: at };
  const content = madeContent({ urgency: 'urgent' });
  await s.store.addDelivery(madeDelivery({ id, threadKey: id.split(':')[0] ?? id, content, ...times }));
}

const sent = (s: Stage): readonly string[] => (s.seen['team'] ?? []).map(({ id }) => id);
const finishes = (n: number): readonly string[] => Array.from({ length: n }, (_, i) => `s${i}`);

test('a failure goes out next, whatever many sessions have waiting', async () => {
  const s = await stage(PACED);
  await s.add('team', ...finishes(30));
  s.start();
  await s.clock.advance(SECOND);
  const before = sent(s).length;
  await addUrgent(s, 'failed');
  await s.clock.advance(SECOND);
  expect(sent(s).slice(before)).toEqual(['failed']);
  await s.clock.advance(30 * SECOND);
  expect(sent(s)).toHaveLength(31);
});

test("another session's prompt waits for one turn of a storm, not for all of it", async () => {
  const s = await stage(PACED);
  await s.add('team', ...Array.from({ length: 20 }, (_, i) => `storm:${String(i).padStart(2, '0')}`));
  s.start();
  await s.clock.advance(SECOND);
  const before = sent(s).length;
  await s.add('team', 'prompt');
  await s.clock.advance(2 * SECOND);
  expect(sent(s).slice(before)).toContain('prompt');
  await s.clock.advance(20 * SECOND);
  expect(sent(s).filter((id) => id.startsWith('storm'))).toEqual([...sent(s)].filter((id) => id !== 'prompt').sort());
});

test('two storms and a third session take turns', async () => {
  const s = await stage(PACED);
  s.answer('team', () => new Promise((resolve) => s.clock.setTimer(10, () => resolve({ ok: true }))));
  for (const n of [0, 1, 2, 3, 4, 5]) await s.add('team', `a:${n}`, `b:${n}`);
  await s.add('team', 'c:0', 'c:1');
  s.start();
  await s.clock.advance(20 * SECOND);
  expect(
    new Set(
      sent(s)
        .slice(0, 3)
        .map((id) => id[0]),
    ),
  ).toEqual(new Set(['a', 'b', 'c']));
  expect(
    new Set(
      sent(s)
        .slice(3, 6)
        .map((id) => id[0]),
    ),
  ).toEqual(new Set(['a', 'b', 'c']));
  for (const line of ['a', 'b', 'c']) {
    const ids = sent(s).filter((id) => id.startsWith(line));
    expect(ids).toEqual([...ids].sort());
  }
  expect(sent(s)).toHaveLength(14);
});

test('what is urgent overtakes nothing of its own session: that goes first, too', async () => {
  const s = await stage(PACED);
  await s.add('team', ...finishes(20), 'own:1', 'own:2');
  s.start();
  await s.clock.advance(SECOND);
  const before = sent(s).length;
  await addUrgent(s, 'own:3');
  await s.add('team', 'own:4');
  await s.clock.advance(3 * SECOND);
  expect(sent(s).slice(before)).toEqual(['own:1', 'own:2', 'own:3']);
  await s.clock.advance(SECOND);
  expect(sent(s).at(-1)).not.toBe('own:4'); // nothing urgent waits behind it
  await s.clock.advance(30 * SECOND);
  expect(sent(s)).toHaveLength(24);
});

test('a change of an older message keeps its place before what is urgent', async () => {
  const s = await stage({ ...PACED, changes: true });
  s.answer('team', () => ({ ok: true, receipt: { at: 1 } }));
  await s.add('team', 'own:1');
  s.start();
  await s.clock.advance(0);
  const at = s.clock.now();
  const change = { operation: 'update', revision: 2, threadKey: 'own', due: at, createdAt: at, updatedAt: at } as const;
  await s.store.addDelivery(madeDelivery({ ...change, id: 'own:1 changed' }));
  await addUrgent(s, 'own:2');
  await s.add('team', 'other');
  await s.clock.advance(5 * SECOND);
  expect(sent(s)).toEqual(['own:1', 'own:1 changed', 'own:2', 'other']);
});

test('one that is tried again in some time holds up nothing urgent of others, and is tried then', async () => {
  const s = await stage(PACED);
  s.answer('team', ({ id }, nth) => (id === 'late' && nth === 1 ? fail('server') : { ok: true }));
  await addUrgent(s, 'late');
  s.start();
  await s.clock.advance(0);
  await s.add('team', ...finishes(20));
  await s.clock.advance(6 * SECOND);
  expect(sent(s).filter((id) => id === 'late')).toHaveLength(2);
});

test('a clock set back makes nobody wait longer for a turn', async () => {
  const s = await stage(PACED);
  await s.add('team', 'a:1', 'a:2', 'a:3', 'b:1', 'b:2');
  s.start();
  await s.clock.advance(2 * SECOND);
  s.clock.jump(-3_600 * SECOND);
  await s.add('team', 'c');
  await s.clock.advance(10 * SECOND);
  expect([...sent(s)].sort()).toEqual(['a:1', 'a:2', 'a:3', 'b:1', 'b:2', 'c']);
});
