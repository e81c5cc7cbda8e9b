// What becomes of updates and retracts: after their send, with its receipt, never in vain and never as a dead letter that people have to see to.
import { expect, test } from 'vitest';
import { buildChanges } from '../../src/decisions/build-changes.ts';
import type { Delivery } from '../../src/model/delivery/delivery.ts';
import { NOTIFICATION_LIFETIME, type Notification } from '../../src/model/notification/notification.ts';
import { madeDecision, madeDelivery, madeNotification } from '../support/made.ts';
import { fail, type Stage, stage } from './worker-harness.ts';
import { commitOne } from '../support/store-writes.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Rows of one notification, in this order, with the notification as it stands. */
async function put(s: Stage, rows: readonly Partial<Delivery>[], notification: Partial<Notification> = {}) {
  const now = s.clock.now();
  const row = madeNotification({ expiresAt: now + NOTIFICATION_LIFETIME, ...notification });
  const times = { due: now, createdAt: now, updatedAt: now };
  await commitOne(
    s.store,
    madeDecision({ entryId: `decision ${now} ${rows[0]?.id}`, at: now, events: [], notifications: [row] }),
  );
  for (const more of rows) await s.store.addDelivery(madeDelivery({ ...times, ...more }));
}

const seen = (s: Stage) => s.seen['team']?.map(({ id, receipt, resolution }) => [id, receipt, resolution]);

const SENT = { id: 'send', state: 'sent', receipt: { ts: '1' } } as const;
const UPDATE = { id: 'update', operation: 'update', revision: 2 } as const;
const RETRACT = { id: 'retract', operation: 'retract', revision: 3 } as const;
const RESOLVED = { state: 'resolved', resolved: { at: 5, why: 'answered in the terminal' } } as const;
const BY = { at: 5, by: 'dani', via: 'command line' };

test.each([
  ['update', UPDATE, RESOLVED, 'answered in the terminal'],
  ['retract', RETRACT, RESOLVED, 'answered in the terminal'],
  ['update', UPDATE, { state: 'acknowledged', acknowledged: BY }, 'acknowledged by dani on the command line'],
  ['update', UPDATE, { state: 'resolved', acknowledged: BY, resolved: { at: 6, why: 'over' } }, 'over'],
  ['update', UPDATE, {}, null],
] as const)('%s is given the receipt and why: %o %o', async (_name, change, notification, why) => {
  const s = await stage({ changes: true });
  await put(s, [SENT, change], notification);
  s.start();
  await s.clock.advance(0);
  expect(seen(s)).toEqual([[change.id, { ts: '1' }, why]]);
  expect(await s.states()).toEqual({ send: 'sent', [change.id]: 'sent' });
});

test.each([
  ['keeps a session together', true, { ts: '1' }],
  ['does not', false, null],
] as const)(
  'a channel that %s is given the receipt of what it sent to the thread before',
  async (_name, thread, receipt) => {
    const s = await stage({ thread });
    await put(s, [{ ...SENT, notificationId: 'ntf_a' }], { id: 'ntf_a' });
    await put(s, [{ ...SENT, id: 'elsewhere', notificationId: 'ntf_c', receipt: { ts: '9' }, threadKey: 'x' }], {
      id: 'ntf_c',
      threadKey: 'x',
    });
    await put(s, [{ id: 'next', notificationId: 'ntf_b' }], { id: 'ntf_b' });
    s.start();
    await s.clock.advance(0);
    expect(s.seen['team']?.map(({ id, threadReceipt }) => [id, threadReceipt])).toEqual([['next', receipt]]);
  },
);

test.each([
  ['in flight', 20 * SECOND, () => new Promise<never>(() => undefined)],
  ['in retry', 20 * SECOND, () => fail('server')],
] as const)('a change waits while its send is %s, then has its receipt', async (_name, ms, first) => {
  const s = await stage({ changes: true });
  s.answer('team', (message, nth) => {
    if (message.operation !== 'send') return { ok: true };
    return nth === 1 ? first() : { ok: true, receipt: { ts: '7' } };
  });
  await put(s, [{ id: 'send' }, RETRACT], RESOLVED);
  s.start();
  await s.clock.advance(0);
  expect(await s.states()).toMatchObject({ retract: 'pending' });
  await s.clock.advance(ms);
  expect(seen(s)).toEqual([
    ['send', null, null],
    ['send', null, null],
    ['retract', { ts: '7' }, 'answered in the terminal'],
  ]);
});

test('a later update is given the receipt of the one before', async () => {
  const s = await stage({ changes: true });
  s.answer('team', ({ revision }) => ({ ok: true, receipt: { ts: String(revision) } }));
  await put(s, [SENT, UPDATE]);
  s.start();
  await s.clock.advance(0);
  await s.store.addDelivery(madeDelivery({ ...UPDATE, id: 'again', revision: 4, due: s.clock.now() }));
  await s.kill();
  s.start();
  await s.clock.advance(0);
  expect(seen(s)).toEqual([
    ['update', { ts: '1' }, null],
    ['again', { ts: '2' }, null],
  ]);
});

