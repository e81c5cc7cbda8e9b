// The one writer: planned again on a conflict, announced once and only when it stands, changes of messages first.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Decision, Store } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/open.ts';
import { writerOf } from '../support/deciding.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDecision, madeDelivery, madeNotification, NOON } from '../support/made.ts';
import { commitOne } from '../support/store-writes.ts';

async function world() {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'), { now: () => NOON });
  onTestFinished(() => store.close());
  await commitOne(store, madeDecision({ notifications: [madeNotification()], deliveries: [madeDelivery()] }));
  return store;
}

/** A writer of a store into which others write before each of the first `times` commits, and what it announces. */
function busyWriter(store: Store, times: number) {
  const announced: Decision[] = [];
  let left = times;
  const writer = writerOf({
    ...store,
    commit: async (decisions) => {
      const now = await store.notification('ntf_0001');
      if (left-- > 0 && now !== null)
        await commitOne(store, madeDecision({ entryId: `other ${left}`, notifications: [now], events: [] }));
      return store.commit(decisions);
    },
  });
  writer.onDecided((decision) => void announced.push(decision));
  let made = 0;
  const touch = () =>
    writer.write(async () => {
      made += 1;
      const notification = await store.notification('ntf_0001');
      return notification && { entryId: 'touch', at: NOON, notifications: [{ ...notification, title: 'touched' }] };
    }, 'what is touched');
  return { touch, announced, made: () => made };
}

test('it is planned again while others write, and announced once', async () => {
  const store = await world();
  const { touch, announced, made } = busyWriter(store, 3);
  expect((await touch()).result).toBe('written');
  expect([made(), announced.map(({ entryId }) => entryId)]).toEqual([4, ['touch']]);
  expect((await store.notification('ntf_0001'))?.title).toBe('touched');
});

test('nobody hears of what others wrote all the time, nor of what was decided before', async () => {
  const store = await world();
  const busy = busyWriter(store, 100);
  await expect(busy.touch()).rejects.toThrow('what is touched was written by others 5 times');
  await expect(
    writerOf({ ...store, commit: async () => ['conflict'] }).write(async () => ({ entryId: 'touch', at: NOON })),
  ).rejects.toThrow('its session was written by others 5 times');
  const { touch, announced } = busyWriter(store, 0);
  await touch();
  expect((await touch()).result).toBe('already');
  expect([busy.announced.length, announced.length]).toEqual([0, 1]);
});

test('nothing is written where nothing is planned', async () => {
  const store = await world();
  expect(await writerOf(store).write(async () => null)).toEqual({ result: 'nothing' });
});

test('what changes on channels is made of the message there, and goes before what is new', async () => {
  const store = await world();
  const notification = await store.notification('ntf_0001');
  if (notification === null) throw new Error('it is not kept');
  const when = { due: NOON, unless: 'none', only: 'always', reason: 'over' } as const;
  const done = await writerOf(store).write(async () => ({
    entryId: 'next',
    at: NOON,
    changed: [{ notification, plan: [{ channel: 'team', operation: 'update', step: 0, revision: 2, ...when }] }],
    deliveries: [madeDelivery({ id: 'new', notificationId: 'ntf_new' })],
  }));
  const rows = done.result === 'written' ? done.decision.deliveries : [];
  expect(rows.map(({ operation, notificationId }) => `${operation} ${notificationId}`)).toEqual([
    'update ntf_0001',
    'send ntf_new',
  ]);
  expect(rows[0]?.content).toEqual(madeDelivery().content);
});
