// Decisions: written once, whole, over what they were read from; what they need is read at once.
import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../src/model/delivery/delivery.ts';
import type { SharedStore } from '../../../src/store/contract.ts';
import { factsOf } from '../../support/facts.ts';
import {
  madeContent,
  madeDecision,
  madeDelivery,
  madeEvent,
  madeNotification,
  madeSession,
  NOON,
  SESSION,
} from '../../support/made.ts';
import { commitOne, keepSession } from '../../support/store-writes.ts';
import { nextTimer, timersDue } from '../../support/timers.ts';
import { testFacts } from './decision-facts.ts';
import { alone, both, CLAIM, type StoreDriver } from './driver.ts';

const verdict = (stage: string) => ({ stage, verdict: 'pass' as const, note: 'on' });

/** The suite of decisions. */
export function testDecisions(driver: StoreDriver): void {
  testFacts(driver);

  describe(`decisions: ${driver.name}`, () => {
    test('a decision is written once, and whole', async () => {
      const store = await alone(driver);
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
      expect(await store.events({})).toMatchObject([{ version: 1 }]);
      expect(await store.session(SESSION)).toEqual(madeSession({ version: 1 }));
      expect(await timersDue(store, NOON + 9, 5)).toEqual([{ id: 't', kind: 'hold', due: NOON + 9, data: { a: 1 } }]);
    });

    test('of a decision that cannot be written nothing is, and it can be made again', async () => {
      const store = await alone(driver);
      const broken = { ...madeEvent({ id: 'broken' }), at: null as unknown as number };
      const decided = madeDecision({
        notifications: [madeNotification()],
        deliveries: [madeDelivery()],
        sessions: [madeSession()],
      });
      const events = [...decided.events, { event: broken, fingerprint: null, verdicts: [] }];
      await expect(commitOne(store, { ...decided, events })).rejects.toThrow();
      expect([await store.event('event-0001'), await store.session(SESSION)]).toEqual([null, null]);
      expect([await store.notifications({}), await store.deliveries({})]).toEqual([[], []]);
      expect(await commitOne(store, decided)).toBe('written');
    });

    test("a timer's decision counts once and adds its verdicts to the event written before", async () => {
      const store = await alone(driver);
      await commitOne(
        store,
        madeDecision({ events: [{ event: madeEvent(), fingerprint: 'f', verdicts: [verdict('hold')] }] }),
      );
      const again = madeDecision({
        entryId: 'timer:hold:1',
        events: [{ event: madeEvent({ urgency: 'low' }), fingerprint: null, verdicts: [verdict('route')] }],
        timers: { set: [{ id: 'u', kind: 'hold', due: 2, data: {} }], clear: ['t', 'u'] },
      });
      for (const id of ['t', 'u']) await store.setTimer({ id, kind: 'hold', due: 1, data: {} }, NOON);
      expect(await commitOne(store, again)).toBe('written');
      expect(await commitOne(store, again)).toBe('already');
      const notified = await store.event('event-0001');
      expect(notified?.version).toBe(2);
      expect(notified?.verdicts.map((v) => v.stage)).toEqual(['hold', 'route']);
      expect(notified?.event.urgency).toBe('low');
      expect(notified?.fingerprint).toBe('f');
      expect(await nextTimer(store)).toBe(2);
    });

    test('finds the latest event of a fingerprint within a time', async () => {
      const store = await alone(driver);
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

    test('of two decisions over the same session one is written, whoever is faster; the other reads again', async () => {
      const [one, two] = await both(driver);
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
      const [one, two] = await both(driver);
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
      const over = { ...acknowledged, version: 3, state: 'expired' } as const;
      expect(await commitOne(two, madeDecision({ entryId: 'over', events: [], notifications: [over] }))).toBe(
        'written',
      );
      expect(await one.notifications({ states: ['expired'], threadKey: 'box/dev/generic/session-1' })).toHaveLength(1);
      expect((await one.counts()).notifications).toEqual({ open: 0, acknowledged: 0, resolved: 0, expired: 1 });
    });
  });

  describe(`what a decision does to deliveries: ${driver.name}`, () => {
    const states = async (store: SharedStore) =>
      (await store.deliveries({})).map(({ id, state }) => `${id} ${state}`).sort();

    test.each([
      ['resolved', undefined, ['acknowledged cancelled', 'none pending', 'resolved cancelled']],
      ['acknowledged', undefined, ['acknowledged cancelled', 'none pending', 'resolved pending']],
      ['superseded', undefined, ['acknowledged superseded', 'none superseded', 'resolved superseded']],
      ['resolved', ['desk'], ['acknowledged pending', 'none pending', 'resolved pending']],
    ] as const)('%s takes back what its deliveries allow (channels: %s)', async (because, channels, expected) => {
      const store = await alone(driver);
      for (const unless of ['resolved', 'acknowledged', 'none'] as const)
        await store.addDelivery(madeDelivery({ id: unless, unless, scheduled: unless === 'resolved', due: NOON + 9 }));
      await store.addDelivery(madeDelivery({ id: 'other', notificationId: 'ntf_other', unless: 'resolved' }));
      const cancel = [{ notificationId: 'ntf_0001', because, ...(channels ? { channels } : {}) }];
      await commitOne(store, madeDecision({ events: [], cancel }));
      expect(await states(store)).toEqual([...expected, 'other pending'].sort());
    });

    test('what is in flight is not taken back; an acknowledgement takes back in its own transaction', async () => {
      const store = await alone(driver);
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
      const store = await alone(driver);
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

    test('a message gets its content and its time before anybody tried to send it, and what changes it follows it', async () => {
      const store = await alone(driver);
      const later = { scheduled: true, due: NOON + 1_000 } as const;
      const made = (id: string, more: Partial<Delivery> = {}) =>
        madeDelivery({ id, notificationId: id, threadKey: id, ...later, ...more });
      const deliveries = [
        made('waits'),
        made('held', { heldBy: 'group:x' }),
        made('moved', { due: NOON + 5_000 }),
        made('tried', { attempts: 1, scheduled: false, due: NOON }),
        made('sent', { state: 'sent', scheduled: false, due: NOON }),
      ];
      await commitOne(store, madeDecision({ deliveries }));
      const changes = deliveries.map(({ id }) =>
        madeDelivery({ id: `${id} again`, notificationId: id, threadKey: id, operation: 'update', revision: 2 }),
      );
      await commitOne(store, madeDecision({ entryId: 'over', events: [], deliveries: changes }));
      const content = madeContent({ title: 'enriched' });
      const rewrite = [...deliveries, { notificationId: 'nobody' }].map(({ notificationId }) => ({
        notificationId,
        channel: 'team',
        step: 0,
        content,
        from: NOON + 1_000,
        due: NOON + 10,
      }));
      expect(await commitOne(store, madeDecision({ entryId: 'context', events: [], rewrite }))).toBe('written');
      const rows = await store.deliveries({ channel: 'team', limit: 100 });
      const said = rows.map((row) => `${row.id}: ${row.content.title === 'enriched'}, ${row.due - NOON}`).sort();
      expect(said).toEqual([
        'held: true, 1000',
        'moved again: true, 5000',
        'moved: true, 5000',
        'sent again: true, 0',
        'sent: false, 0',
        'tried again: true, 0',
        'tried: false, 0',
        'waits again: true, 10',
        'waits: true, 10',
      ]);
      const claim = { limit: 10, leaseMs: 1_000, now: NOON + 10 };
      expect((await store.claim('team', claim)).map(({ id }) => id)).toContain('waits');
      expect((await store.claim('team', claim)).map(({ id }) => id)).not.toContain('waits again');
    });

    test('one step of a message is taken back, the others stay', async () => {
      const store = await alone(driver);
      const later = { scheduled: true, due: NOON + 9 } as const;
      const deliveries = [madeDelivery(), madeDelivery({ id: 'step', step: 1, ...later })];
      await commitOne(store, madeDecision({ deliveries }));
      const cancel = {
        notificationId: 'ntf_0001',
        because: 'superseded',
        channels: ['team'],
        step: 0,
        note: 'in it',
      } as const;
      await commitOne(store, madeDecision({ entryId: 'later', cancel: [cancel] }));
      expect((await store.deliveries({})).map(({ id, state, lastError }) => [id, state, lastError])).toEqual([
        ['delivery-0001', 'superseded', 'in it'],
        ['step', 'pending', null],
      ]);
    });

    test('what is held goes to another hold; what is sent does not', async () => {
      const store = await alone(driver);
      const deliveries = [
        madeDelivery({ heldBy: 'group:x', scheduled: true }),
        madeDelivery({ id: 'free', channel: 'other' }),
      ];
      await commitOne(store, madeDecision({ deliveries }));
      const rehold = ['delivery-0001', 'free'].map((id) => ({ id, heldBy: 'quiet', due: NOON + 60_000 }));
      await commitOne(store, madeDecision({ entryId: 'anew', at: NOON + 1, rehold }));
      expect(await store.deliveries({ heldBy: true })).toMatchObject([
        { id: 'delivery-0001', heldBy: 'quiet', due: NOON + 60_000, state: 'pending' },
      ]);
      expect(await store.nextDue('team')).toBeNull();
      const free = [{ id: 'delivery-0001', heldBy: null, due: NOON + 2 }];
      await commitOne(store, madeDecision({ entryId: 'free', at: NOON + 2, rehold: free }));
      expect(await store.nextDue('team')).toBe(NOON + 2);
    });
  });
}
