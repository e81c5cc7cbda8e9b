// What follows what is let out of a hold: one notification keeps its own steps, several share the batch's.
import { describe, expect, test } from 'vitest';
import { heldSteps } from '../../../src/decisions/batch/held-steps.ts';
import { FIRST_REMINDER } from '../../../src/dispatch/escalation.ts';
import { REMIND } from '../../../src/dispatch/remind.ts';
import type { ChannelProfile } from '../../../src/model/channel/profile.ts';
import type { Delivery } from '../../../src/model/delivery/delivery.ts';
import type { Timer } from '../../../src/model/event/verdict.ts';
import { madeContent, madeDelivery, NOON } from '../../support/made.ts';

const MINUTE = 60_000;
const people: ChannelProfile = { audience: 'people', updates: false, onResolved: 'keep' };
const PROFILES = new Map([
  ['desk', people],
  ['phone', people],
  ['audit', { ...people, audience: 'records' } as const],
]);

const held = (id: string, more: Partial<Delivery> = {}): Delivery =>
  madeDelivery({ id: `${id} first`, notificationId: id, channel: 'desk', heldBy: 'quiet', ...more });
const step = (id: string, more: Partial<Delivery> = {}): Delivery =>
  madeDelivery({
    id: `${id} step`,
    notificationId: id,
    channel: 'phone',
    step: 1,
    unless: 'acknowledged',
    scheduled: true,
    content: madeContent({ after: 2 * MINUTE }),
    due: NOON + MINUTE,
    ...more,
  });
const reminders = (id: string, repeat: number): Timer => ({
  id: `${REMIND}:${id}`,
  kind: REMIND,
  due: NOON,
  data: { notification: id, number: 1, repeat, channels: [{ channel: 'desk', only: 'always' }] },
});

/** Of all rows those that are let out are given as `rows`. */
async function found(
  rows: readonly Delivery[],
  all: readonly Delivery[],
  { timers = [], over = [] }: { readonly timers?: readonly Timer[]; readonly over?: readonly string[] } = {},
) {
  const store = {
    deliveries: async ({ notificationId }: { notificationId?: string }) =>
      all.filter((row) => row.notificationId === notificationId && row.operation === 'send'),
    timers: async (ids: readonly string[]) => timers.filter(({ id }) => ids.includes(id)),
  };
  // What is asked of the store here is these two questions.
  const deps = { store: store as Parameters<typeof heldSteps>[2]['store'], profiles: PROFILES };
  const steps = await heldSteps(rows, (id) => !over.includes(id), deps, NOON);
  return {
    now: steps.now.map(({ id }) => id),
    alone: steps.alone.map(({ row, next }) => [row.id, ...next.map(({ due }) => due - NOON)]),
    shared: [...steps.shared],
    replaced: steps.replaced.map(({ id }) => id),
    timers: steps.timers.map(({ id }) => id),
    escalate: steps.escalate,
    repeat: steps.repeat,
  };
}
const NOTHING = { alone: [], shared: [], replaced: [], timers: [], escalate: [], repeat: null };

describe('one notification', () => {
  test('nothing follows it', async () => {
    expect(await found([held('a')], [held('a')])).toEqual({ ...NOTHING, now: ['a first'] });
  });

  test('its step is its own, and stays as it is where nothing holds it', async () => {
    expect(await found([held('a')], [held('a'), step('a')])).toEqual({ ...NOTHING, now: ['a first'] });
  });

  test('a step that is held with it counts from the batch', async () => {
    const all = [held('a'), step('a', { heldBy: 'quiet', revision: 3 })];
    expect(await found(all, all)).toEqual({ ...NOTHING, now: ['a first'], alone: [['a step', 2 * MINUTE]] });
  });

  test('and is planned again, under another name', async () => {
    const all = [held('a'), step('a', { heldBy: 'quiet', revision: 3 })];
    // What is asked of the store here is these two questions.
    const store = { deliveries: async () => all, timers: async () => [] } as unknown as Parameters<
      typeof heldSteps
    >[2]['store'];
    const { alone } = await heldSteps(all, () => true, { store, profiles: PROFILES }, NOON);
    expect(alone[0]?.next).toMatchObject([
      {
        notificationId: 'a',
        channel: 'phone',
        step: 1,
        revision: 4,
        heldBy: null,
        scheduled: true,
        unless: 'acknowledged',
        state: 'pending',
      },
    ]);
    expect(alone[0]?.next[0]?.id).not.toBe('a step');
  });

  test.each([
    ['a minute ago: it is to come', { updatedAt: NOON - MINUTE }, [], [['a step', MINUTE]]],
    ['as long ago as it was to be later: it is told now', { updatedAt: NOON - 2 * MINUTE }, ['a step'], []],
    ['before a clock was set back: nobody knows when', { updatedAt: NOON + 1 }, ['a step'], []],
  ] as const)('people were notified %s', async (_when, sent, now, alone) => {
    const own = step('a', { heldBy: 'quiet' });
    const first = held('a', { heldBy: null, state: 'sent', ...sent });
    expect(await found([own], [first, own])).toEqual({ ...NOTHING, now, alone });
  });

  test('a step that went out before leaves it its time', async () => {
    const own = step('a', { heldBy: 'quiet', step: 2 });
    const all = [held('a'), step('a', { id: 'a before', state: 'sent' }), own];
    expect(await found([own], all)).toEqual({ ...NOTHING, now: ['a step'] });
  });

  test('a step of an earlier version does not say when', async () => {
    const all = [held('a'), step('a', { heldBy: 'quiet', content: madeContent() })];
    expect(await found(all, all)).toEqual({ ...NOTHING, now: ['a first', 'a step'] });
  });

  test('a first message that was tried in vain does not wait: the step is there for that', async () => {
    const own = step('a', { heldBy: 'quiet' });
    expect(await found([own], [held('a', { attempts: 1 }), own])).toEqual({ ...NOTHING, now: ['a step'] });
  });

  test('but one that goes out with the batch, as after an outage, is what its step counts from', async () => {
    const all = [held('a', { attempts: 1 }), step('a', { heldBy: 'quiet' })];
    expect(await found(all, all)).toEqual({ ...NOTHING, now: ['a first'], alone: [['a step', 2 * MINUTE]] });
  });

  test('a reminder is not planned again: its timer does that', async () => {
    const all = [held('a'), step('a', { heldBy: 'quiet', step: FIRST_REMINDER })];
    expect(await found(all, all, { timers: [reminders('a', MINUTE)] })).toEqual({
      ...NOTHING,
      now: ['a first'],
      alone: [['a step']],
    });
  });
});