test.each<
  [string, readonly Partial<Delivery>[], Partial<Parameters<typeof stage>[0] & object>, Record<string, string>, string]
>([
  ['nothing was sent', [{ ...SENT, state: 'dead' }, RETRACT], {}, { retract: 'cancelled' }, 'nothing was sent'],
  ['no receipt', [{ ...SENT, receipt: null }, RETRACT], {}, { retract: 'cancelled' }, 'gave back nothing'],
  ['a channel that cannot', [SENT, RETRACT], { changes: false }, { retract: 'cancelled' }, 'cannot retract'],
  [
    'a later change came',
    [SENT, { ...RETRACT, state: 'sent' }, { ...UPDATE, revision: 2 }],
    {},
    { update: 'superseded' },
    'later change',
  ],
])('%s: it is not tried and says why', async (_name, rows, options, expected, why) => {
  const s = await stage({ changes: true, ...options });
  await put(s, rows);
  s.start();
  await s.clock.advance(0);
  expect(seen(s)).toEqual([]);
  expect(await s.states()).toMatchObject(expected);
  const [id = ''] = Object.keys(expected);
  const [row] = await s.store.deliveries({ ids: [id] });
  expect(row).toMatchObject({ lastReason: null, lastError: expect.stringContaining(why), attempts: 0 });
  expect(await s.store.attempts(id)).toEqual([]);
});

test('a record needs no receipt', async () => {
  const s = await stage({ changes: true, audience: 'records' });
  await put(s, [{ ...SENT, receipt: null }, UPDATE], RESOLVED);
  s.start();
  await s.clock.advance(0);
  expect(seen(s)).toEqual([['update', null, 'answered in the terminal']]);
});

test.each([
  ['people', 'update', 'client', 'cancelled'],
  ['people', 'retract', 'server', 'cancelled'],
  ['records', 'update', 'client', 'dead'],
  ['people', 'send', 'client', 'dead'],
] as const)('for %s a %s that is given up (%s) is %s', async (audience, operation, reason, state) => {
  const s = await stage({ changes: true, audience });
  s.answer('team', (message) => (message.operation === operation ? fail(reason) : { ok: true, receipt: 1 }));
  await put(s, [{ id: 'send' }, ...(operation === 'send' ? [] : [{ id: operation, operation, revision: 2 }])]);
  s.start();
  await s.clock.advance(0);
  // Others succeed meanwhile, so the channel itself is not taken for failing.
  for (let hour = 0; hour < (reason === 'server' ? 80 : 1); hour++) {
    await s.add('team', `other${hour}`);
    await s.clock.advance(HOUR);
  }
  const [row] = await s.store.deliveries({ ids: [operation] });
  expect(row).toMatchObject({ state, lastReason: reason });
  expect(s.raised).toEqual([]);
});

test('a change holds to Retry-After as a send does', async () => {
  const s = await stage({ changes: true });
  s.answer('team', (_message, nth) => (nth === 1 ? fail('rate-limited', 90 * SECOND) : { ok: true }));
  await put(s, [SENT, RETRACT]);
  s.start();
  await s.clock.advance(89 * SECOND);
  expect(seen(s)).toHaveLength(1);
  await s.clock.advance(2 * SECOND);
  expect(await s.states()).toEqual({ send: 'sent', retract: 'sent' });
});

test.each([
  ['resolved', 'resolved', 'cancelled'],
  ['acknowledged', 'acknowledged', 'cancelled'],
  ['acknowledged', 'resolved', 'cancelled'],
  ['resolved', 'acknowledged', 'sent'],
  ['none', 'resolved', 'sent'],
] as const)('a send that failed (unless %s) while its notification was %s is %s', async (unless, state, end) => {
  const s = await stage({ changes: true });
  s.answer('team', (_message, nth) => (nth === 1 ? fail('server') : { ok: true }));
  await put(s, [{ id: 'send', unless }]);
  s.start();
  await s.clock.advance(0);
  const [row] = await s.store.notifications({});
  if (!row) throw new Error('no notification');
  const over = { ...row, state, acknowledged: BY, resolved: state === 'resolved' ? RESOLVED.resolved : null };
  await commitOne(s.store, madeDecision({ entryId: 'over', events: [], notifications: [over] }));
  await s.clock.advance(10 * SECOND);
  expect(await s.states()).toEqual({ send: end });
});

test('what a person sends again is not taken back', async () => {
  const s = await stage({ changes: true });
  await put(s, [{ id: 'send', state: 'dead', unless: 'resolved' }], RESOLVED);
  const deliveries = s.start();
  expect(await deliveries.replay(await s.store.deliveries({}))).toMatchObject({ ids: ['send'] });
  await s.clock.advance(0);
  expect(await s.states()).toEqual({ send: 'sent' });
});

test('the changes of a removed channel are no dead letters', async () => {
  const s = await stage({ changes: true });
  await put(s, [SENT, RETRACT, { id: 'other', notificationId: 'ntf_2', threadKey: 'other' }]);
  s.start(new Map());
  await s.clock.advance(0);
  expect(await s.states()).toEqual({ send: 'sent', retract: 'cancelled', other: 'dead' });
});

