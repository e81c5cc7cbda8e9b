// A day's figures as lines, times of day, and falls between two readiness reports.
import { describe, expect, test } from 'vitest';
import { falls, rises, describeMove } from '../../../src/api/changes/readiness-changes.ts';
import { dayAfter, lines, shares, yesterdayOf } from '../../../src/sources/watches/usage/day.ts';
import { nextTimeOfDay } from '../../../src/sources/watches/usage.ts';

const day = { tokens: null, activeUsers: null, toolCalls: null, autonomy: null, commits: null, pullRequests: null };

describe('figures', () => {
  test.each([
    [1_234_567, [1_000_000, 1_000_000], ['Tokens 1,234,567 (+23 % against the 2 days before)']],
    [500, [1000], ['Tokens 500 (−50 % against the day before)']],
    [1000, [1000, 1000, 1000], ['Tokens 1,000 (as the 3 days before)']],
    [5, [0, 0], ['Tokens 5 (none in the 2 days before)']],
    [0, [0], ['Tokens 0 (as the day before)']],
    [7, [], ['Tokens 7']],
    [null, [1], []],
  ])('%s tokens after %j', (tokens, before, expected) =>
    expect(
      lines(
        { ...day, tokens },
        before.map((value) => ({ ...day, tokens: value })),
      ),
    ).toEqual(expected),
  );

  test('autonomy has a decimal', () => expect(lines({ ...day, autonomy: 8.25 }, [])).toEqual(['Autonomy 8.3']));

  test('shares: the largest first, the rest counted', () => {
    const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, i) => ({ name, tokens: i * 1000 }));
    expect(shares('Models', all)).toEqual(['Models: g 6,000 · f 5,000 · e 4,000 · d 3,000 · c 2,000 · 1 more']);
    expect(shares('Models', [])).toEqual([]);
  });

  test.each([
    ['2026-02-28', 1, '2026-03-01'],
    ['2026-03-01', -1, '2026-02-28'],
    ['2026-12-31', 1, '2027-01-01'],
  ])('%s + %i days', (from, days, to) => expect(dayAfter(from, days)).toBe(to));

  test('yesterday is a day of UTC', () => expect(yesterdayOf(Date.parse('2026-06-02T00:00:01Z'))).toBe('2026-06-01'));
});

test('the next time of day is in local time and after now', () => {
  const now = new Date(2026, 5, 1, 7, 30).getTime();
  expect(new Date(nextTimeOfDay('08:15', now))).toEqual(new Date(2026, 5, 1, 8, 15));
  expect(new Date(nextTimeOfDay('07:30', now))).toEqual(new Date(2026, 5, 2, 7, 30));
  expect(new Date(nextTimeOfDay('06:00', now))).toEqual(new Date(2026, 5, 2, 6, 0));
});

test('falls, deepest first; what only one report has is not compared', () => {
  const before = { a: [3, 4], b: [2, 2], c: [1, 2], gone: [1, 1] } as const;
  const after = { a: [2, 4], b: [0, 2], c: [2, 2], fresh: [0, 1], __proto__: [0, 1] } as const;
  expect(falls(before, after).map((move) => describeMove(move, null))).toEqual(['b 2/2 -> 0/2', 'a 3/4 -> 2/4']);
  expect(rises(before, after).map((move) => describeMove(move, 'now there'))).toEqual(['c 1/2 -> 2/2: now there']);
});