describe('two or more', () => {
  const both = [held('a'), held('b')];
  const first = ['a first', 'b first'];
  const [a, b] = [
    { after: 2 * MINUTE, to: ['phone'] },
    { after: 5 * MINUTE, to: ['phone'] },
  ];
  const later = { content: madeContent({ after: 5 * MINUTE }) };

  test('share what follows them', async () => {
    expect(await found(both, [...both, step('a'), step('b', later)])).toEqual({
      ...NOTHING,
      now: first,
      shared: ['a', 'b'],
      replaced: ['a step', 'b step'],
      escalate: [a, b],
    });
  });

  test('also steps that are held with them, or paused, but none that is done', async () => {
    const all = [
      ...both,
      step('a', { heldBy: 'quiet' }),
      step('b', { ...later, state: 'paused' }),
      step('b', { id: 'gone', state: 'cancelled' }),
    ];
    expect(await found(all.slice(0, 3), all)).toEqual({
      ...NOTHING,
      now: first,
      shared: ['a', 'b'],
      replaced: ['a step', 'b step'],
      escalate: [a, b],
    });
  });

  test('one alone of them has steps: it keeps them', async () => {
    expect(await found(both, [...both, step('a')])).toEqual({ ...NOTHING, now: first });
  });

  test('of one that is over nothing follows', async () => {
    expect(await found(both, [...both, step('a'), step('b')], { over: ['b'] })).toEqual({ ...NOTHING, now: first });
  });

  test('of one people were notified: it keeps its own', async () => {
    const told = held('b', { id: 'b told', channel: 'phone', heldBy: null, state: 'sent', updatedAt: NOON - MINUTE });
    // Its people wait for the digest as well: what counts is that one of them was notified.
    expect(await found(both, [...both, step('a'), told, step('b')])).toEqual({ ...NOTHING, now: first });
  });

  test('a record notified nobody', async () => {
    const record = held('b', {
      id: 'b record',
      channel: 'audit',
      heldBy: null,
      state: 'sent',
      updatedAt: NOON - MINUTE,
    });
    expect(await found(both, [...both, step('a'), record, step('b')])).toMatchObject({ shared: ['a', 'b'] });
  });

  test('reminders of both: as often as the more frequent', async () => {
    const timers = [reminders('a', 9 * MINUTE), reminders('b', 7 * MINUTE)];
    expect(await found(both, both, { timers })).toEqual({
      ...NOTHING,
      now: first,
      shared: ['a', 'b'],
      timers: ['remind:a', 'remind:b'],
      repeat: 7 * MINUTE,
    });
  });

  test('reminders that were planned before, as in an outage, are replaced with the others', async () => {
    const planned = [
      step('a', { id: 'a held', channel: 'desk', heldBy: 'outage:desk', step: FIRST_REMINDER }),
      step('a', { id: 'a next', channel: 'desk', step: FIRST_REMINDER + 1 }),
    ];
    const timers = [reminders('a', MINUTE), reminders('b', MINUTE)];
    expect(await found([...both, ...planned.slice(0, 1)], [...both, ...planned], { timers })).toEqual({
      ...NOTHING,
      now: first,
      shared: ['a', 'b'],
      replaced: ['a held', 'a next'],
      timers: ['remind:a', 'remind:b'],
      escalate: [],
      repeat: MINUTE,
    });
  });

  test('reminders of one: its own', async () => {
    expect(await found(both, both, { timers: [reminders('a', MINUTE)] })).toEqual({ ...NOTHING, now: first });
  });
});
