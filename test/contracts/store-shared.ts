// What a store must do for those who share it: leases and their tokens, decisions over versions, cancellation, changes, questions.
import { describe, expect, test } from 'vitest';
import { NO_RETRIES, type Delivery, type DeliveryState } from '../../src/model/delivery/delivery.ts';
import type { NewQuestion } from '../../src/model/question/question.ts';
import { CHANGES_KEPT, type Store } from '../../src/store/contract.ts';
import {
  madeDecision,
  madeDelivery,
  madeEntry,
  madeNotification,
  madeSession,
  NOON,
  SESSION,
} from '../support/made.ts';
import { commitOne, keepSession, settleOne, type Ended } from '../support/store-writes.ts';
import { nextTimer } from '../support/timers.ts';

const CLAIM = { now: NOON, leaseMs: 1_000, limit: 10 } as const;

const settlement = (state: DeliveryState, more: Partial<Ended> = {}): Ended => ({
  attempt: {
    deliveryId: 'd',
    number: 1,
    at: NOON,
    ms: 1,
    ok: state === 'sent',
    next: state,
    reason: null,
    error: null,
    answer: null,
    status: null,
  },
  state,
  due: NOON,
  lastReason: null,
  lastError: null,
  counters: NO_RETRIES,
  ...more,
});

const question: NewQuestion = {
  id: 'q1',
  notificationId: 'ntf_0001',
  sessionKey: 'box/dev/generic/session-1',
  kind: 'permission',
  subject: { tool: 'Bash' },
  inputHash: 'h',
  nonce: 'n',
  deadline: NOON + 1_000,
};

