// The feed of sessions: all at first, then what changed, all again where changes were lost or an hour has passed; old ones are unknown.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSessionFeed } from '../../../src/daemon/sessions/session-feed.ts';
import type { SessionBatch } from '../../../src/model/session/session-feed.ts';
import { openStore } from '../../../src/store/open.ts';
import { virtualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/home.ts';
import { madeSession } from '../../support/made.ts';
import { keepSession } from '../../support/store-writes.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 5, 1, 12);

/** What a follower was handed: ids and states of each batch. */
async function following() {
  const clock = virtualClock(START);
  const store = await openStore(join(temporaryFolder(), 'state', 'belfry.db'), { now: clock.now });
  const put = (sessionId: string, more: object = {}) =>
    keepSession(
      store,
      madeSession({ sessionId, lastEvent: clock.now(), process: { pid: 1, start: '1', name: 'x' }, ...more }),
    );
  await put('first');
  await put('old', { lastEvent: START - 8 * 24 * HOUR });
  const got: (readonly [boolean, Readonly<Record<string, string>>])[] = [];
  const control = new AbortController();
  const follow = async (): Promise<void> => {
    const note = ({ sessions, whole }: SessionBatch) =>
      got.push([whole, Object.fromEntries(sessions.map(({ sessionId, state }) => [sessionId, state]))]);
    for await (const batch of createSessionFeed({ store, clock }).follow(control.signal)) note(batch);
  };
  const ended = follow();
  onTestFinished(async () => {
    control.abort();
    await ended;
    await store.close();
  });
  await clock.advance(1);
  return { clock, put, got, control, ended, store };
}

test('all that are recent at first, then each that changes, once for a burst', async () => {
  const { clock, put, got } = await following();
  expect(got).toEqual([[true, { first: 'working' }]]);
  await put('first', { state: 'waiting' });
  await clock.advance(300);
  for (const state of ['waiting', 'working', 'ended'] as const) await put('a/b c%', { state });
  await put('first');
  await clock.advance(300);
  expect(got.slice(1)).toEqual([
    [false, { first: 'waiting' }],
    [false, { 'a/b c%': 'ended', first: 'working' }],
  ]);
});

test('all again after an hour, with those that nobody can vouch for any more', async () => {
  const { clock, put, got } = await following();
  await put('remote', { process: null });
  await clock.advance(HOUR / 2);
  got.length = 0;
  await clock.advance(13 * HOUR);
  expect(got.length).toBeGreaterThanOrEqual(12);
  expect(got.every(([whole]) => whole)).toBe(true);
  expect(got[0]?.[1]).toEqual({ first: 'working', remote: 'working' });
  expect(got.at(-1)?.[1]).toEqual({ first: 'working', remote: 'unknown' });
});

test('ends with the signal, and leaves no timer behind', async () => {
  const { clock, control, ended } = await following();
  expect(clock.pending).toBeGreaterThan(0);
  control.abort();
  await ended;
  expect(clock.pending).toBe(0);
});
