// Times within sentences: a day is that of the calendar, also where the clocks change.
import { expect, test } from 'vitest';
import { atDayTime, dayTime } from '../../../src/model/time/clock-time.ts';

const local = (day: number, hour: number, minute = 0): number => new Date(2026, 2, day, hour, minute).getTime();

test.each<[at: number, text: string, afterVerb: string]>([
  [local(25, 0, 0), '00:00', 'at 00:00'],
  [local(25, 23, 59), '23:59', 'at 23:59'],
  [local(26, 0, 0), 'tomorrow 00:00', 'tomorrow at 00:00'],
  [local(24, 23, 59), 'yesterday 23:59', 'yesterday at 23:59'],
  [local(29, 7, 5), 'Sun 07:05', 'on Sun at 07:05'],
  [local(30, 7), 'Mon 07:00', 'on Mon at 07:00'],
  [local(31, 7), 'Tue 07:00', 'on Tue at 07:00'],
  [local(32, 7), '2026-04-01 07:00', 'on 2026-04-01 at 07:00'],
  [local(19, 7), 'Thu 07:00', 'on Thu at 07:00'],
  [local(18, 7), '2026-03-18 07:00', 'on 2026-03-18 at 07:00'],
  [Number.NaN, '?', 'at ?'],
])('%# is %s', (at, text, afterVerb) => {
  const now = local(25, 14, 2);
  expect([dayTime(at, now), atDayTime(at, now)]).toEqual([text, afterVerb]);
});
