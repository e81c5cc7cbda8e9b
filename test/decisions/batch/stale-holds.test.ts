// Holds whose reason is gone: a mute that ended while something was written for it, and what a start finds held.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { endStaleMutes, reviewHolds } from '../../../src/decisions/batch/stale-holds.ts';
import { openStore } from '../../../src/store/open.ts';
import { temporaryFolder } from '../../support/home.ts';
import { madeDecision, madeDelivery, madeNotification, NOON } from '../../support/made.ts';
import { commitOne } from '../../support/store-writes.ts';

test.each<[name: string, holds: readonly string[], due: readonly string[]]>([
  ['no mute', ['quiet', 'group:1'], []],
  ['one in force', ['mute:m1'], []],
  ['one that has ended', ['mute:gone'], ['mute:gone']],
  ['both', ['mute:m1', 'mute:gone', 'mute:gone'], ['mute:gone']],
])('of %s', async (_name, holds, due) => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'), { now: () => NOON });
  onTestFinished(() => store.close());
  const scope = { session: null, cwd: null, channel: null, all: false };
  await store.putSilence({ id: 'm1', until: NOON + 60_000, ...scope, createdAt: NOON - 1 });
  expect(await endStaleMutes(holds, store, NOON)).toBe(due.length > 0);
  expect((await store.timers([...new Set(holds)])).map((timer) => [timer.id, timer.due])).toEqual(
    due.map((id) => [id, NOON]),
  );
});

test('a start judges again what quiet hours and mutes that are gone hold; a group keeps its own time, and has one', async () => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'), { now: () => NOON });
  onTestFinished(() => store.close());
  const scope = { session: null, cwd: null, channel: null, all: false };
  await store.putSilence({ id: 'm1', until: NOON + 60_000, ...scope, createdAt: NOON - 1 });
  const holds = ['quiet', 'mute:m1', 'mute:gone', 'group:kept', 'group:lost'];
  await commitOne(
    store,
    madeDecision({
      notifications: [madeNotification()],
      deliveries: holds.map((heldBy, i) => madeDelivery({ id: `d${i}`, channel: `c${i}`, heldBy, scheduled: true })),
    }),
  );
  const later = { kind: 'batch', due: NOON + 9, data: {} };
  for (const id of ['quiet', 'mute:m1', 'group:kept']) await store.setTimer({ ...later, id }, NOON);
  await reviewHolds(store, NOON);
  const timers = await store.timers(holds);
  expect(Object.fromEntries(timers.map(({ id, due }) => [id, due - NOON]))).toEqual({
    quiet: 0,
    'mute:m1': 9,
    'mute:gone': 0,
    'group:kept': 9,
    'group:lost': 0,
  });
});