/** `open` opens the same empty store each time it is called in a test, each opener with a name of its own. */
export function testSharedStore(name: string, opener: () => (owner: string) => Promise<Store>): void {
  describe(`two openers: ${name}`, () => {
    const both = async (): Promise<[Store, Store]> => {
      const open = opener();
      return [await open('elsewhere:1:1'), await open('elsewhere:2:2')];
    };

    test('a delivery and a timer are claimed by one of them', async () => {
      const [one, two] = await both();
      for (let i = 0; i < 20; i++) {
        await one.addDelivery(madeDelivery({ id: `d${i}`, threadKey: `t${i}` }));
        await one.setTimer({ id: `t${i}`, kind: 'hold', due: NOON, data: {} }, NOON);
      }
      for (const claim of [
        async (store: Store) => (await store.claim('team', { ...CLAIM, limit: 3 })).map(({ id }) => id),
        async (store: Store) => (await store.claimTimers({ ...CLAIM, limit: 3 })).timers.map(({ id }) => id),
      ]) {
        const claimed = await Promise.all([one, two, one, two, one, two, one, two].map(claim));
        expect(claimed.flat()).toHaveLength(20);
        expect(new Set(claimed.flat()).size).toBe(20);
      }
    });

    test('an entry is kept once, whoever hands it in, and decided once, whoever is faster', async () => {
      const [one, two] = await both();
      const appended = await Promise.all([one, two].map((store) => store.append(madeEntry({ id: 'e' }))));
      expect(appended.sort()).toEqual(['known', 'new']);
      for (const store of [one, two])
        expect((await store.pendingEntries(10)).entries.map(({ id }) => id)).toEqual(['e']);
      const decision = madeDecision({ entryId: 'e', events: [] });
      const committed = await Promise.all([one, two].map((store) => commitOne(store, decision)));
      expect(committed.sort()).toEqual(['already', 'written']);
      for (const store of [one, two]) expect((await store.pendingEntries(10)).entries).toEqual([]);
    });

    test('a lease that ran out goes to the other, and its token counts no more', async () => {
      const [one, two] = await both();
      await one.addDelivery(madeDelivery({ id: 'd' }));
      await one.setTimer({ id: 't', kind: 'hold', due: NOON, data: {} }, NOON);
      const [stale] = await one.claim('team', CLAIM);
      const [timer] = (await one.claimTimers(CLAIM)).timers;
      const later = { ...CLAIM, now: NOON + 1_000 };
      const [fresh] = await two.claim('team', later);
      const [again] = (await two.claimTimers(later)).timers;
      expect([fresh?.id, fresh?.owner, again?.id]).toEqual(['d', 'elsewhere:2:2', 't']);
      expect(await settleOne(one, 'd', stale?.token ?? '', settlement('dead'))).toBe(false);
      expect(await one.release([{ id: 'd', token: stale?.token ?? '' }], NOON)).toBe(0);
      expect(await one.settleTimer('t', timer?.token ?? '', null, NOON)).toBe(false);
      expect(await one.attempts('d')).toEqual([]);
      expect(await settleOne(two, 'd', fresh?.token ?? '', settlement('sent'))).toBe(true);
      expect(await settleOne(two, 'd', fresh?.token ?? '', settlement('dead'))).toBe(false);
      expect(await two.settleTimer('t', again?.token ?? '', null, NOON)).toBe(true);
      expect(await one.deliveries({})).toMatchObject([{ state: 'sent', owner: null, token: null }]);
      expect(await nextTimer(one)).toBeNull();
    });

    test('a claim of timers says when there is another: it is due then, or its lease ends', async () => {
      const [one, two] = await both();
      for (const [id, due] of [
        ['a', NOON],
        ['b', NOON],
        ['c', NOON + 5_000],
      ] as const)
        await one.setTimer({ id, kind: 'hold', due, data: {} }, NOON);
      const claim = async (store: Store, more: Partial<Parameters<Store['claimTimers']>[0]> = {}) => {
        const { timers, next } = await store.claimTimers({ ...CLAIM, ...more });
        return [timers.map(({ id }) => id).join(' '), next];
      };
      expect(await claim(one, { limit: 1 })).toEqual(['a', NOON]); // b is due
      expect(await claim(two)).toEqual(['b', NOON + 1_000]);
      expect(await claim(two)).toEqual(['', NOON + 1_000]);
      // What one of them still handles: by the other's clock its lease is over, and for itself it is in work all the same.
      const later = { now: NOON + 1_000 };
      expect(await claim(one, { ...later, except: ['a', 'b'] })).toEqual(['', NOON + 5_000]);
      expect(await claim(two, later)).toEqual(['a b', NOON + 5_000]);
      // Set again while it is handled, it is another one.
      await one.setTimer({ id: 'a', kind: 'hold', due: NOON + 1_500, data: {} }, NOON);
      expect(await claim(one, later)).toEqual(['', NOON + 1_500]);
    });

    test('what another takes back, claims or pauses while a claim is under way is not claimed; what else is due is', async () => {
      const [one, two] = await both();
      for (const id of ['d1', 'd2', 'd3']) await one.addDelivery(madeDelivery({ id, threadKey: id }));
      const cancelling = two.transition({ ids: ['d1'], from: ['pending'] }, 'cancelled', NOON);
      const [, claimed] = await Promise.all([cancelling, one.claim('team', { ...CLAIM, limit: 2 })]);
      expect(claimed.map(({ id }) => id)).toEqual(['d2']);
      const later = { ...CLAIM, now: NOON + CLAIM.leaseMs, limit: 1 };
      const found = await Promise.all([two.claim('team', later), one.claim('team', later)]);
      expect(found.map((leased) => leased.map(({ id }) => id))).toEqual([['d2'], ['d3']]);
      await one.release(found.flat(), NOON);
      const pausing = two.transition({ channel: 'team', from: ['pending'] }, 'paused', NOON);
      expect(await Promise.all([pausing, one.claim('team', later)])).toEqual([2, []]);
    });

    test('what was claimed and not tried is given back at once', async () => {
      const [one, two] = await both();
      await one.addDelivery(madeDelivery({ id: 'd' }));
      expect(await one.release(await one.claim('team', CLAIM), NOON)).toBe(1);
      expect(await two.claim('team', CLAIM)).toMatchObject([{ id: 'd', attempts: 0 }]);
    });

    test('of two decisions over the same session one is written, whoever is faster; the other reads again', async () => {
      const [one, two] = await both();
      await keepSession(one, madeSession());
      const read = await two.session(SESSION);
      const decide = (entryId: string, state: 'working' | 'waiting') =>
        madeDecision({
          entryId,
          events: [],
          deliveries: [madeDelivery({ id: `d-${entryId}` })],
          sessions: [{ ...madeSession(), ...read, state }],
        });
      const results = await Promise.all([
        commitOne(one, decide('entry-a', 'working')),
        commitOne(two, decide('entry-b', 'waiting')),
      ]);
      expect([...results].sort()).toEqual(['conflict', 'written']);
      expect(await one.deliveries({})).toHaveLength(1);
      expect(await one.session(SESSION)).toMatchObject({ version: 2 });
      const loser = results[0] === 'conflict' ? one : two;
      const entryId = results[0] === 'conflict' ? 'entry-a' : 'entry-b';
      const again = madeDecision({ entryId, events: [], sessions: [{ ...madeSession(), version: 2 }] });
      expect(await commitOne(loser, again)).toBe('written');
      expect(await commitOne(loser, again)).toBe('already');
    });

    test('a notification is written over the version it was read at, acknowledged once, and expires', async () => {
      const [one, two] = await both();
      const put = (entryId: string, version: number) =>
        madeDecision({ entryId, events: [], notifications: [madeNotification({ version })] });
      expect(await commitOne(one, put('a', 0))).toBe('written');
      expect(await commitOne(two, put('b', 0))).toBe('conflict');
      expect(await commitOne(two, put('b', 1))).toBe('written');
      const by = { by: 'ann', via: 'team' };
      const acknowledged = madeNotification({
        version: 2,
        state: 'acknowledged',
        acknowledged: { ...by, at: NOON + 5 },
      });
      const taken = await Promise.all(
        [one, two].map((store, i) =>
          commitOne(store, madeDecision({ entryId: `ack-${i}`, events: [], notifications: [acknowledged] })),
        ),
      );
      expect(taken.sort()).toEqual(['conflict', 'written']);
      expect(await one.notification('ntf_0001')).toMatchObject({ version: 3, acknowledged: { ...by, at: NOON + 5 } });
      expect(await one.notification('none')).toBeNull();
      expect(await commitOne(one, put('c', 2))).toBe('conflict');
      expect(await two.expireNotifications(NOON + 1)).toBe(0);
      expect(await two.expireNotifications(NOON + 24 * 3_600_000)).toBe(1);
      expect(await one.notifications({ states: ['expired'], threadKey: 'box/dev/generic/session-1' })).toHaveLength(1);
      expect((await one.counts()).notifications).toEqual({ open: 0, acknowledged: 0, resolved: 0, expired: 1 });
    });

    test('of two answers the first counts, and only one that knows the nonce and the input, in time', async () => {
      const [one, two] = await both();
      expect(await one.putQuestion(question)).toBe('new');
      expect(await two.putQuestion(question)).toBe('known');
      const answer = { id: 'q1', nonce: 'n', inputHash: 'h', answer: { allow: true }, now: NOON };
      expect(await two.answerQuestion({ ...answer, nonce: 'guessed', by: 'x' })).toBe('unknown');
      expect(await two.answerQuestion({ ...answer, id: 'none', by: 'x' })).toBe('unknown');
      expect(await two.answerQuestion({ ...answer, inputHash: 'other', by: 'x' })).toBe('closed');
      expect(await two.answerQuestion({ ...answer, now: NOON + 1_000, by: 'x' })).toBe('closed');
      const results = await Promise.all([
        one.answerQuestion({ ...answer, by: 'ann' }),
        two.answerQuestion({ ...answer, answer: { allow: false }, by: 'bob' }),
      ]);
      const [winner] = await one.questions({ states: ['open'] });
      expect(results).toContain('answered');
      expect(results).toContainEqual({ conflict: winner?.answeredBy });
      expect(winner).toMatchObject({ version: 2, answer: { allow: winner?.answeredBy === 'ann' } });
      // The answer is on its way: nothing closes the question, and its notification may still be found.
      expect(await one.closeQuestion('q1', 'its session ended')).toBe(false);
      expect(await one.tieQuestion('q1', 'ntf_0002')).toBe(true);
      const by = winner?.answeredBy ?? '';
      expect(await two.settleAnswer({ id: 'q1', nonce: 'n', by, why: null })).toBe(true);
      expect(await two.question('q1')).toMatchObject({ state: 'answered', answeredBy: by, closed: null });
      expect(await one.answerQuestion({ ...answer, by: 'cid' })).toEqual({ conflict: by });
      expect(await one.closeQuestion('q1', 'its session ended')).toBe(false);
      expect(await one.tieQuestion('q1', 'ntf_0003')).toBe(false);
      await one.putQuestion({ ...question, id: 'q2' });
      expect(await two.tieQuestion('q2', 'ntf_0002')).toBe(true);
      expect(await one.question('q2')).toMatchObject({ notificationId: 'ntf_0002', version: 2, state: 'open' });
      expect((await one.counts()).openQuestions).toBe(1);
      expect(await two.changeQuestion('q2', { inputHash: 'h2', subject: { tool: 'Edit' } })).toBe(true);
      expect(await one.question('q2')).toMatchObject({ inputHash: 'h2', subject: { tool: 'Edit' }, version: 3 });
      expect(await one.answerQuestion({ ...answer, id: 'q2', by: 'ann' })).toBe('closed'); // to what it asked before
      expect(await one.changeQuestion('q1', { inputHash: 'h2', subject: {} })).toBe(false);
      expect(await two.closeQuestion('q2', 'its session ended')).toBe(true);
      expect(await one.question('q2')).toMatchObject({ state: 'closed', closed: 'its session ended' });
      expect(await one.answerQuestion({ ...answer, id: 'q2', by: 'ann' })).toBe('closed');
    });

    test('an answer that did not reach the agent is settled as such, by whoever gave it and once; who tried is kept', async () => {
      const [one, two] = await both();
      await one.putQuestion(question);
      const answer = { id: 'q1', nonce: 'n', inputHash: 'h', answer: { by: 'ann' }, now: NOON, by: 'ann' };
      const back = { id: 'q1', nonce: 'n', by: 'ann', why: 'the agent no longer waits' };
      expect(await one.settleAnswer(back)).toBe(false); // there is none yet
      expect(await one.answerQuestion(answer)).toBe('answered');
      const start = (await two.changesSince(0, 100)).last;
      for (const others of [{ by: 'bob' }, { nonce: 'guessed' }, { id: 'none' }])
        expect(await two.settleAnswer({ ...back, ...others })).toBe(false);
      expect(await one.question('q1')).toMatchObject({ state: 'open', answeredBy: 'ann', version: 2 });
      const taken = await Promise.all([one.settleAnswer(back), two.settleAnswer(back)]);
      expect(taken.filter(Boolean)).toHaveLength(1);
      const { changes } = await two.changesSince(start, 100);
      expect(changes.map(({ type, id }) => `${type} ${id}`)).toEqual(['question q1']);
      expect(await two.question('q1')).toMatchObject({
        state: 'closed',
        closed: 'the agent no longer waits',
        answeredBy: null,
        answer: { by: 'ann' },
        version: 3,
      });
      expect(await two.questions({ states: ['answered'] })).toEqual([]);
      expect(await one.answerQuestion(answer)).toBe('closed');
    });

    test('what one changes the other can follow', async () => {
      const [one, two] = await both();
      let called = 0;
      const stop = one.watchChanges(() => called++);
      const start = (await two.changesSince(0, 100)).last;
      await commitOne(
        one,
        madeDecision({
          deliveries: [madeDelivery()],
          notifications: [madeNotification()],
          sessions: [madeSession()],
        }),
      );
      const { changes, reset, last } = await two.changesSince(start, 100);
      expect(changes.map(({ type, id }) => `${type} ${id}`).sort()).toEqual([
        'delivery delivery-0001',
        'event event-0001',
        'notification ntf_0001',
        'session box/dev/generic/session-1',
      ]);
      expect([reset, called]).toEqual([false, 1]);
      expect(await two.changesSince(last, 100)).toEqual({ changes: [], reset: false, last });
      expect((await two.changesSince(last + 5, 100)).reset).toBe(true);
      stop();
      await one.putQuestion(question);
      expect(called).toBe(1);
      const kept = one.now() + CHANGES_KEPT + 1;
      await one.prune({ now: kept, maxAgeMs: 1e12, maxBytes: 1e12, rawAgeMs: 1e12, deadAgeMs: 1e12 });
      expect(await two.changesSince(start, 100)).toMatchObject({ changes: [], reset: true, last: last + 1 });
      expect((await two.changesSince(last + 1, 100)).reset).toBe(false);
    });
  });

  describe(`notifications on their way: ${name}`, () => {
    const alone = (): Promise<Store> => opener()('elsewhere:1:1');
    const settleAll = async (store: Store, state: 'sent'): Promise<void> => {
      for (const { id, token } of await store.deliveries({ states: ['leased'] }))
        await settleOne(store, id, token ?? '', settlement(state));
    };
    const states = async (store: Store) => (await store.deliveries({})).map(({ id, state }) => `${id} ${state}`).sort();

    test('a claim may be for changes only', async () => {
      const store = await alone();
      await store.addDelivery(madeDelivery({ id: 'sent', notificationId: 'ntf_sent' }));
      await store.addDelivery(madeDelivery({ id: 'other', threadKey: 'other', operation: 'update' }));
      expect((await store.claim('team', { ...CLAIM, only: 'changes' })).map(({ id }) => id)).toEqual(['other']);
      expect((await store.claim('team', CLAIM)).map(({ id }) => id)).toEqual(['sent']);
    });

    test('a claimed delivery says whether its channel has anything else to do, whatever is held or of other channels', async () => {
      const store = await alone();
      const isLast = async (now = NOON): Promise<readonly boolean[]> =>
        (await store.claim('team', { ...CLAIM, now })).map((claimed) => claimed.isLast);
      await store.addDelivery(madeDelivery({ id: 'held', scheduled: true, heldBy: 'quiet' }));
      await store.addDelivery(madeDelivery({ id: 'elsewhere', channel: 'desk' }));
      await store.addDelivery(madeDelivery({ id: 'd1' }));
      expect(await isLast()).toEqual([true]);
      await store.addDelivery(madeDelivery({ id: 'd2', threadKey: 'other' }));
      expect(await isLast()).toEqual([false]); // d1 is on its way
      await settleAll(store, 'sent');
      await store.addDelivery(madeDelivery({ id: 'd3' }));
      await store.addDelivery(madeDelivery({ id: 'd4' }));
      expect(await isLast()).toEqual([false]); // d4 is behind it
      await settleAll(store, 'sent');
      await store.addDelivery(madeDelivery({ id: 'later', scheduled: true, due: NOON + 50 }));
      expect(await isLast(NOON + 1)).toEqual([false]); // d4; one is due later
      await settleAll(store, 'sent');
      expect(await isLast(NOON + 50)).toEqual([true]);
    });

    test('a scheduled delivery holds up nothing, and takes its place in the line when it is due', async () => {
      const store = await alone();
      await store.addDelivery(madeDelivery({ id: 'later', scheduled: true, due: NOON + 50 }));
      await store.addDelivery(madeDelivery({ id: 'first' }));
      expect(await store.nextDue('team')).toBe(NOON);
      const [first] = await store.claim('team', CLAIM);
      expect(first?.id).toBe('first');
      expect(await store.transition({ channel: 'team', from: ['pending'] }, 'paused', NOON)).toBe(0);
      await store.addDelivery(madeDelivery({ id: 'second' }));
      await settleOne(store, 'first', first?.token ?? '', settlement('sent'));
      const [second] = await store.claim('team', { ...CLAIM, now: NOON + 50 });
      expect(second?.id).toBe('second');
      expect(await store.deliveries({ ids: ['later'] })).toMatchObject([{ scheduled: false, state: 'pending' }]);
      await settleOne(store, 'second', second?.token ?? '', settlement('sent'));
      expect(await store.nextDue('team')).toBe(NOON + 50);
      expect(await store.claim('team', { ...CLAIM, now: NOON + 50 })).toMatchObject([{ id: 'later' }]);
    });

    test('one that becomes due while its channel is paused waits with the others', async () => {
      const store = await alone();
      await store.addDelivery(madeDelivery({ id: 'later', scheduled: true, due: NOON + 50 }));
      expect(await store.transition({ channel: 'team', from: ['pending'] }, 'paused', NOON + 50)).toBe(1);
      expect(await store.claimPaused('team', NOON + 50, { now: NOON + 50, leaseMs: 1 })).toMatchObject({ id: 'later' });
    });

    test.each([
      ['resolved', undefined, ['acknowledged cancelled', 'none pending', 'resolved cancelled']],
      ['acknowledged', undefined, ['acknowledged cancelled', 'none pending', 'resolved pending']],
      ['superseded', undefined, ['acknowledged superseded', 'none superseded', 'resolved superseded']],
      ['resolved', ['desk'], ['acknowledged pending', 'none pending', 'resolved pending']],
    ] as const)('%s takes back what its deliveries allow (channels: %s)', async (because, channels, expected) => {
      const store = await alone();
      for (const unless of ['resolved', 'acknowledged', 'none'] as const)
        await store.addDelivery(madeDelivery({ id: unless, unless, scheduled: unless === 'resolved', due: NOON + 9 }));
      await store.addDelivery(madeDelivery({ id: 'other', notificationId: 'ntf_other', unless: 'resolved' }));
      const cancel = [{ notificationId: 'ntf_0001', because, ...(channels ? { channels } : {}) }];
      await commitOne(store, madeDecision({ events: [], cancel }));
      expect(await states(store)).toEqual([...expected, 'other pending'].sort());
    });

    test('what is in flight is not taken back; an acknowledgement takes back in its own transaction', async () => {
      const store = await alone();
      await commitOne(store, madeDecision({ events: [], notifications: [madeNotification()] }));
      await store.addDelivery(madeDelivery({ id: 'flying', unless: 'acknowledged' }));
      await store.claim('team', CLAIM);
      await store.addDelivery(madeDelivery({ id: 'waiting', unless: 'acknowledged' }));
      const acknowledged = { by: 'ann', via: 'cli', at: NOON };
      const notifications = [madeNotification({ version: 1, state: 'acknowledged', acknowledged })];
      const cancel = [{ notificationId: 'ntf_0001', because: 'acknowledged' as const }];
      await commitOne(store, madeDecision({ entryId: 'ack', events: [], notifications, cancel }));
      expect(await states(store)).toEqual(['flying leased', 'waiting cancelled']);
    });

    const changes: readonly [string, Partial<Delivery>, string][] = [
      ['sent', { state: 'sent' }, 'd sent, u pending'],
      ['in flight', { state: 'leased', token: 't' }, 'd leased, u pending'],
      ['kept, though its notification is over', { unless: 'none' }, 'd pending, u pending'],
      ['taken back with this decision', { unless: 'resolved' }, 'd cancelled'],
      [
        'planned for later, and stays so',
        { unless: 'none', scheduled: true, due: NOON + 60_000 },
        'd pending, u pending',
      ],
      ['held', { unless: 'none', scheduled: true, heldBy: 'group:x', due: NOON + 60_000 }, 'd pending'],
      ['given up', { state: 'dead' }, 'd dead'],
      ['of another channel', { state: 'sent', channel: 'desk' }, 'd sent'],
    ];
    test.each(changes)('a decided change of a send that is %s', async (_name, more, expected) => {
      const store = await alone();
      await store.addDelivery(madeDelivery({ id: 'd', ...more }));
      const cancel = [{ notificationId: 'ntf_0001', because: 'resolved' as const }];
      const deliveries = [madeDelivery({ id: 'u', operation: 'update', revision: 2 })];
      await commitOne(store, madeDecision({ events: [], cancel, deliveries }));
      expect((await states(store)).join(', ')).toBe(expected);
      const progress = await store.deliveryProgress(['ntf_0001', 'ntf_none']);
      expect(progress.map(({ operation, state }) => `${operation} ${state}`)).toEqual(
        expected.split(', ').map((row) => row.replace(/^d/, 'send').replace(/^u/, 'update')),
      );
    });

    test('the receipt of a thread is that of its latest send on the channel, of whatever notification', async () => {
      const store = await alone();
      const send = async (id: string, threadKey: string, channel: string, receipt: unknown) => {
        const notification = madeNotification({ id: `ntf_${id}`, threadKey });
        await commitOne(store, madeDecision({ entryId: id, events: [], notifications: [notification] }));
        await store.addDelivery(madeDelivery({ id, notificationId: `ntf_${id}`, threadKey, channel }));
        const [sent] = await store.claim(channel, CLAIM);
        await settleOne(store, id, sent?.token ?? '', settlement('sent', { receipt }));
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
      const store = await alone();
      const message = { notificationId: 'ntf_0001', channel: 'team', step: 0 };
      await store.addDelivery(madeDelivery({ id: 'd' }));
      expect(await store.latestReceipt(message)).toBeNull();
      const [sent] = await store.claim('team', CLAIM);
      await settleOne(store, 'd', sent?.token ?? '', settlement('sent', { receipt: { ts: '1' } }));
      for (const revision of [2, 3])
        await store.addDelivery(madeDelivery({ id: `u${revision}`, operation: 'update', revision }));
      expect(await states(store)).toEqual(['d sent', 'u2 superseded', 'u3 pending']);
      expect(await store.latestReceipt(message)).toEqual({ ts: '1' });
      const [update] = await store.claim('team', CLAIM);
      await settleOne(store, 'u3', update?.token ?? '', settlement('sent', { receipt: 'two' }));
      expect(await store.latestReceipt(message)).toBe('two');
      expect(await store.latestReceipt({ ...message, channel: 'desk' })).toBeNull();
      await store.addDelivery(madeDelivery({ id: 'u4', operation: 'update', revision: 4 }));
      await store.addDelivery(madeDelivery({ id: 'r', operation: 'retract', revision: 4 }));
      expect(await states(store)).toEqual(['d sent', 'r pending', 'u2 superseded', 'u3 sent', 'u4 superseded']);
    });

    test('a channel was sent what is open, where a send of it went out through that channel and it is not over', async () => {
      const store = await alone();
      const states = ['open', 'resolved', 'expired', 'acknowledged', 'open', 'open'] as const;
      const notifications = states.map((state, n) => madeNotification({ id: `ntf_${n}`, state }));
      await commitOne(store, madeDecision({ events: [], notifications }));
      const add = (n: number, more: Partial<Delivery>): Promise<void> =>
        store.addDelivery(madeDelivery({ id: `d${n}`, notificationId: `ntf_${n}`, state: 'sent', ...more }));
      await add(0, { channel: 'desk' });
      for (const n of [1, 2, 3]) await add(n, {});
      await add(4, { state: 'pending' });
      await add(5, { operation: 'retract' });
      expect(await Promise.all([store.sentOpen('team'), store.sentOpen('desk')])).toEqual([false, true]);
      const [sent] = await store.claim('team', CLAIM);
      await settleOne(store, 'd4', sent?.token ?? '', settlement('sent'));
      expect(await store.sentOpen('team')).toBe(true);
    });

    test('a reminder is a message of its own: its receipt, its changes', async () => {
      const store = await alone();
      for (const step of [0, 1]) {
        await store.addDelivery(madeDelivery({ id: `d${step}`, step }));
        const [sent] = await store.claim('team', CLAIM);
        await settleOne(store, `d${step}`, sent?.token ?? '', settlement('sent', { receipt: step }));
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
