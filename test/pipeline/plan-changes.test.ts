import { expect, test } from 'vitest';
import type { ChannelProfile } from '../../src/model/channel/profile.ts';
import type { Delivery } from '../../src/model/delivery/delivery.ts';
import { notificationFacts } from '../../src/dispatch/notification-facts.ts';
import { planChanges } from '../../src/dispatch/plan-changes.ts';
import { madeDelivery, madeNotification, NOON } from '../support/made.ts';

const PROFILES = new Map<string, ChannelProfile>([
  ['screen', { audience: 'people', onResolved: 'remove', updates: true }],
  ['chat', { audience: 'people', onResolved: 'update', updates: true }],
  ['speech', { audience: 'people', onResolved: 'keep', updates: false }],
  ['audit', { audience: 'records', onResolved: 'update', updates: true }],
]);

const on = (channel: string, more: Partial<Delivery> = {}): Delivery => madeDelivery({ channel, ...more });
const sent = (channel: string, more: Partial<Delivery> = {}): Delivery => on(channel, { state: 'sent', ...more });

/** "operation channel revision" of each, with the step of a later message. */
const planned = (rows: readonly Delivery[], revision = 1): readonly string[] =>
  planChanges(notificationFacts(madeNotification({ revision }), null, rows), PROFILES, {
    why: 'answered in the terminal after 40 s',
    at: NOON,
  }).plan.map(
    ({ operation, channel, revision, step }) => `${operation} ${channel} ${revision}${step > 0 ? ` step ${step}` : ''}`,
  );

const CASES: readonly (readonly [string, readonly Delivery[], readonly string[]])[] = [
  ['nothing was planned', [], []],
  [
    'sent',
    [sent('screen'), sent('chat'), sent('speech'), sent('audit')],
    ['retract screen 2', 'update chat 2', 'update audit 2'],
  ],
  ['being sent', [on('screen', { state: 'leased' })], ['retract screen 2']],
  ['about to be sent: a worker may have taken it by then', [on('chat')], ['update chat 2']],
  ['paused', [on('audit', { state: 'paused' })], ['update audit 2']],
  ['planned for later only', [on('chat', { scheduled: true, due: NOON + 120_000 })], []],
  [
    'planned for soon: it may go out all the same',
    [on('chat', { scheduled: true, due: NOON + 2_000 })],
    ['update chat 2'],
  ],
  [
    'sent, and once more planned for later: the store leaves out what is taken back',
    [sent('chat'), on('chat', { scheduled: true, step: 1 })],
    ['update chat 2', 'update chat 2 step 1'],
  ],
  [
    'sent, and a reminder of it: each message',
    [sent('screen'), sent('screen', { step: 1 }), sent('chat', { step: 2 }), on('chat', { step: 3, state: 'leased' })],
    ['retract screen 2', 'retract screen 2 step 1', 'update chat 2 step 2', 'update chat 2 step 3'],
  ],
  [
    'a reminder after its first message was removed',
    [sent('screen'), sent('screen', { operation: 'retract', revision: 2 }), sent('screen', { step: 1 })],
    ['retract screen 3 step 1'],
  ],
  ['given up', [on('chat', { state: 'dead' })], []],
  ['taken back', [on('chat', { state: 'cancelled' })], []],
  ['in a digest', [on('chat', { state: 'superseded' })], []],
  ['removed already', [sent('screen'), sent('screen', { operation: 'retract', revision: 2 })], []],
  ['to be removed already', [sent('screen'), on('screen', { operation: 'retract', revision: 2 })], []],
  [
    'its removal was given up',
    [sent('screen'), on('screen', { operation: 'retract', revision: 2, state: 'dead' })],
    ['retract screen 3'],
  ],
  [
    'changed before: above every revision',
    [sent('chat'), on('chat', { operation: 'update', revision: 4 }), sent('audit')],
    ['update chat 5', 'update audit 5'],
  ],
  ['a channel that is not configured any more', [sent('gone')], []],
];

test.each(CASES)('%s', (_name, rows, expected) => {
  expect(planned(rows)).toEqual(expected);
});

test('is above the revision of the notification, due at once, and says why', () => {
  const facts = notificationFacts(madeNotification({ revision: 3 }), null, [
    sent('chat'),
    sent('screen', { notificationId: 'ntf_other' }),
  ]);
  expect(planChanges(facts, PROFILES, { why: 'acknowledged by dev', at: NOON })).toEqual({
    revision: 4,
    plan: [
      {
        channel: 'chat',
        operation: 'update',
        step: 0,
        revision: 4,
        due: NOON,
        unless: 'none',
        only: 'always',
        reason: 'acknowledged by dev',
      },
    ],
  });
});
