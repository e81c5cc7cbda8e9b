// When a later step may go out, and when people were notified first: by what became of the sends before it.
import { describe, expect, test } from 'vitest';
import { COUNTS_FROM_BEFORE, earliestOf, firstNotified } from '../../src/dispatch/later-steps.ts';
import type { SendRow } from '../../src/model/delivery/gate.ts';
import { WAITS } from '../../src/model/delivery/holds.ts';
import { madeContent, NOON } from '../support/made.ts';

const [SECOND, MINUTE] = [1_000, 60_000];
const NEVER = -Infinity;

/** The first send, due at noon, on a channel that people look at. */
const first = (more: Partial<SendRow> = {}): SendRow => ({
  channel: 'desk',
  step: 0,
  state: 'sent',
  due: NOON,
  only: 'always',
  heldBy: null,
  attempts: 0,
  updatedAt: NOON + SECOND,
  lastError: null,
  content: madeContent(),
  ...more,
});
/** A step that was planned `after` ms after the first send. */
const step = (number: number, after: number | null, more: Partial<SendRow> = {}): SendRow =>
  first({
    step: number,
    state: 'pending',
    due: NOON + (after ?? 0),
    content: { ...madeContent(), ...(after !== null && { after }) },
    ...more,
  });

const facts = (now = NOON + 10 * MINUTE) => ({
  now,
  isForPeople: (channel: string) => channel !== 'audit',
  isFailing: (channel: string) => channel === 'broken',
});
/** Of a step two minutes after the first send; ms after noon. */
const two = step(1, 2 * MINUTE);
const earliest = (rows: readonly SendRow[], now?: number, of = two): number =>
  earliestOf(of, [...rows, of], facts(now)) - NOON;

describe('a step two minutes after the first send may go out', () => {
  test.each<[name: string, rows: readonly SendRow[], now: number, expected: number]>([
    ['two minutes after that was sent', [first()], NOON, NEVER],
    ['two minutes after that was sent: once it was', [first()], NOON + SECOND, 2 * MINUTE + SECOND],
    [
      'as soon as it is due where that is held',
      [first({ state: 'pending', heldBy: 'quiet', due: NOON + 9 })],
      NOON,
      NEVER,
    ],
    [
      'two minutes after now where what held it lets it go',
      [first({ state: 'pending', heldBy: 'quiet' })],
      NOON + 5,
      2 * MINUTE + 5,
    ],
    ['as soon as it is due where that fails', [first({ state: 'pending', attempts: 1 })], NOON + MINUTE, NEVER],
    [
      'as soon as it is due where its channel fails',
      [first({ state: 'pending', channel: 'broken' })],
      NOON + MINUTE,
      NEVER,
    ],
    ['two minutes after now where that is being sent', [first({ state: 'leased' })], NOON + 7, 2 * MINUTE + 7],
    [
      'as soon as it is due where that was being sent before',
      [first({ state: 'leased', attempts: 1 })],
      NOON + 7,
      NEVER,
    ],
    ['as soon as it is due where that is still to come', [first({ state: 'pending', due: NOON + 9 })], NOON, NEVER],
    [
      'as soon as it is due where that is late for a moment',
      [first({ state: 'pending' })],
      NOON + 2 * MINUTE + 5 * SECOND,
      NEVER,
    ],
    [
      'two minutes after now where that is later still',
      [first({ state: 'pending' })],
      NOON + 2 * MINUTE + 5_001,
      4 * MINUTE + 5_001,
    ],
    ['as soon as it is due where that was taken back', [first({ state: 'superseded' })], NOON + MINUTE, NEVER],
    [
      'two minutes after the digest that took its place',
      [first({ state: 'superseded', lastError: 'in the digest ntf_1' })],
      NOON + MINUTE,
      2 * MINUTE + SECOND,
    ],
    [
      'two minutes after its person may have left',
      [first({ state: 'pending', only: 'away', due: NOON + 9, lastError: `${WAITS}x` })],
      NOON,
      2 * MINUTE + 9,
    ],
    [
      'as soon as it is due where that waits for nobody',
      [first({ state: 'pending', only: 'always', due: NOON + 9, lastError: `${WAITS}x` })],
      NOON,
      NEVER,
    ],
    [
      'after the earliest of two',
      [first({ updatedAt: NOON + 9 }), first({ channel: 'chat' })],
      NOON + MINUTE,
      2 * MINUTE + 9,
    ],
    [
      'after what people were sent, not after a record of it',
      [first({ channel: 'audit' }), first({ state: 'pending', heldBy: 'quiet', due: NOON + 9 })],
      NOON + 5,
      NEVER,
    ],
    [
      'after a record where nothing else is held',
      [first({ channel: 'audit', updatedAt: NOON + 3 }), first()],
      NOON + MINUTE,
      2 * MINUTE + 3,
    ],
  ])('%s', (_name, rows, now, expected) => {
    expect(earliest(rows, now)).toBe(expected);
  });

  test('a first send waits for nothing, nor does a step of an earlier version', () => {
    expect(earliestOf(first(), [first(), two], facts())).toBe(NEVER);
    expect(earliest([first()], NOON + MINUTE, step(1, null))).toBe(NEVER);
  });
});

