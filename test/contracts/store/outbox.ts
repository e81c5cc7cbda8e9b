// The outbox: deliveries are leased, tried and settled in order, by one at a time.
import { describe, expect, test } from 'vitest';
import { NO_RETRIES } from '../../../src/model/delivery/delivery.ts';
import { ATTEMPTS_KEPT, type SharedStore } from '../../../src/store/contract.ts';
import { madeDecision, madeDelivery, madeNotification, NOON } from '../../support/made.ts';
import { settleAnyhow } from '../../support/settle.ts';
import { commitOne, settleOne } from '../../support/store-writes.ts';
import { nextTimer } from '../../support/timers.ts';
import { alone, both, CLAIM, ended, OWNERS, type StoreDriver } from './driver.ts';

/** The suite of the outbox. */
export function testOutbox(driver: StoreDriver): void {
  testClaims(driver);
  testWaiting(driver);
  testMessages(driver);
}

async function claimed(store: SharedStore, now: number): Promise<string[]> {
  return (await store.claim('team', { now, leaseMs: 500, limit: 10 })).map(({ id }) => id).sort();
}

async function settleAll(store: SharedStore): Promise<void> {
  for (const { id, token } of await store.deliveries({ states: ['leased'] }))
    await settleOne(store, id, token ?? '', ended('sent'));
}

