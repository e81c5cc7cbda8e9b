// What a batch's timer keeps, and what a batch plans when it is due.
import { describe, expect, test } from 'vitest';
import { batchesOver, batchPlanOf, groupTimer, PLAIN_BATCH, releaseTimer } from '../../src/dispatch/batch-plan.ts';
import {
  type Arrival,
  isDealtWith,
  membersNow,
  type RegroupInput,
  regroup,
  shrank,
} from '../../src/dispatch/regroup.ts';
import type { ChannelFacts } from '../../src/dispatch/notification-facts.ts';
import type { ChannelProfile } from '../../src/model/channel/profile.ts';
import type { BatchMember } from '../../src/model/notification/notification.ts';
import type { DeliveryProgress } from '../../src/model/delivery/delivery.ts';
import { madeDelivery, madeEvent, madeNotification, NOON } from '../support/made.ts';

const STEP = { after: 60_000, to: ['phone'] };
const PLAN = { wait: 2_000, every: 60_000, only: 'idle', escalate: [STEP], repeat: 90_000 } as const;

describe('what a timer keeps', () => {
  const kept = (more: Readonly<Record<string, unknown>>) =>
    batchPlanOf({ ...groupTimer('group:1', NOON, true, PLAN), data: { pending: true, ...PLAN, ...more } });
  test('all of it', () => {
    expect(kept({})).toEqual({ pending: true, ...PLAN });
    expect(batchPlanOf(groupTimer('group:1', NOON, false, PLAN))).toEqual({ pending: false, ...PLAN });
  });

  test.each([{ wait: '2s' }, { every: null }, { only: 'asleep' }])('%j: nothing', (more) => {
    expect(kept(more)).toBeNull();
  });

  test('that of a hold that ends keeps none', () => {
    expect(batchPlanOf(releaseTimer('quiet', NOON))).toBeNull();
    expect(releaseTimer('quiet', NOON).data).toEqual({ force: false });
    expect(releaseTimer('quiet', NOON, true).data).toEqual({ force: true });
  });

  test.each([
    ['a step without a time', { after: '2m', to: ['phone'] }],
    ['without channels', { after: 1 }],
    ['with a channel that is no name', { after: 1, to: ['phone', 7] }],
    ['nothing', null],
  ])('%s is left out', (_name, step) => {
    expect(kept({ escalate: [step, STEP] })?.escalate).toEqual([STEP]);
  });

  test('damaged steps and reminders are none', () => {
    expect(kept({ escalate: 'soon' })?.escalate).toEqual([]);
    for (const repeat of [0, -1, '5m', null]) expect(kept({ repeat })?.repeat).toBeNull();
  });
});

describe('batches of which something is over', () => {
  const group = madeNotification({
    id: 'ntf_g',
    threadKey: 'group:1',
    eventIds: ['event-1', 'event-2'],
    group: { members: [], sentAt: NOON, every: 7_000 },
  });
  const timers = (due: number) => new Map([['group:1', groupTimer('group:1', due, true, PLAN)]]);
  test.each([
    ['look again at once', ['event-2'], timers(NOON + 9), [groupTimer('group:1', NOON, true, PLAN)]],
    ['no later than they would have', ['event-2'], timers(NOON - 9), [groupTimer('group:1', NOON - 9, true, PLAN)]],
    [
      'without a timer get one',
      ['event-1'],
      new Map(),
      [groupTimer('group:1', NOON, false, { ...PLAIN_BATCH, every: 7_000 })],
    ],
    ['not where it is none of theirs', ['event-3'], timers(NOON + 9), []],
  ])('%s', (_name, ids, groupTimers, expected) => {
    expect(batchesOver(ids, { groups: [group], groupTimers }, NOON)).toEqual(expected);
  });

  test('a notification of one event is none', () => {
    expect(batchesOver(['event-0001'], { groups: [madeNotification()], groupTimers: new Map() }, NOON)).toEqual([]);
  });
});