describe('a step ten minutes after the first send', () => {
  const ten = step(2, 10 * MINUTE);
  test.each<[name: string, rows: readonly SendRow[], expected: number]>([
    [
      'follows the step before it',
      [first(), step(1, 2 * MINUTE, { state: 'sent', updatedAt: NOON + 5 * MINUTE })],
      13 * MINUTE,
    ],
    [
      'follows the first send where the step before it tells nobody',
      [first(), step(1, 2 * MINUTE, { state: 'superseded' })],
      10 * MINUTE + SECOND,
    ],
    [
      'follows a step that is put off',
      [first(), step(1, 2 * MINUTE, { due: NOON + 11 * MINUTE, lastError: COUNTS_FROM_BEFORE })],
      19 * MINUTE,
    ],
    [
      'is not moved by what is planned with it, or after it',
      [step(3, 10 * MINUTE, { state: 'sent' }), step(4, 11 * MINUTE, { state: 'sent' })],
      NEVER,
    ],
    ['is not moved by a step of an earlier version', [step(1, null, { state: 'sent' })], NEVER],
  ])('%s', (_name, rows, expected) => {
    expect(earliest(rows, NOON + 10 * MINUTE, ten)).toBe(expected);
  });
});

test.each<[name: string, rows: readonly SendRow[], expected: number | null | undefined]>([
  ['when the first of two was sent', [first({ updatedAt: NOON + 9 }), first({ channel: 'chat' })], 9],
  ['when the digest was sent', [first({ state: 'superseded', lastError: 'in the digest ntf_1' })], SECOND],
  ['not by a step', [step(1, MINUTE, { state: 'sent' })], undefined],
  ['not yet: it is held', [first({ state: 'pending', heldBy: 'quiet' })], null],
  [
    'not yet: it is held, though there is a record',
    [first({ state: 'pending', heldBy: 'quiet' }), first({ channel: 'audit' })],
    null,
  ],
  ['not: what was held fails', [first({ state: 'pending', heldBy: 'quiet', attempts: 1 })], undefined],
  ['not: it is about to be sent', [first({ state: 'pending' })], undefined],
  ['not: it was taken back', [first({ state: 'cancelled', heldBy: 'quiet' })], undefined],
  ['not: the clock was set back since', [first({ updatedAt: NOON + 20 * MINUTE })], undefined],
])('people were notified first: %s', (_name, rows, expected) => {
  const at = firstNotified(rows, facts());
  expect(typeof at === 'number' ? at - NOON : at).toBe(expected);
});