/** Who may send what, and how that ends. */
function testClaims(driver: StoreDriver): void {
  describe(`claims of deliveries: ${driver.name}`, () => {
    test('each is claimed by one of them', async () => {
      const [one, two] = await both(driver);
      for (let i = 0; i < 20; i++) await one.addDelivery(madeDelivery({ id: `d${i}`, threadKey: `t${i}` }));
      const claims = [one, two, one, two, one, two, one, two].map((store) =>
        store.claim('team', { ...CLAIM, limit: 3 }),
      );
      const claimed = (await Promise.all(claims)).flat().map(({ id }) => id);
      expect(claimed).toHaveLength(20);
      expect(new Set(claimed).size).toBe(20);
    });

    test('a lease that ran out goes to the other, and its token counts no more', async () => {
      const [one, two] = await both(driver);
      await one.addDelivery(madeDelivery({ id: 'd' }));
      const [stale] = await one.claim('team', CLAIM);
      const later = { ...CLAIM, now: NOON + 1_000 };
      const [fresh] = await two.claim('team', later);
      expect([fresh?.id, fresh?.owner]).toEqual(['d', OWNERS[1]]);
      expect(await settleOne(one, 'd', stale?.token ?? '', ended('dead'))).toBe(false);
      expect(await one.release([{ id: 'd', token: stale?.token ?? '' }], NOON)).toBe(0);
      expect(await one.attempts('d')).toEqual([]);
      expect(await settleOne(two, 'd', fresh?.token ?? '', ended('sent'))).toBe(true);
      expect(await settleOne(two, 'd', fresh?.token ?? '', ended('dead'))).toBe(false);
      expect(await one.deliveries({})).toMatchObject([{ state: 'sent', owner: null, token: null }]);
    });

    test('claims the first unfinished delivery of each session only, and nobody else can', async () => {
      const store = await alone(driver);
      for (const [id, line] of [
        ['a1', 'a'],
        ['a2', 'a'],
        ['b1', 'b'],
        ['c1', 'c'],
      ] as const)
        await store.addDelivery(madeDelivery({ id, threadKey: line, due: id === 'c1' ? NOON + 50 : NOON }));
      await store.addDelivery(madeDelivery({ id: 'other', channel: 'desk' }));
      expect(await claimed(store, NOON)).toEqual(['a1', 'b1']);
      expect(await claimed(store, NOON)).toEqual([]);
      expect(await store.nextDue('team')).toBe(NOON + 50);
      await settleAnyhow(store, 'a1', ended('sent', { due: NOON }));
      expect(await claimed(store, NOON + 10)).toEqual(['a2']);
      // b1's lease runs out: whoever held it is gone.
      expect(await claimed(store, NOON + 1_000)).toEqual(['a2', 'b1', 'c1'].sort());
      expect(await store.nextDue('nobody')).toBeNull();
    });

    test('a retry keeps its place: the next one of its session waits', async () => {
      const store = await alone(driver);
      await store.addDelivery(madeDelivery({ id: 'a1', threadKey: 'a' }));
      await store.addDelivery(madeDelivery({ id: 'a2', threadKey: 'a' }));
      expect(await claimed(store, NOON)).toEqual(['a1']);
      await settleAnyhow(store, 'a1', {
        ...ended('pending', { due: NOON + 5_000 }),
        lastReason: 'server',
        lastError: '500',
      });
      expect(await claimed(store, NOON + 4_999)).toEqual([]);
      expect(await store.nextDue('team')).toBe(NOON + 5_000);
      expect(await claimed(store, NOON + 5_000)).toEqual(['a1']);
      const [first] = await store.deliveries({});
      expect(first).toMatchObject({ id: 'a1', lastReason: 'server', lastError: '500', attempts: 1, state: 'leased' });
      expect(await store.attempts('a1')).toEqual([ended('pending', { due: 0 }).attempt]);
    });

    test('what another takes back or pauses while a claim is under way is either claimed or moved, never both', async () => {
      const [one, two] = await both(driver);
      for (let turn = 0; turn < 10; turn++) {
        const ids = [`a${turn}`, `b${turn}`, `c${turn}`] as const;
        for (const id of ids) await one.addDelivery(madeDelivery({ id, threadKey: id }));
        const taking = two.transition({ ids: [ids[0]], from: ['pending'] }, 'cancelled', NOON);
        const [taken, claimed] = await Promise.all([taking, one.claim('team', { ...CLAIM, limit: 2 })]);
        expect(claimed.map(({ id }) => id).includes(ids[0])).toBe(taken === 0);
        await one.release(claimed, NOON);
        const pausing = two.transition({ channel: 'team', from: ['pending'] }, 'paused', NOON);
        const [paused, leased] = await Promise.all([pausing, one.claim('team', CLAIM)]);
        expect(paused + leased.length).toBe(3 - taken);
        const states = await two.deliveries({ states: ['paused', 'leased'] });
        expect(states.map(({ state }) => state).filter((state) => state === 'leased')).toHaveLength(leased.length);
        await one.transition({ from: ['pending', 'leased', 'paused'] }, 'dead', NOON);
      }
    });

    test('two who claim at once never have the same, and a line has its first row claimed, whoever replays what was before it', async () => {
      const [one, two] = await both(driver);
      await one.addDelivery(madeDelivery({ id: 'before', state: 'dead' }));
      await one.addDelivery(madeDelivery({ id: 'after' }));
      const replaying = two.transition({ ids: ['before'], from: ['dead'] }, 'pending', NOON);
      const [replayed, claimed] = await Promise.all([replaying, one.claim('team', CLAIM)]);
      expect(replayed).toBe(1);
      expect(claimed).toHaveLength(1);
      // What was claimed before the other came is on its way; the line goes on with its first row.
      const next = claimed[0]?.id === 'before' ? [] : ['before'];
      expect((await two.claim('team', CLAIM)).map(({ id }) => id)).toEqual(next);
      const later = { ...CLAIM, now: NOON + CLAIM.leaseMs };
      const found = (await Promise.all([one.claim('team', later), two.claim('team', later)])).flat();
      expect(found.map(({ id }) => id)).toEqual(['before']);
    });

    test('what was claimed and not tried is given back at once', async () => {
      const [one, two] = await both(driver);
      await one.addDelivery(madeDelivery({ id: 'd' }));
      expect(await one.release(await one.claim('team', CLAIM), NOON)).toBe(1);
      expect(await two.claim('team', CLAIM)).toMatchObject([{ id: 'd', attempts: 0 }]);
    });

    test('a claim may be for changes only', async () => {
      const store = await alone(driver);
      await store.addDelivery(madeDelivery({ id: 'sent', notificationId: 'ntf_sent' }));
      await store.addDelivery(madeDelivery({ id: 'other', threadKey: 'other', operation: 'update' }));
      expect((await store.claim('team', { ...CLAIM, only: 'changes' })).map(({ id }) => id)).toEqual(['other']);
      expect((await store.claim('team', CLAIM)).map(({ id }) => id)).toEqual(['sent']);
    });

    test('a claimed delivery says whether its channel has anything else to do, whatever is held or of other channels', async () => {
      const store = await alone(driver);
      const isLast = async (now = NOON): Promise<readonly boolean[]> =>
        (await store.claim('team', { ...CLAIM, now })).map((claimed) => claimed.isLast);
      await store.addDelivery(madeDelivery({ id: 'held', scheduled: true, heldBy: 'quiet' }));
      await store.addDelivery(madeDelivery({ id: 'elsewhere', channel: 'desk' }));
      await store.addDelivery(madeDelivery({ id: 'd1' }));
      expect(await isLast()).toEqual([true]);
      await store.addDelivery(madeDelivery({ id: 'd2', threadKey: 'other' }));
      expect(await isLast()).toEqual([false]); // d1 is on its way
      await settleAll(store);
      await store.addDelivery(madeDelivery({ id: 'd3' }));
      await store.addDelivery(madeDelivery({ id: 'd4' }));
      expect(await isLast()).toEqual([false]); // d4 is behind it
      await settleAll(store);
      await store.addDelivery(madeDelivery({ id: 'later', scheduled: true, due: NOON + 50 }));
      expect(await isLast(NOON + 1)).toEqual([false]); // d4; one is due later
      await settleAll(store);
      expect(await isLast(NOON + 50)).toEqual([true]);
    });

    test('keeps the latest attempts and the counters; what was dead begins to count again', async () => {
      const store = await alone(driver);
      const counted = { failures: 3, deferrals: 40, unknowns: 1 };
      await store.addDelivery(madeDelivery({ id: 'a1', failures: 2 }));
      expect(await store.deliveries({})).toMatchObject([{ failures: 2, deferrals: 0, unknowns: 0 }]);
      for (let number = 1; number <= ATTEMPTS_KEPT + 5; number++) {
        await store.claim('team', { now: NOON, leaseMs: 500, limit: 1 });
        const { attempt, ...rest } = ended('pending', { due: NOON });
        await settleAnyhow(store, 'a1', { ...rest, attempt: { ...attempt, number }, counters: counted });
      }
      const numbers = (await store.attempts('a1')).map(({ number }) => number);
      expect(numbers).toEqual(Array.from({ length: ATTEMPTS_KEPT }, (_, i) => i + 6));
      expect(await store.claim('team', { now: NOON, leaseMs: 500, limit: 1 })).toMatchObject([
        { attempts: ATTEMPTS_KEPT + 5, ...counted },
      ]);
      await store.transition({ from: ['leased'] }, 'pending', NOON);
      expect(await store.deliveries({})).toMatchObject([counted]);
      await store.transition({ from: ['pending'] }, 'dead', NOON);
      await store.transition({ from: ['dead'] }, 'pending', NOON);
      expect(await store.deliveries({})).toMatchObject([{ attempts: ATTEMPTS_KEPT + 5, ...NO_RETRIES }]);
    });
  });
}