test('after an outage notifications only are held to go out as one, and changes go out', async () => {
  const s = await stage({ changes: true });
  s.answer('team', () => fail('auth'));
  const sends = Array.from({ length: 6 }, (_, i) => ({ id: `s${i}`, notificationId: `n${i}`, threadKey: `t${i}` }));
  await put(s, [SENT, RETRACT, ...sends]);
  const deliveries = s.start();
  await s.clock.advance(2 * HOUR);
  s.answer('team', () => ({ ok: true }));
  deliveries.probe('team');
  await s.clock.advance(10 * SECOND);
  const states = await s.states();
  expect(states).toMatchObject({ retract: 'sent' });
  const held = await s.store.deliveries({ heldBy: 'outage:team' });
  expect(held.length).toBeGreaterThan(4);
  expect(new Set(held.map(({ operation }) => operation))).toEqual(new Set(['send']));
});

test('a notification with reminders is taken away whole: each of its messages by its own receipt', async () => {
  const s = await stage({ changes: true });
  const reminder = { ...SENT, id: 'reminder', step: 1, receipt: { ts: '2' } };
  await put(s, [SENT, reminder, RETRACT, { ...RETRACT, id: 'retract reminder', step: 1 }], RESOLVED);
  s.start();
  await s.clock.advance(0);
  expect(seen(s)?.map(([id, receipt]) => [id, receipt])).toEqual([
    ['retract', { ts: '1' }],
    ['retract reminder', { ts: '2' }],
  ]);
  expect(await s.states()).toMatchObject({ retract: 'sent', 'retract reminder': 'sent' });
});

test('a change that cannot be made does not hold up the next prompt of its session for long', async () => {
  const s = await stage({ changes: true });
  s.answer('team', ({ operation }) => (operation === 'retract' ? fail('server') : { ok: true }));
  await put(s, [SENT, RETRACT, { id: 'next prompt', notificationId: 'ntf_2' }], RESOLVED);
  s.start();
  await s.clock.advance(45 * SECOND);
  expect(await s.states()).toEqual({ send: 'sent', retract: 'cancelled', 'next prompt': 'sent' });
});

test('in an outage of the channel a change waits with the others, and is made afterwards', async () => {
  const s = await stage({ changes: true });
  s.answer('team', () => fail('network'));
  await put(s, [SENT, RETRACT], RESOLVED);
  await s.add('team', 'a', 'b', 'c', 'd', 'e', 'f');
  s.start();
  await s.clock.advance(HOUR);
  expect(await s.states()).toMatchObject({ retract: 'paused' });
  s.answer('team', () => ({ ok: true }));
  await s.clock.advance(HOUR);
  expect(await s.states()).toMatchObject({ retract: 'sent' });
});

test('a message is changed however many reminders, and changes that came to nothing, followed it', async () => {
  const s = await stage({ changes: true });
  const later = Array.from({ length: 210 }, (_, i) => ({ ...SENT, id: `reminder ${i}`, step: 100 + i }));
  const lost = Array.from({ length: 210 }, (_, i) => ({ ...UPDATE, id: `lost ${i}`, state: 'superseded' as const }));
  await put(s, [SENT, ...later, ...lost], {});
  const plan = { channel: 'team', operation: 'update', step: 0, revision: 9 } as const;
  const notification = madeNotification({});
  const changes = await buildChanges(
    { id: notification.id, threadKey: 's', eventIds: ['e'] },
    [{ ...plan, due: s.clock.now(), unless: 'none', only: 'always', reason: 'resolved' }],
    s.store,
    s.clock.now(),
  );
  expect(changes).toMatchObject([{ operation: 'update', step: 0, revision: 9 }]);
  await put(s, changes, { ...RESOLVED });
  s.start();
  await s.clock.advance(0);
  expect(s.seen['team']?.map(({ operation, receipt }) => [operation, receipt])).toEqual([['update', { ts: '1' }]]);
});

test('a change does not keep the distance of sends: four at once, then each at its distance; sends keep theirs', async () => {
  const s = await stage({ changes: true, limits: { minIntervalMs: 10 * SECOND, concurrency: 1 } });
  await s.add('team', 'new:1', 'next:1', 'last:1');
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const own = { notificationId: `ntf_${name}`, threadKey: name };
    const rows = [
      { ...SENT, ...own, id: `sent ${name}` },
      { ...UPDATE, ...own, id: name },
    ];
    await put(s, rows, { id: own.notificationId, threadKey: name });
  }
  const from = s.clock.now();
  s.start();
  await s.clock.advance(60 * SECOND);
  const times = (wanted: string) =>
    s.seen['team']?.filter(({ operation }) => operation === wanted).map(({ at }) => (at - from) / SECOND);
  expect(times('send')).toEqual([0, 10, 20]);
  expect(times('update')).toEqual([0, 0, 0, 0, 10, 20]);
});
