// Escalation and reminders: which steps, when, and in what words.
import { describe, expect, test } from 'vitest';
import type { Escalation } from '../../src/model/settings/routes.ts';
import { FIRST_REMINDER, laterContent, planEscalation } from '../../src/dispatch/escalation.ts';
import { planReminder } from '../../src/dispatch/remind.ts';
import { madeContent, NOON } from '../support/made.ts';

const MINUTE = 60_000;
const FIRST = { due: NOON + 5_000, revision: 1, only: 'always' } as const;

/** "1 phone +2": step, channel, minutes after the first send. */
const steps = (escalate: readonly Escalation[]): readonly string[] =>
  planEscalation(escalate, FIRST).map(({ step, channel, due }) => `${step} ${channel} +${(due - FIRST.due) / MINUTE}`);

describe('escalation', () => {
  test.each<[name: string, escalate: readonly Escalation[], expected: readonly string[]]>([
    ['none', [], []],
    ['one step', [{ after: 2 * MINUTE, to: ['phone'] }], ['1 phone +2']],
    [
      'in order of time, whatever that of the settings',
      [
        { after: 10 * MINUTE, to: ['team'] },
        { after: 2 * MINUTE, to: ['phone'] },
      ],
      ['1 phone +2', '2 team +10'],
    ],
    [
      'two routes at one time: one step, each channel once',
      [
        { after: 2 * MINUTE, to: ['phone', 'team'] },
        { after: 2 * MINUTE, to: ['phone'] },
      ],
      ['1 phone +2', '1 team +2'],
    ],
    [
      'a channel again',
      [
        { after: MINUTE, to: ['desk'] },
        { after: 2 * MINUTE, to: ['desk'] },
      ],
      ['1 desk +1', '2 desk +2'],
    ],
  ])('%s', (_name, escalate, expected) => {
    expect(steps(escalate)).toEqual(expected);
  });

  test('a step is taken back by acknowledgement and goes out under the conditions of the first', () => {
    const first = { ...FIRST, revision: 3, only: 'away' } as const;
    expect(planEscalation([{ after: 2 * MINUTE, to: ['phone'] }], first)).toEqual([
      {
        channel: 'phone',
        operation: 'send',
        step: 1,
        revision: 3,
        due: NOON + 5_000 + 2 * MINUTE,
        after: 2 * MINUTE,
        unless: 'acknowledged',
        only: 'away',
        reason: 'not acknowledged for 2 min',
      },
    ]);
  });
});

describe('reminders', () => {
  test.each<[name: string, minutes: number, number: number]>([
    ['before the first send', -1, 1],
    ['right after it', 0, 1],
    ['just before the first', 29.9, 1],
    ['when the first was due', 30, 2],
    ['after a night without the daemon: the next one only', 8 * 60 + 1, 17],
  ])('%s', (_name, minutes, number) => {
    const [planned, ...more] = planReminder(['desk'], 30 * MINUTE, FIRST, FIRST.due + minutes * MINUTE);
    expect(more).toEqual([]);
    expect(planned).toMatchObject({
      step: FIRST_REMINDER + number - 1,
      due: FIRST.due + number * 30 * MINUTE,
      unless: 'acknowledged',
    });
  });

  test('it says which one it is', () => {
    const [first] = planReminder(['desk', 'desk'], 30 * MINUTE, FIRST, FIRST.due);
    expect(first?.reason).toBe('reminder 1: not acknowledged for 30 min');
  });
});

test.each<[ms: number, title: string]>([
  [2 * MINUTE, 'payments: finished (not acknowledged for 2 min)'],
  [90 * MINUTE, 'payments: finished (not acknowledged for 1 h 30 min)'],
  [500, 'payments: finished (not acknowledged for 1 s)'],
])('after %d ms: %s', (ms, title) => {
  expect(laterContent(madeContent(), ms)).toEqual({ ...madeContent(), title, after: ms });
});

test('the words stay where the title is long', () => {
  const { title } = laterContent(madeContent({ title: 'x'.repeat(400) }), 2 * MINUTE);
  expect(title).toMatch(/^x+… \(not acknowledged for 2 min\)$/);
  expect(title.length).toBeLessThanOrEqual(150);
});