const profile = (updates: boolean, audience: 'people' | 'records' = 'people'): ChannelProfile => ({
  audience,
  updates,
  onResolved: 'keep',
});
const PROFILES = new Map([
  ['changes', profile(true)],
  ['keeps', profile(false)],
  ['audit', profile(false, 'records')],
]);
const member = (id: string, more: Partial<BatchMember> = {}): BatchMember => ({
  event: madeEvent({ id }),
  title: id,
  isOver: false,
  channels: ['changes'],
  ...more,
});
const arrival = (id: string, channel: string, more: Partial<Arrival> = {}): Arrival => ({
  event: madeEvent({ id }),
  title: id,
  channel,
  notificationId: `ntf-${id}`,
  step: 0,
  isOver: false,
  ...more,
});

/** Of an open batch with one member what is shown on a channel, and its rows. */
function regrouped(
  sends: ChannelFacts['sends'] | null,
  channel: string,
  arrivals: readonly Arrival[],
  more: Partial<RegroupInput> = {},
  rows: readonly DeliveryProgress[] = [],
) {
  const members = [member('event-1', { channels: [channel] })];
  const notification = madeNotification({ id: 'ntf_g', revision: 2 });
  const channels = sends === null ? [] : [{ channel, step: 0, sends, retracted: false, revision: 2, due: NOON }];
  const open = { facts: { notification, event: null, channels }, rows, group: { members, sentAt: NOON, every: 1 } };
  const input = {
    id: 'ntf_g',
    open,
    members,
    arrivals,
    plan: PLAN,
    profiles: PROFILES,
    note: 'in the group ',
    now: NOON,
  };
  return regroup({ ...input, ...more });
}

