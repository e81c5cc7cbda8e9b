// Changed settings while sends are under way: limits hold, and what was decided under the former settings still goes out.
import { expect, test } from 'vitest';
import type { ConfiguredChannel } from '../../src/delivery/index.ts';
import { type Stage, stage } from './worker-harness.ts';

const SECOND = 1_000;

/** The same channel, made again from its settings. */
const again = (s: Stage): ReadonlyMap<string, ConfiguredChannel> =>
  new Map([...s.channels].map(([name, one]) => [name, { ...one, channel: { ...one.channel } }]));

const CHANGES: readonly (readonly [string, (s: Stage) => readonly ReadonlyMap<string, ConfiguredChannel>[]])[] = [
  ['changed', (s) => [again(s)]],
  ['changed often', (s) => Array.from({ length: 9 }, () => again(s))],
  ['removed and added', (s) => [new Map(), again(s)]],
];

test.each(CHANGES)('a channel that is %s counts what it has under way', async (_how, changes) => {
  const s = await stage({ limits: { concurrency: 1, minIntervalMs: 100 } });
  const begun: number[] = [];
  let under = 0;
  let most = 0;
  s.answer('team', async () => {
    begun.push(s.clock.now());
    most = Math.max(most, ++under);
    await new Promise<void>((resolve) => s.clock.setTimer(500, resolve));
    under--;
    return { ok: true };
  });
  await s.add('team', 'a', 'b', 'c');
  const deliveries = s.start();
  await s.clock.advance(10);
  for (const change of changes(s)) {
    deliveries.configure(change);
    await s.clock.advance(10);
  }
  await s.clock.advance(5 * SECOND);
  expect([most, begun.length]).toEqual([1, 3]);
  for (const [i, at] of begun.slice(1).entries()) expect(at - (begun[i] ?? 0)).toBeGreaterThanOrEqual(100);
});

test('a removed channel sends what was decided before; what is left some seconds later is a dead letter', async () => {
  const s = await stage({ channels: ['team', 'desk'] });
  const deliveries = s.start();
  await s.clock.advance(0);
  deliveries.configure(new Map([...s.channels].filter(([name]) => name === 'desk')));
  await s.add('team', 'decided before');
  deliveries.wake(['team', 'desk']);
  await s.clock.advance(SECOND);
  expect(await s.states()).toEqual({ 'decided before': 'sent' });
  expect(await deliveries.sendDirect('team', 'x', (await s.store.deliveries({}))[0]!.content, 'test')).toBeNull();
  await s.clock.advance(30 * SECOND);
  await s.add('team', 'too late');
  deliveries.wake(['team']);
  await s.clock.advance(0);
  expect(await s.states()).toEqual({ 'decided before': 'sent', 'too late': 'dead' });
});
