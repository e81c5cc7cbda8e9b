// The suite every store engine must pass.
import { describe, expect, test } from 'vitest';
import { type Delivery, type DeliveryState, NO_RETRIES } from '../../src/model/delivery/delivery.ts';
import { ATTEMPTS_KEPT, type Store } from '../../src/store/contract.ts';
import { madeDecision, madeDelivery, madeEntry, madeEvent, madeSession, NOON, SESSION } from '../support/made.ts';
import { settleAnyhow } from '../support/settle.ts';
import { commitOne, keepSession } from '../support/store-writes.ts';
import { factsOf } from '../support/facts.ts';
import { nextTimer, timersDue } from '../support/timers.ts';

const HOSTILE = [
  'plain',
  'a\0b',
  '\u0001x',
  'lone \ud800 surrogate',
  '\udc00',
  "'; DROP TABLE events; --",
  '',
  '🙂 עברית',
];

/** `open` gives an empty store that the test's end disposes of. */
export function testStore(name: string, open: () => Promise<Store>): void {
  describe(`store: ${name}`, () => {
    test('journals an entry once, in order of startedAt, until it is decided', async () => {
      const store = await open();
      const late = madeEntry({ id: 'late', startedAt: NOON + 5 });
      const early = madeEntry({ id: 'early', startedAt: NOON + 1, raw: null });
      expect(await Promise.all([late, early, late].map((e) => store.append(e)))).toEqual(['new', 'new', 'known']);
      expect(await store.append(early)).toBe('known');
      const { entries: waiting } = await store.pendingEntries(10);
      expect(waiting).toEqual([early, late]);
      expect((await store.pendingEntries(1)).entries).toEqual([early]);
      expect(await commitOne(store, madeDecision({ entryId: 'early', events: [] }))).toBe('written');
      expect((await store.pendingEntries(10)).entries.map((e) => e.id)).toEqual(['late']);
      expect(await store.entry('late')).toEqual(late);
      expect(await store.entry('none')).toBeNull();
    });

    test('a decision is written once, whole, or not at all', async () => {
      const store = await open();
      await store.append(madeEntry());
      const decision = madeDecision({
        events: [
          { event: madeEvent(), fingerprint: 'f', verdicts: [{ stage: 'route', verdict: 'route', note: 'to team' }] },
        ],
        deliveries: [madeDelivery()],
        timers: { set: [{ id: 't', kind: 'hold', due: NOON + 9, data: { a: 1 } }], clear: [] },
        sessions: [madeSession()],
      });
      expect(await commitOne(store, decision)).toBe('written');
      expect(await commitOne(store, decision)).toBe('already');
      expect(await store.deliveries({})).toEqual([madeDelivery()]);
      expect(await store.events({})).toHaveLength(1);
      expect(await store.session(SESSION)).toEqual(madeSession({ version: 1 }));
      expect(await timersDue(store, NOON + 9, 5)).toEqual([{ id: 't', kind: 'hold', due: NOON + 9, data: { a: 1 } }]);
      // The second event is broken, so nothing of this decision may stay.
      await store.append(madeEntry({ id: 'event-0002' }));
      const broken = { ...madeEvent({ id: 'event-0003' }), at: null as unknown as number };
      await expect(
        commitOne(
          store,
          madeDecision({
            entryId: 'event-0002',
            deliveries: [madeDelivery({ id: 'never' })],
            events: [
              { event: madeEvent({ id: 'event-0002' }), fingerprint: null, verdicts: [] },
              { event: broken, fingerprint: null, verdicts: [] },
            ],
          }),
        ),
      ).rejects.toThrow();
      expect((await store.pendingEntries(5)).entries.map((e) => e.id)).toEqual(['event-0002']);
      expect(await store.event('event-0002')).toBeNull();
    });

    test("a timer's decision counts once and adds its verdicts to the event written before", async () => {
      const store = await open();
      await commitOne(
        store,
        madeDecision({ events: [{ event: madeEvent(), fingerprint: 'f', verdicts: [verdict('hold')] }] }),
      );
      const again = madeDecision({
        entryId: 'timer:hold:1',
        events: [{ event: madeEvent({ urgency: 'low' }), fingerprint: null, verdicts: [verdict('route')] }],
        timers: { set: [], clear: ['t'] },
      });
      await store.setTimer({ id: 't', kind: 'hold', due: 1, data: {} }, NOON);
      expect(await commitOne(store, again)).toBe('written');
      expect(await commitOne(store, again)).toBe('already');
      const notified = await store.event('event-0001');
      expect(notified?.verdicts.map((v) => v.stage)).toEqual(['hold', 'route']);
      expect(notified?.event.urgency).toBe('low');
      expect(notified?.fingerprint).toBe('f');
      expect(await nextTimer(store)).toBeNull();
    });

    test('finds the latest event of a fingerprint within a time', async () => {
      const store = await open();
      for (const [id, at] of [
        ['one', 10],
        ['two', 20],
        ['other', 30],
      ] as const)
        await commitOne(
          store,
          madeDecision({
            entryId: id,
            events: [{ event: madeEvent({ id, at }), fingerprint: id === 'other' ? 'g' : 'f\0', verdicts: [] }],
          }),
        );
      expect((await factsOf(store, { same: { fingerprint: 'f\0', since: 10 } })).same?.id).toBe('two');
      expect((await factsOf(store, { same: { fingerprint: 'f\0', since: 21 } })).same).toBeNull();
    });

    test('lists events by filter, oldest first, and lets a follower go on', async () => {
      const store = await open();
      for (let i = 0; i < 6; i++)
        await commitOne(
          store,
          madeDecision({
            entryId: `e${i}`,
            events: [
              {
                event: madeEvent({
                  id: `e${i}`,
                  at: i,
                  kind: i % 2 ? 'test' : 'agent.finished',
                  sessionId: i < 3 ? 'a' : null,
                }),
                fingerprint: null,
                verdicts: [],
              },
            ],
            deliveries: [madeDelivery({ id: `d${i}`, eventId: `e${i}`, state: i === 4 ? 'dead' : 'sent' })],
          }),
        );
      const ids = async (filter: Parameters<Store['events']>[0]) => (await store.events(filter)).map((e) => e.event.id);
      expect(await ids({})).toEqual(['e0', 'e1', 'e2', 'e3', 'e4', 'e5']);
      expect(await ids({ limit: 2 })).toEqual(['e4', 'e5']);
      expect(await ids({ since: 4 })).toEqual(['e4', 'e5']);
      expect(await ids({ kinds: ['test'], session: 'a' })).toEqual(['e1']);
      expect(await ids({ failed: true })).toEqual(['e4']);
      const row = (await store.event('e2'))?.row ?? 0;
      expect(await store.lastEventRow()).toBe((await store.event('e5'))?.row);
      expect(await ids({ afterRow: row, limit: 2 })).toEqual(['e3', 'e4']);
      expect(await ids({ until: 2 })).toEqual(['e0', 'e1', 'e2']);
      expect(await ids({ agents: ['generic'], urgencies: ['normal'], limit: 1 })).toEqual(['e5']);
      expect(await ids({ agents: ['claude', 'codex'] })).toEqual([]);
      expect(await ids({ exceptAgent: 'generic' })).toEqual([]);
      expect(await ids({ exceptAgent: 'codex', since: 4 })).toEqual(['e4', 'e5']);
      expect(await ids({ text: 'EVENT":"sto' })).toEqual([]); // text is text, not JSON
      expect(await ids({ text: 'PAYMENTS' })).toHaveLength(6);
      expect(await ids({ text: 'p_yments' })).toEqual([]);
      expect(await ids({ before: { at: 3, row }, limit: 2 })).toEqual(['e1', 'e2']);
      expect((await store.deliveries({ beforeId: 'd3', limit: 2 })).map((d) => d.id)).toEqual(['d1', 'd2']);
      expect((await store.deliveries({ kinds: ['test'] })).map((d) => d.id)).toEqual(['d1', 'd3', 'd5']);
      expect((await store.deliveries({ session: 'a', states: ['sent'], limit: 1 })).map((d) => d.id)).toEqual(['d2']);
    });

    test('finds events by their ids, and by the beginning of one', async () => {
      const store = await open();
      for (const id of ['0197-aaaa-1', '0197-aaaa-2', '0198-bbbb-1', "0198'--"])
        await commitOne(
          store,
          madeDecision({ entryId: id, events: [{ event: madeEvent({ id }), fingerprint: null, verdicts: [] }] }),
        );
      const ids = async (prefix: string, limit: number) => (await store.beginning(prefix, limit)).map(({ id }) => id);
      expect(await ids('0197-aaaa', 2)).toEqual(['0197-aaaa-1', '0197-aaaa-2']);
      expect(await ids('0197', 1)).toHaveLength(1);
      expect(await ids('0198-bbbb-1', 2)).toEqual(['0198-bbbb-1']);
      expect(await ids('%', 2)).toEqual([]);
      const found = await store.eventsById(["0198'--", '0197-aaaa-1', 'none']);
      expect([...found].sort()).toEqual(['0197-aaaa-1', "0198'--"].map((id) => [id, madeEvent({ id })]));
      expect((await store.eventsById([])).size).toBe(0);
      await store.addDelivery(madeDelivery({ id: '0197-aaaa-3' }));
      await keepSession(store, madeSession({ sessionId: '0197-aaaa-4' }));
      await keepSession(store, madeSession({ sessionId: '0197-aaaa-4', agent: 'claude' }));
      expect((await store.beginning('0197-aaaa', 9)).map(({ what, id }) => `${what} ${id}`)).toEqual([
        'event 0197-aaaa-1',
        'event 0197-aaaa-2',
        'delivery 0197-aaaa-3',
        'session 0197-aaaa-4',
      ]);
    });

    test('claims the first unfinished delivery of each session only, and nobody else can', async () => {
      const store = await open();
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
      await settleAnyhow(store, 'a1', settlement('sent', NOON));
      expect(await claimed(store, NOON + 10)).toEqual(['a2']);
      // b1's lease runs out: whoever held it is gone.
      expect(await claimed(store, NOON + 1_000)).toEqual(['a2', 'b1', 'c1'].sort());
      expect(await store.nextDue('nobody')).toBeNull();
    });

    test('a retry keeps its place: the next one of its session waits', async () => {
      const store = await open();
      await store.addDelivery(madeDelivery({ id: 'a1', threadKey: 'a' }));
      await store.addDelivery(madeDelivery({ id: 'a2', threadKey: 'a' }));
      expect(await claimed(store, NOON)).toEqual(['a1']);
      await settleAnyhow(store, 'a1', {
        ...settlement('pending', NOON + 5_000),
        lastReason: 'server',
        lastError: '500',
      });
      expect(await claimed(store, NOON + 4_999)).toEqual([]);
      expect(await store.nextDue('team')).toBe(NOON + 5_000);
      expect(await claimed(store, NOON + 5_000)).toEqual(['a1']);
      const [first] = await store.deliveries({});
      expect(first).toMatchObject({ id: 'a1', lastReason: 'server', lastError: '500', attempts: 1, state: 'leased' });
      expect(await store.attempts('a1')).toEqual([settlement('pending', 0).attempt]);
    });

    test('what is put off leaves its line, holds up nothing, and moves what follows the first send', async () => {
      const store = await open();
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
      const store = await open();
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
      const store = await open();
      await store.addDelivery(madeDelivery({ id: 'd1' }));
      const [first] = await store.claim('team', { now: NOON, leaseMs: 1_000, limit: 1 });
      const timer = { id: 'digest:quiet', kind: 'digest', due: NOON + 9_000, data: {} };
      const to = { due: NOON + 9_000, heldBy: 'quiet', note: 'quiet', timer, now: NOON, shiftLater: 0 };
      expect(await store.postpone('d1', first?.token ?? '', to)).toBe(true);
      expect((await store.claim('team', { now: NOON + 9_000, leaseMs: 1_000, limit: 9 })).length).toBe(0);
      expect((await store.deliveries({ heldBy: 'quiet' })).map(({ id }) => id)).toEqual(['d1']);
      expect(await nextTimer(store)).toBe(NOON + 9_000);
    });

    test('keeps the latest attempts and the counters; what was dead begins to count again', async () => {
      const store = await open();
      const counted = { failures: 3, deferrals: 40, unknowns: 1 };
      await store.addDelivery(madeDelivery({ id: 'a1', failures: 2 }));
      expect(await store.deliveries({})).toMatchObject([{ failures: 2, deferrals: 0, unknowns: 0 }]);
      for (let number = 1; number <= ATTEMPTS_KEPT + 5; number++) {
        await store.claim('team', { now: NOON, leaseMs: 500, limit: 1 });
        const { attempt, ...rest } = settlement('pending', NOON);
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

    test('moves between states and keeps the order of each line', async () => {
      const store = await open();
      for (const id of ['a1', 'a2', 'a3'])
        await store.addDelivery(madeDelivery({ id, threadKey: 'a', createdAt: NOON }));
      expect(await store.transition({ channel: 'team', from: ['pending'] }, 'paused', NOON)).toBe(3);
      expect(await claimed(store, NOON)).toEqual([]);
      expect(await store.nextDue('team')).toBeNull();
      expect(await store.claimPaused('team', NOON - 1, { now: NOON, leaseMs: 1_000 })).toBeNull();
      const probe = await store.claimPaused('team', NOON, { now: NOON, leaseMs: 1_000 });
      expect(probe).toMatchObject({ id: 'a1' });
      expect(await store.claimPaused('team', NOON, { now: NOON, leaseMs: 1_000 })).toBeNull();
      await settleAnyhow(store, 'a1', settlement('dead', NOON));
      expect(await store.transition({ channel: 'team', from: ['paused'] }, 'pending', NOON + 7)).toBe(2);
      expect(await claimed(store, NOON + 7)).toEqual(['a2']);
      await settleAnyhow(store, 'a2', settlement('sent', NOON));
      expect(await store.transition({ ids: ['a1', 'a2', 'none'], from: ['dead'] }, 'pending', NOON + 8)).toBe(1);
      expect(await claimed(store, NOON + 8)).toEqual(['a1']);
      await settleAnyhow(store, 'a1', settlement('sent', NOON));
      expect(await claimed(store, NOON + 8)).toEqual(['a3']);
      expect(await store.transition({ from: ['leased'], createdBefore: NOON }, 'dead', NOON)).toBe(0);
    });

    test('gives up what a channel has unfinished, with the reason, and finds deliveries by id', async () => {
      const store = await open();
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

    test('what a failing channel has paused for long is held together, where there is more than a little', async () => {
      const store = await open();
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

    test('a clock set back does not keep anything waiting longer than it was to wait', async () => {
      const store = await open();
      const day = 86_400_000;
      await store.addDelivery(madeDelivery({ due: NOON + 5_000 }));
      await store.setTimer({ id: 't', kind: 'hold', due: NOON + 2_000, data: {} }, NOON);
      expect(await store.compensateClock(NOON + 1)).toBe(0);
      expect(await store.compensateClock(NOON - day)).toBe(2);
      expect(await store.nextDue('team')).toBe(NOON - day + 5_000);
      expect(await nextTimer(store)).toBe(NOON - day + 2_000);
      expect(await timersDue(store, NOON - day + 2_000, 1)).toMatchObject([{ id: 't', due: NOON - day + 2_000 }]);
    });

    test('keeps timers, silences, health and cursors', async () => {
      const store = await open();
      const timer = { id: 't', kind: 'hold', due: 50, data: { n: 1 } };
      await store.setTimer(timer, NOON);
      await store.setTimer({ ...timer, due: 40 }, NOON);
      await store.setTimer({ id: 'u', kind: 'stall', due: 45, data: {} }, NOON);
      expect(await nextTimer(store)).toBe(40);
      expect((await timersDue(store, 44, 10)).map((t) => t.id)).toEqual(['t']);
      await store.clearTimer('t');
      expect(await nextTimer(store)).toBe(45);
      const silence = { id: 's', until: 100, session: 'x', cwd: null, channel: null, all: false, createdAt: 1 };
      await store.putSilence(silence);
      await store.putSilence({ ...silence, id: 'r', until: null, session: null });
      expect((await store.silences(100)).map((s) => s.id)).toEqual(['r']);
      expect(await store.removeSilences({ session: 'x' })).toBe(1);
      expect(await store.removeSilences({})).toBe(1);
      const health = {
        channel: 'team',
        state: 'failing',
        since: 1,
        faults: 5,
        reason: 'auth',
        error: 'no',
        probeAt: 9,
        pausedUntil: null,
      } as const;
      await store.setHealth(health);
      expect(await store.health()).toEqual([health]);
      expect(await store.cursor('k')).toBeNull();
      await store.setCursor('k', { page: 'x' });
      expect(await store.cursor('k')).toEqual({ page: 'x' });
      await keepSession(store, madeSession({ lastEvent: 5 }));
      expect(await store.sessions({ since: 6 })).toEqual([]);
      expect(await store.sessions({ agent: 'generic' })).toHaveLength(1);
    });

    test('finds the sessions that another one began, whatever its id', async () => {
      const store = await open();
      for (const parent of ['s-1', 's\0 \ud800'])
        for (const [index, lastEvent] of [5, 9].entries())
          await keepSession(
            store,
            madeSession({ sessionId: `${parent}-${index}`, parentSessionId: parent, lastEvent }),
          );
      await keepSession(store, madeSession({ sessionId: 's-1', lastEvent: 7 }));
      for (const parent of ['s-1', 's\0 \ud800']) {
        const idsSince = async (since: number): Promise<readonly string[]> =>
          (await store.sessions({ agent: 'generic', parent, since })).map(({ sessionId }) => sessionId);
        expect(await idsSince(0)).toEqual([`${parent}-0`, `${parent}-1`]);
        expect(await idsSince(6)).toEqual([`${parent}-1`]);
      }
      expect(await store.sessions({ parent: 'nobody' })).toEqual([]);
      // It may turn out later who began it, and that another one did.
      await keepSession(store, madeSession({ sessionId: 's-1', parentSessionId: 'late', lastEvent: 8 }));
      expect(await store.sessions({ parent: 'late' })).toHaveLength(1);
    });

    test.each(HOSTILE)('keeps any text as it is: %j', async (text) => {
      const store = await open();
      const event = madeEvent({ id: `id-${text}`, sessionId: text, message: text, attributes: { text } });
      const delivery = madeDelivery({
        id: `d-${text}`,
        eventId: event.id,
        channel: text,
        threadKey: text,
        lastError: text,
      });
      await commitOne(
        store,
        madeDecision({ events: [{ event, fingerprint: text, verdicts: [] }], deliveries: [delivery] }),
      );
      expect((await store.event(event.id))?.event).toEqual(event);
      expect((await factsOf(store, { same: { fingerprint: text, since: 0 } })).same?.id).toBe(event.id);
      expect(await store.deliveries({ channel: text, session: text })).toEqual([delivery]);
      expect((await store.claim(text, { now: NOON, leaseMs: 1, limit: 1 }))[0]?.id).toBe(delivery.id);
      await keepSession(store, madeSession({ sessionId: text }));
      expect((await store.session({ ...SESSION, sessionId: text }))?.sessionId).toBe(text);
      await store.setTimer({ id: text, kind: 'hold', due: 1, data: {} }, NOON);
      await store.clearTimer(text);
      expect(await nextTimer(store)).toBeNull();
    });

    test('prunes by age and never what is undelivered or undecided', async () => {
      const store = await open();
      const states: readonly DeliveryState[] = ['sent', 'pending', 'paused', 'dead', 'superseded', 'leased'];
      for (const [i, state] of states.entries()) {
        await store.append(madeEntry({ id: `e${i}`, receivedAt: i }));
        await commitOne(
          store,
          madeDecision({
            entryId: `e${i}`,
            events: [{ event: madeEvent({ id: `e${i}`, at: i }), fingerprint: null, verdicts: [] }],
            deliveries: [madeDelivery({ id: state, eventId: `e${i}`, state, updatedAt: i })],
          }),
        );
      }
      await store.append(madeEntry({ id: 'undecided', receivedAt: 1 }));
      await commitOne(
        store,
        madeDecision({
          entryId: 'young',
          events: [{ event: madeEvent({ id: 'young', at: 5_000 }), fingerprint: null, verdicts: [] }],
        }),
      );
      const rules = { now: 10_000, maxAgeMs: 6_000, maxBytes: 1e9, rawAgeMs: 100, deadAgeMs: 6_000 };
      expect(await store.prune(rules)).toEqual({ events: 3, raws: 6, dead: 1, excess: 0 });
      expect((await store.deliveries({})).map((d) => d.id)).toEqual(['pending', 'paused', 'leased']);
      expect((await store.events({})).map((e) => e.event.id)).toEqual(['e1', 'e2', 'e5', 'young']);
      expect((await store.pendingEntries(9)).entries.map((e) => e.raw?.byteLength)).toEqual([2]);
      expect((await store.counts()).deliveries).toMatchObject({ pending: 1, paused: 1, leased: 1, sent: 0 });
    });

    test('counts deliveries by state, and what waits by channel, whatever its name', async () => {
      const store = await open();
      const states: readonly DeliveryState[] = ['sent', 'pending', 'paused', 'dead', 'superseded', 'leased'];
      const deliveries = HOSTILE.flatMap((channel, c) =>
        states.flatMap((state, s) =>
          Array.from({ length: c + 1 }, (_, i) =>
            madeDelivery({ id: `${c}-${s}-${i}`, channel, state, threadKey: `${s}-${i}` }),
          ),
        ),
      );
      await commitOne(store, madeDecision({ deliveries }));
      const counts = await store.counts();
      expect(counts.deliveries).toEqual({
        ...Object.fromEntries(states.map((state) => [state, (8 * 9) / 2])),
        cancelled: 0,
      });
      expect([...counts.waiting].sort()).toEqual(HOSTILE.map((name, c) => [name, 3 * (c + 1)]).sort());
    });

    test('when each agent was last heard of', async () => {
      const store = await open();
      for (const [i, agent] of ['claude', 'droid', 'claude', 'a\0b'].entries())
        await keepSession(store, madeSession({ agent, sessionId: `s${i}`, lastEvent: NOON - i }));
      expect([...(await store.lastEvents())].sort()).toEqual([
        ['a\0b', NOON - 3],
        ['claude', NOON],
        ['droid', NOON - 1],
      ]);
    });

    test('prunes by size, oldest first', async () => {
      const store = await open();
      for (let i = 0; i < 400; i++)
        await commitOne(
          store,
          madeDecision({
            entryId: `e${i}`,
            events: [
              { event: madeEvent({ id: `e${i}`, at: i, message: 'x'.repeat(4_000) }), fingerprint: null, verdicts: [] },
            ],
          }),
        );
      const before = (await store.counts()).bytes;
      await store.prune({ now: 1_000, maxAgeMs: 1e9, maxBytes: before / 2, rawAgeMs: 1e9, deadAgeMs: 1e9 });
      const { bytes, events } = await store.counts();
      expect(bytes).toBeLessThanOrEqual(before / 2);
      expect(events).toBeGreaterThan(0);
      expect((await store.events({})).at(-1)?.event.id).toBe('e399');
    });
  });
}

const verdict = (stage: string) => ({ stage, verdict: 'pass' as const, note: 'on' });

const settlement = (state: DeliveryState, due: number, deliveryId = 'a1') => ({
  attempt: {
    deliveryId,
    number: 1,
    at: NOON,
    ms: 3,
    ok: state === 'sent',
    reason: null,
    error: null,
    answer: null,
    status: null,
    next: state,
  },
  state,
  due,
  lastReason: null,
  lastError: null,
  counters: NO_RETRIES,
});

async function claimed(store: Store, now: number): Promise<string[]> {
  return (await store.claim('team', { now: now, leaseMs: 500, limit: 10 })).map((d: Delivery) => d.id).sort();
}
