// One row whose text is damaged while the daemon runs hides no other and holds nobody up.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NO_RETRIES } from '../../src/model/delivery/delivery.ts';
import { openStore } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/home.ts';
import { settleAnyhow } from '../support/settle.ts';
import { madeDecision, madeDelivery, madeEvent, madeSession, NOON, SESSION } from '../support/made.ts';
import { commitOne } from '../support/store-writes.ts';
import { factsOf } from '../support/facts.ts';
import { timersDue } from '../support/timers.ts';

const { DatabaseSync } = createRequire(import.meta.url)(
  '@photostructure/sqlite',
) as typeof import('@photostructure/sqlite');

test('damaged deliveries and attempts are listed as what they are', async () => {
  const file = join(temporaryFolder(), 'state', 'belfry.db');
  const store = await openStore(file);
  onTestFinished(() => store.close());
  const attempt = {
    at: NOON,
    ms: 5,
    ok: false,
    reason: 'server',
    error: 'no',
    answer: null,
    status: 500,
    next: 'again',
  };
  for (const id of ['one', 'two', 'three']) {
    await store.addDelivery(madeDelivery({ id, threadKey: id }));
    const settlement = {
      state: 'pending',
      due: NOON,
      lastReason: 'server',
      lastError: 'no',
      counters: NO_RETRIES,
    } as const;
    for (const number of [1, 2]) {
      await store.claim('team', { now: NOON, leaseMs: 0, limit: 10 });
      await settleAnyhow(store, id, {
        ...settlement,
        attempt: { ...attempt, reason: 'server', deliveryId: id, number },
      });
    }
  }
  const other = new DatabaseSync(file);
  other.exec('PRAGMA ignore_check_constraints = ON');
  other.exec(`UPDATE deliveries SET content = substr(content, 9) WHERE id = 'one'`);
  other.exec(`UPDATE deliveries SET content = replace(content, '"title"', '"tit1e"') WHERE id = 'three'`); // JSON all the same
  other.exec(`UPDATE attempts SET attempt = 'x' || attempt WHERE delivery_id = 'two' AND number = 1`);
  other.close();

  const listed = await store.deliveries({});
  expect(listed.map(({ id, content }) => [id, content.title])).toEqual([
    ['one', '(damaged on the disk)'],
    ['two', 'payments: finished'],
    ['three', '(damaged on the disk)'],
  ]);
  const attempts = await store.attempts('two');
  expect(attempts.map(({ number, ok, error }) => [number, ok, error])).toEqual([
    [1, false, '(damaged on the disk)'],
    [2, false, 'no'],
  ]);
  const claimed = await store.claim('team', { now: NOON + 1, leaseMs: 1_000, limit: 10 });
  expect(claimed.map(({ id }) => id)).toEqual(['two']);
  expect((await store.deliveries({ states: ['dead'] })).map(({ id, lastError }) => [id, lastError])).toEqual([
    ['one', 'the stored notification is damaged'],
    ['three', 'the stored notification is damaged'],
  ]);
});

test('damaged events, sessions and timers hide no other and hold nobody up', async () => {
  const file = join(temporaryFolder(), 'state', 'belfry.db');
  const store = await openStore(file);
  onTestFinished(() => store.close());
  for (const id of ['one', 'two']) {
    const notified = { event: madeEvent({ id, at: NOON }), fingerprint: id, verdicts: [] };
    await commitOne(
      store,
      madeDecision({ entryId: id, events: [notified], sessions: [madeSession({ sessionId: id })] }),
    );
    await store.setTimer({ id, kind: 'hold', due: NOON, data: {} }, NOON);
  }
  const other = new DatabaseSync(file);
  other.exec('PRAGMA ignore_check_constraints = ON');
  for (const [table, column, key] of [
    ['events', 'event', 'id'],
    ['events', 'verdicts', 'id'],
    ['sessions', 'record', 'session'],
    ['timers', 'timer', 'id'],
  ])
    other.exec(`UPDATE ${table} SET ${column} = 'x' || ${column} WHERE ${key} = 'one'`);
  other.close();

  expect((await store.events({})).map(({ event }) => [event.id, event.kind, event.at])).toEqual([
    ['one', 'agent.other', NOON],
    ['two', madeEvent().kind, NOON],
  ]);
  for (const filter of [
    { agents: [madeEvent().agent] },
    { exceptAgent: 'other' },
    { urgencies: [madeEvent().urgency] },
  ])
    expect((await store.events(filter)).map(({ event }) => event.id)).toEqual(['two']);
  expect((await factsOf(store, { same: { fingerprint: 'one', since: 0 } })).same?.message).toBe(
    '(damaged on the disk)',
  );
  expect((await store.sessions({})).map(({ sessionId }) => sessionId)).toEqual(['two']);
  expect(await store.session({ ...SESSION, sessionId: 'one' })).toBeNull();
  expect((await timersDue(store, NOON, 10)).map(({ id, kind }) => [id, kind])).toEqual([
    ['one', 'damaged'],
    ['two', 'hold'],
  ]);
  const event = madeEvent({ id: 'one', at: NOON, message: 'notified again' });
  const verdicts = [{ stage: 'hold', verdict: 'change', note: '' }] as const;
  await commitOne(store, madeDecision({ entryId: 'again', events: [{ event, fingerprint: 'one', verdicts }] }));
  expect((await store.event('one'))?.verdicts).toEqual(verdicts);
});