/** What does not go out at once. */
function testWaiting(driver: StoreDriver): void {
  describe(`deliveries that wait: ${driver.name}`, () => {
    test('what is put off leaves its line, holds up nothing, and moves what follows the first send', async () => {
      const store = await alone(driver);
      const own = { threadKey: 't', notificationId: 'ntf_0001' } as const;
      await store.addDelivery(madeDelivery({ ...own, id: 'd1', only: 'away' }));
      await store.addDelivery(madeDelivery({ ...own, id: 'd2', step: 1, scheduled: true, due: NOON + 120_000 }));
      await store.addDelivery(madeDelivery({ id: 'd3', threadKey: 't', notificationId: 'ntf_0002' }));
      const [first] = await store.claim('team', { now: NOON, leaseMs: 1_000, limit: 1 });
      const to = { due: NOON + 30_000, heldBy: null, note: 'waits', timer: null, now: NOON, shiftLater: 30_000 };
      expect(await store.postpone('d1', 'stale', to)).toBe(false);
      expect(await store.postpone('d1', first?.token ?? '', to)).toBe(true);
      expect((await store.claim('team', { now: NOON, leaseMs: 1_000, limit: 9 })).map(({ id }) => id)).toEqual(['d3']);
      const [d1, d2] = await store.deliveries({ notificationId: 'ntf_0001' });
      expect([d1?.state, d1?.scheduled, d1?.attempts, d1?.lastError]).toEqual(['pending', true, 0, 'waits']);
      expect(d2?.due).toBe(NOON + 150_000);
    });

    test('what waits for its person to leave is judged at once when they say so, and nothing that was planned for then', async () => {
      const store = await alone(driver);
      await store.addDelivery(madeDelivery({ id: 'waits', only: 'away', threadKey: 'a' }));
      const planned = { scheduled: true, only: 'away', due: NOON + 9_000 } as const;
      await store.addDelivery(madeDelivery({ ...planned, id: 'planned', threadKey: 'b' }));
      const [first] = await store.claim('team', { now: NOON, leaseMs: 1_000, limit: 1 });
      const to = { due: NOON + 30_000, heldBy: null, note: 'waits: you look', timer: null, now: NOON, shiftLater: 0 };
      await store.postpone('waits', first?.token ?? '', to);
      expect(await store.judgeAgain('other', NOON + 1)).toBe(0);
      expect(await store.judgeAgain('team', NOON + 1)).toBe(1);
      expect(await store.claim('team', { now: NOON + 1, leaseMs: 1_000, limit: 9 })).toMatchObject([{ id: 'waits' }]);
    });

    test('what is put off until a hold ends is held, with the timer of its digest', async () => {
      const store = await alone(driver);
      await store.addDelivery(madeDelivery({ id: 'd1' }));
      const [first] = await store.claim('team', { now: NOON, leaseMs: 1_000, limit: 1 });
      const timer = { id: 'digest:quiet', kind: 'digest', due: NOON + 9_000, data: {} };
      const to = { due: NOON + 9_000, heldBy: 'quiet', note: 'quiet', timer, now: NOON, shiftLater: 0 };
      expect(await store.postpone('d1', first?.token ?? '', to)).toBe(true);
      expect((await store.claim('team', { now: NOON + 9_000, leaseMs: 1_000, limit: 9 })).length).toBe(0);
      expect((await store.deliveries({ heldBy: 'quiet' })).map(({ id }) => id)).toEqual(['d1']);
      expect(await nextTimer(store)).toBe(NOON + 9_000);
    });

    test('a scheduled delivery holds up nothing, and takes its place in the line when it is due', async () => {
      const store = await alone(driver);
      await store.addDelivery(madeDelivery({ id: 'later', scheduled: true, due: NOON + 50 }));
      await store.addDelivery(madeDelivery({ id: 'first' }));
      expect(await store.nextDue('team')).toBe(NOON);
      const [first] = await store.claim('team', CLAIM);
      expect(first?.id).toBe('first');
      expect(await store.transition({ channel: 'team', from: ['pending'] }, 'paused', NOON)).toBe(0);
      await store.addDelivery(madeDelivery({ id: 'second' }));
      await settleOne(store, 'first', first?.token ?? '', ended('sent'));
      const [second] = await store.claim('team', { ...CLAIM, now: NOON + 50 });
      expect(second?.id).toBe('second');
      expect(await store.deliveries({ ids: ['later'] })).toMatchObject([{ scheduled: false, state: 'pending' }]);
      await settleOne(store, 'second', second?.token ?? '', ended('sent'));
      expect(await store.nextDue('team')).toBe(NOON + 50);
      expect(await store.claim('team', { ...CLAIM, now: NOON + 50 })).toMatchObject([{ id: 'later' }]);
    });

    test('one that becomes due while its channel is paused waits with the others', async () => {
      const store = await alone(driver);
      await store.addDelivery(madeDelivery({ id: 'later', scheduled: true, due: NOON + 50 }));
      expect(await store.transition({ channel: 'team', from: ['pending'] }, 'paused', NOON + 50)).toBe(1);
      expect(await store.claimPaused('team', NOON + 50, { now: NOON + 50, leaseMs: 1 })).toMatchObject({ id: 'later' });
    });

    test('moves between states and keeps the order of each line', async () => {
      const store = await alone(driver);
      for (const id of ['a1', 'a2', 'a3'])
        await store.addDelivery(madeDelivery({ id, threadKey: 'a', createdAt: NOON }));
      expect(await store.transition({ channel: 'team', from: ['pending'] }, 'paused', NOON)).toBe(3);
      expect(await claimed(store, NOON)).toEqual([]);
      expect(await store.nextDue('team')).toBeNull();
      expect(await store.claimPaused('team', NOON - 1, { now: NOON, leaseMs: 1_000 })).toBeNull();
      const probe = await store.claimPaused('team', NOON, { now: NOON, leaseMs: 1_000 });
      expect(probe).toMatchObject({ id: 'a1' });
      expect(await store.claimPaused('team', NOON, { now: NOON, leaseMs: 1_000 })).toBeNull();
      await settleAnyhow(store, 'a1', ended('dead', { due: NOON }));
      expect(await store.transition({ channel: 'team', from: ['paused'] }, 'pending', NOON + 7)).toBe(2);
      expect(await claimed(store, NOON + 7)).toEqual(['a2']);
      await settleAnyhow(store, 'a2', ended('sent', { due: NOON }));
      expect(await store.transition({ ids: ['a1', 'a2', 'none'], from: ['dead'] }, 'pending', NOON + 8)).toBe(1);
      expect(await claimed(store, NOON + 8)).toEqual(['a1']);
      await settleAnyhow(store, 'a1', ended('sent', { due: NOON }));
      expect(await claimed(store, NOON + 8)).toEqual(['a3']);
      expect(await store.transition({ from: ['leased'], createdBefore: NOON }, 'dead', NOON)).toBe(0);
    });

    test('gives up what a channel has unfinished, with the reason, and finds deliveries by id', async () => {
      const store = await alone(driver);
      await store.addDelivery(madeDelivery({ id: 'a', channel: 'ftp' }));
      await store.addDelivery(madeDelivery({ id: 'b', channel: 'ftp', state: 'paused', lastError: 'refused' }));
      await store.addDelivery(madeDelivery({ id: 'c', channel: 'ftp', state: 'sent' }));
      await store.addDelivery(madeDelivery({ id: 'd' }));
      expect([...(await store.unfinishedChannels())].sort()).toEqual(['ftp', 'team']);
      const last = { reason: 'invalid-config', error: 'it is gone' } as const;
      const from = ['pending', 'leased', 'paused'] as const;
      expect(await store.transition({ channel: 'ftp', from }, 'dead', NOON, last)).toBe(2);
      expect(await store.unfinishedChannels()).toEqual(['team']);
      expect(await store.deliveries({ ids: ['a', 'b', 'none'] })).toMatchObject([
        { id: 'a', state: 'dead', lastReason: 'invalid-config', lastError: 'it is gone' },
        { id: 'b', state: 'dead', lastReason: 'invalid-config', lastError: 'it is gone' },
      ]);
      await store.transition({ ids: ['b'], from: ['dead'] }, 'pending', NOON);
      expect(await store.deliveries({ ids: ['b'] })).toMatchObject([{ state: 'pending', lastError: 'it is gone' }]);
    });

    test('what was given up is put aside once, whoever else does so or sends it again, and a follower sees each', async () => {
      const [one, two] = await both(driver);
      const why = { lastReason: 'client', lastError: 'answered 400' } as const;
      for (const id of ['a', 'b', 'c'])
        await one.addDelivery(madeDelivery({ id, threadKey: id, state: 'dead', ...why }));
      await one.addDelivery(madeDelivery({ id: 'desk', channel: 'desk', threadKey: 'desk', state: 'dead', ...why }));
      await one.addDelivery(madeDelivery({ id: 'sent', threadKey: 'sent', state: 'sent' }));
      const { cursor } = await two.changesSince(null, 0);
      const clear = (store: SharedStore): Promise<number> =>
        store.transition({ channel: 'team', from: ['dead'] }, 'cancelled', NOON + 1);
      const replay = two.transition({ ids: ['c'], from: ['dead'] }, 'pending', NOON + 1);
      const [first, second, again] = await Promise.all([clear(one), clear(two), replay]);
      expect(first + second + again).toBe(3);
      const [c] = await one.deliveries({ ids: ['c'] });
      expect(c?.state).toBe(again === 1 ? 'pending' : 'cancelled');
      expect(await two.deliveries({ ids: ['a', 'b'] })).toMatchObject([
        { id: 'a', state: 'cancelled', ...why },
        { id: 'b', state: 'cancelled', ...why },
      ]);
      expect(await one.deliveries({ states: ['dead'] })).toMatchObject([{ id: 'desk' }]);
      const { changes } = await two.changesSince(cursor, 100);
      expect(changes.map(({ type, id }) => `${type} ${id}`).sort()).toEqual(['delivery a', 'delivery b', 'delivery c']);
      expect(await clear(two)).toBe(0);
      expect((await two.claim('team', { ...CLAIM, now: NOON + 1 })).map(({ id }) => id)).toEqual(
        again === 1 ? ['c'] : [],
      );
    });

    test('what a failing channel has paused for long is held together, where there is more than a little', async () => {
      const store = await alone(driver);
      for (const id of ['a1', 'a2', 'b1'])
        await store.addDelivery(madeDelivery({ id, threadKey: id.slice(0, 1), state: 'paused' }));
      await store.addDelivery(madeDelivery({ id: 'b2', threadKey: 'b', state: 'paused', createdAt: NOON + 1 }));
      await store.addDelivery(madeDelivery({ id: 'u', threadKey: 'b', state: 'paused', operation: 'update' }));
      const timer = { id: 'outage:team', kind: 'batch', due: NOON + 5, data: {} };
      const of = { channel: 'team', createdBefore: NOON + 1, hold: timer.id };
      expect(await store.holdBacklog({ ...of, few: 3 }, timer, NOON + 5)).toBe(0);
      expect(await store.timers([timer.id])).toEqual([]);
      expect(await store.holdBacklog({ ...of, few: 2 }, timer, NOON + 5)).toBe(3);
      expect(await store.timers([timer.id])).toEqual([timer]);
      expect((await store.deliveries({ heldBy: timer.id })).map(({ id, state }) => `${id} ${state}`)).toEqual([
        'a1 pending',
        'a2 pending',
        'b1 pending',
      ]);
      expect((await store.deliveries({ states: ['paused'] })).map(({ id }) => id)).toEqual(['b2', 'u']);
    });
  });
}

