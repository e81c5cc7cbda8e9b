// A receiver whose message quota is used up: the channel waits until it renews, says until when, and then sends what waited, in order.
import { expect, test } from 'vitest';
import { failingWords } from '../../src/model/channel/failing-words.ts';
import { fail, stage } from './worker-harness.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test('nothing is asked until the quota renews; then all go out in order, and no attempt counted', async () => {
  const s = await stage({ limits: { concurrency: 1 } });
  const renews = s.clock.now() + 45 * MINUTE;
  s.answer('team', () => (s.clock.now() < renews ? fail('quota', renews - s.clock.now()) : { ok: true }));
  await s.add('team', 'a:1', 'b:1', 'a:2');
  s.start();
  await s.clock.advance(44 * MINUTE);
  expect(s.seen['team']).toHaveLength(1);
  expect(new Set(Object.values(await s.states()))).toEqual(new Set(['paused']));
  expect(await s.store.health()).toMatchObject([
    { state: 'failing', reason: 'quota', probeAt: renews, pausedUntil: null },
  ]);
  expect(s.raised).toMatchObject([
    { kind: 'channel.failing', detail: 'quota', presetText: { title: 'belfry: channel team has used up its quota' } },
  ]);
  expect(s.raised[0]?.presetText?.body).toMatch(/paused until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  const [first] = await s.store.deliveries({ ids: ['a:1'] });
  expect([first?.failures, first?.lastReason]).toEqual([0, 'quota']);
  expect((await s.store.attempts('a:1')).map(({ next }) => next)).toEqual([
    expect.stringMatching(/^paused until the quota renews at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  ]);
  await s.clock.advance(2 * MINUTE);
  const ofSession = s.seen['team']?.filter(({ session }) => session === 'a').map(({ id }) => id);
  expect(ofSession).toEqual(['a:1', 'a:1', 'a:2']);
  expect(new Set(Object.values(await s.states()))).toEqual(new Set(['sent']));
});

test('a restart forgets nothing of it, however far the renewal is', async () => {
  const s = await stage({ limits: { concurrency: 1 } });
  const renews = s.clock.now() + 3 * DAY;
  s.answer('team', () => (s.clock.now() < renews ? fail('quota', renews - s.clock.now()) : { ok: true }));
  await s.add('team', 'a', 'b');
  for (let i = 0; i < 5; i++) {
    s.start();
    await s.clock.advance(12 * HOUR);
    await s.kill();
  }
  expect(s.seen['team']).toHaveLength(1);
  expect(s.raised).toHaveLength(1);
  s.start();
  await s.clock.advance(13 * HOUR);
  expect(await s.states()).toEqual({ a: 'sent', b: 'sent' });
});

test('a renewal that nobody named is looked for on the schedule of refusals', async () => {
  const s = await stage({ limits: { concurrency: 1 } });
  s.answer('team', () => fail('quota'));
  await s.add('team', 'a', 'b');
  s.start();
  await s.clock.advance(6 * DAY);
  expect(s.seen['team']?.length).toBeGreaterThan(10);
  expect(s.seen['team']?.length).toBeLessThanOrEqual(80);
  expect(await s.states()).toEqual({ a: 'paused', b: 'paused' });
});

test('a test that passes, or changed settings, end the wait', async () => {
  const s = await stage({ limits: { concurrency: 1 } });
  let used = true;
  s.answer('team', () => (used ? fail('quota', 5 * HOUR) : { ok: true }));
  await s.add('team', 'a', 'b');
  const deliveries = s.start();
  await s.clock.advance(MINUTE);
  const content = (await s.store.deliveries({ ids: ['a'] }))[0]?.content;
  if (!content) throw new Error('no such delivery');
  expect(await deliveries.sendDirect('team', 't1', content, 'notice')).toMatchObject({
    ok: false,
  });
  expect(s.seen['team']).toHaveLength(1); // a notice does not try
  used = false;
  expect(await deliveries.sendDirect('team', 't2', content, 'test')).toMatchObject({ ok: true });
  await s.clock.advance(MINUTE);
  expect(await s.states()).toEqual({ a: 'sent', b: 'sent' });
});

test.each([
  ['quota', 1_000, 'quota used up until 1970-01-01 '],
  ['quota', null, 'quota used up'],
  ['auth', 1_000, 'failing'],
] as const)('%s, next try at %j: %s', (reason, probeAt, words) => {
  expect(failingWords(reason, probeAt)).toContain(words);
});