describe('what a batch plans', () => {
  test.each([
    ['it is there, and can be changed', 'sent', 'changes', true, 'update'],
    ['it is there, and can be changed, and only shrank', 'sent', 'changes', false, 'update'],
    ['it is there, and cannot be changed', 'sent', 'keeps', true, 'send'],
    ['it is there, cannot be changed, and only shrank', 'sent', 'keeps', false, undefined],
    ['it is on its way', 'leased', 'changes', false, 'send'],
    ['it is on its way, and has news', 'leased', 'changes', true, 'send'],
    ['it is on its way, and cannot be changed', 'leased', 'keeps', false, undefined],
    ['it is on its way, cannot be changed, and has news', 'leased', 'keeps', true, 'send'],
    ['it waits', 'waiting', 'keeps', false, 'send'],
    ['it is to come', 'scheduled', 'keeps', false, 'send'],
    ['nothing is there', null, 'keeps', true, 'send'],
    ['nothing is there, nor new', null, 'keeps', false, undefined],
  ] as const)('%s', (_name, sends, channel, hasNew, operation) => {
    const { plan } = regrouped(sends, channel, hasNew ? [arrival('event-2', channel)] : []);
    expect(plan.find(({ step }) => step === 0)?.operation).toBe(operation);
  });

  test('a change is made whoever looks, a message waits for whom it is for', () => {
    expect(regrouped('sent', 'changes', [arrival('event-2', 'changes')]).plan[0]).toMatchObject({
      unless: 'none',
      only: 'always',
    });
    expect(regrouped('sent', 'keeps', [arrival('event-2', 'keeps')]).plan[0]).toMatchObject({
      unless: 'acknowledged',
      only: 'idle',
      reason: 'its group',
    });
    expect(regrouped(null, 'audit', [arrival('event-2', 'audit')]).plan[0]).toMatchObject({ unless: 'resolved' });
  });

  test('what came is for its channels only', () => {
    expect(regrouped('sent', 'changes', [arrival('event-2', 'keeps')]).plan.map(({ channel }) => channel)).toEqual([
      'keeps',
      'phone',
    ]);
  });

  test('a new one begins with its steps, unless all of it is over', () => {
    const fresh = { open: null, members: [] };
    const begun = regrouped(null, 'keeps', [arrival('event-2', 'keeps')], fresh);
    expect(begun.plan.map(({ channel, step, revision }) => [channel, step, revision])).toEqual([
      ['keeps', 0, 1],
      ['phone', 1, 1],
    ]);
    expect(begun).toMatchObject({ revision: 1, beginsReminders: true });
    expect(begun.cancel).toEqual([
      {
        notificationId: 'ntf-event-2',
        because: 'superseded',
        channels: ['keeps'],
        step: 0,
        note: 'in the group ntf_g',
      },
    ]);
    const over = regrouped(null, 'audit', [arrival('event-2', 'audit', { isOver: true })], fresh);
    expect(over.plan.map(({ channel }) => channel)).toEqual(['audit']);
  });

  test('it has begun: its steps that are to come keep their time and their hold', () => {
    const row = (more: Partial<DeliveryProgress>): DeliveryProgress =>
      madeDelivery({
        channel: 'phone',
        notificationId: 'ntf_g',
        revision: 3,
        unless: 'acknowledged',
        due: NOON + 9,
        ...more,
      });
    const rows = [
      row({ step: 1, heldBy: 'mute:m1' }),
      row({ step: 2, state: 'paused' }),
      row({ step: 3, state: 'sent' }),
      row({ step: 100 }),
    ];
    const { plan, revision, beginsReminders, cancel } = regrouped(
      'sent',
      'changes',
      [arrival('event-2', 'changes')],
      {},
      rows,
    );
    expect(revision).toBe(4);
    expect(plan.map(({ channel, step, due, heldBy }) => [channel, step, due - NOON, heldBy])).toEqual([
      ['changes', 0, 0, undefined],
      ['phone', 1, 9, 'mute:m1'],
      ['phone', 2, 9, undefined],
      ['phone', 100, 9, undefined],
    ]);
    expect(beginsReminders).toBe(false);
    expect(cancel[1]).toMatchObject({
      notificationId: 'ntf_g',
      channels: ['changes', 'phone'],
      note: 'replaced by a later one of its group',
    });
  });

  test('only reminders have begun: its steps begin with what comes', () => {
    const reminder = madeDelivery({ channel: 'changes', step: 100, revision: 2, due: NOON + 9 });
    const first = madeDelivery({ channel: 'changes', state: 'sent', revision: 2 });
    const { plan } = regrouped('sent', 'changes', [arrival('event-2', 'changes')], {}, [first, reminder]);
    expect(plan.map(({ channel, step }) => [channel, step])).toEqual([
      ['changes', 0],
      ['phone', 1],
      ['changes', 100],
    ]);
  });

  test('nothing came: its steps do not begin with what only shrank', () => {
    const { plan } = regrouped('sent', 'changes', []);
    expect(plan.map(({ channel, step }) => [channel, step])).toEqual([['changes', 0]]);
  });

  test('each event once, with each channel that it came to', () => {
    const arrivals = [
      arrival('event-1', 'keeps', { later: true }),
      arrival('event-2', 'keeps'),
      arrival('event-2', 'changes'),
    ];
    const { members } = regrouped('sent', 'changes', arrivals);
    expect(members.map(({ event, channels, later }) => [event.id, channels, later])).toEqual([
      ['event-1', ['changes', 'keeps'], true],
      ['event-2', ['keeps', 'changes'], undefined],
    ]);
  });

  test('what is dealt with, and what of a batch is', () => {
    expect(
      (['open', 'acknowledged', 'resolved', 'expired', undefined] as const).map((state) => isDealtWith(state)),
    ).toEqual([false, true, true, false, false]);
    const members = [member('event-1', { isOver: true }), member('event-2')];
    const now = membersNow({ members, sentAt: NOON, every: 1 }, new Map([['event-2', 'resolved']]));
    expect(now.map(({ isOver }) => isOver)).toEqual([false, true]);
  });

  test.each([
    ['one that waits is over since', 'agent.waiting', false, true, true],
    ['it was over before', 'agent.waiting', true, true, false],
    ['none is over', 'agent.waiting', false, false, false],
    ['a finish is left as it is', 'agent.finished', false, true, false],
  ] as const)('a batch shrinks on its channels: %s', (_name, kind, before, now, expected) => {
    const of = (isOver: boolean) => [member('event-1', { isOver, event: madeEvent({ id: 'event-1', kind }) })];
    expect(shrank({ members: of(before), sentAt: NOON, every: 1 }, of(now))).toBe(expected);
  });

  test('a finish among what waits does not keep it from that', () => {
    const of = (isOver: boolean) => [
      member('event-1', { isOver, event: madeEvent({ id: 'event-1', kind: 'agent.waiting' }) }),
      member('event-2', { event: madeEvent({ id: 'event-2', kind: 'agent.finished' }) }),
    ];
    expect(shrank({ members: of(false), sentAt: NOON, every: 1 }, of(true))).toBe(true);
  });
});