/** What the deliveries of one message have to do with each other. */
function testMessages(driver: StoreDriver): void {
  const states = async (store: SharedStore) =>
    (await store.deliveries({})).map(({ id, state }) => `${id} ${state}`).sort();

  describe(`messages in the outbox: ${driver.name}`, () => {
    test('the receipt of a thread is that of its latest send on the channel, of whatever notification', async () => {
      const store = await alone(driver);
      const send = async (id: string, threadKey: string, channel: string, receipt: unknown) => {
        const notification = madeNotification({ id: `ntf_${id}`, threadKey });
        await commitOne(store, madeDecision({ entryId: id, events: [], notifications: [notification] }));
        await store.addDelivery(madeDelivery({ id, notificationId: `ntf_${id}`, threadKey, channel }));
        const [sent] = await store.claim(channel, CLAIM);
        await settleOne(store, id, sent?.token ?? '', ended('sent', { receipt }));
      };
      expect(await store.latestThreadReceipt('a', 'team')).toBeNull();
      await send('d1', 'a', 'team', { ts: '1' });
      await send('d2', 'a', 'team', { ts: '2' });
      await send('d3', 'b', 'team', { ts: '3' });
      await send('d4', 'a', 'desk', { ts: '4' });
      await send('d5', 'a', 'team', undefined);
      expect(await store.latestThreadReceipt('a', 'team')).toEqual({ ts: '2' });
      expect(await store.latestThreadReceipt('c', 'team')).toBeNull();
    });

    test('a later update supersedes an unsent one, a retract all; receipts are those of the latest sent', async () => {
      const store = await alone(driver);
      const message = { notificationId: 'ntf_0001', channel: 'team', step: 0 };
      await store.addDelivery(madeDelivery({ id: 'd' }));
      expect(await store.latestReceipt(message)).toBeNull();
      const [sent] = await store.claim('team', CLAIM);
      await settleOne(store, 'd', sent?.token ?? '', ended('sent', { receipt: { ts: '1' } }));
      for (const revision of [2, 3])
        await store.addDelivery(madeDelivery({ id: `u${revision}`, operation: 'update', revision }));
      expect(await states(store)).toEqual(['d sent', 'u2 superseded', 'u3 pending']);
      expect(await store.latestReceipt(message)).toEqual({ ts: '1' });
      const [update] = await store.claim('team', CLAIM);
      await settleOne(store, 'u3', update?.token ?? '', ended('sent', { receipt: 'two' }));
      expect(await store.latestReceipt(message)).toBe('two');
      expect(await store.latestReceipt({ ...message, channel: 'desk' })).toBeNull();
      await store.addDelivery(madeDelivery({ id: 'u4', operation: 'update', revision: 4 }));
      await store.addDelivery(madeDelivery({ id: 'r', operation: 'retract', revision: 4 }));
      expect(await states(store)).toEqual(['d sent', 'r pending', 'u2 superseded', 'u3 sent', 'u4 superseded']);
    });

    test('a reminder is a message of its own: its receipt, its changes', async () => {
      const store = await alone(driver);
      for (const step of [0, 1]) {
        await store.addDelivery(madeDelivery({ id: `d${step}`, step }));
        const [sent] = await store.claim('team', CLAIM);
        await settleOne(store, `d${step}`, sent?.token ?? '', ended('sent', { receipt: step }));
      }
      const receipts = [0, 1, 2].map((step) =>
        store.latestReceipt({ notificationId: 'ntf_0001', channel: 'team', step }),
      );
      expect(await Promise.all(receipts)).toEqual([0, 1, null]);
      await store.addDelivery(madeDelivery({ id: 'u0', operation: 'update', revision: 2 }));
      const deliveries = [0, 1, 2].map((step) =>
        madeDelivery({ id: `r${step}`, operation: 'retract', revision: 3, step }),
      );
      await commitOne(store, madeDecision({ events: [], deliveries }));
      expect(await states(store)).toEqual(['d0 sent', 'd1 sent', 'r0 pending', 'r1 pending', 'u0 superseded']);
    });
  });
}
