// Titles of escalations and reminders before they are sent, against what they say once they are.
import { expect, test } from 'vitest';
import { laterContent } from '../../../src/dispatch/escalation.ts';
import { plannedTitle } from '../../../src/model/delivery/planned-title.ts';
import { dayTime } from '../../../src/model/time/clock-time.ts';
import { madeContent, NOON } from '../../support/made.ts';

const MINUTE = 60_000;
const DUE = NOON + 90 * MINUTE;
const { title: before } = madeContent();
const { title } = laterContent(madeContent(), 90 * MINUTE);
const planned = `${before} (if nobody acknowledges it by ${dayTime(DUE, NOON)})`;

test.each([
  ['pending', NOON, planned],
  ['paused', NOON, planned],
  ['pending', DUE, title],
  ['paused', DUE + MINUTE, title],
  ['leased', NOON, title],
  ['sent', DUE + MINUTE, title],
  ['cancelled', NOON, before],
  ['cancelled', DUE + MINUTE, before],
] as const)('%s, seen at %d: %s', (state, now, expected) => {
  expect(plannedTitle({ title, state, due: DUE, updatedAt: NOON }, now)).toBe(expected);
});

test('taken back only after it was due, it stays as it was', () => {
  const late = { title, state: 'cancelled', due: DUE, updatedAt: DUE + MINUTE } as const;
  expect(plannedTitle(late, DUE + 2 * MINUTE)).toBe(title);
});

test('a title that says nothing of that stays', () => {
  const first = { title: before, state: 'pending', due: DUE, updatedAt: NOON } as const;
  expect(plannedTitle(first, NOON)).toBe(before);
});
