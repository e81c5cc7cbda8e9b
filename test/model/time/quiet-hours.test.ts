// Quiet hours against a walk over every minute of the clock, through both changes of the clocks in several zones.
import { describe, expect, test } from 'vitest';
import { parseQuietRange, type QuietRange, quietHours } from '../../../src/model/time/quiet-hours.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const range = (text: string): QuietRange => {
  const parsed = parseQuietRange(text);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed;
};

describe('entries', () => {
  test.each<[text: string, expected: object]>([
    ['22:00-07:00', { days: [0, 1, 2, 3, 4, 5, 6], start: 1_320, end: 420 }],
    ['sat,sun 00:00-24:00', { days: [0, 6], start: 0, end: 1_440 }],
    ['Mon-Fri 12:00 - 13:30', { days: [1, 2, 3, 4, 5], start: 720, end: 810 }],
    ['fri-mon 9:00-10:00', { days: [0, 1, 5, 6], start: 540, end: 600 }],
    ['mon, wed-thu 22:00-00:00', { days: [1, 3, 4], start: 1_320, end: 0 }],
  ])('%s', (text, expected) => {
    expect(parseQuietRange(text)).toEqual(expected);
  });

  test.each<[text: string, fault: string]>([
    ['', 'must be hours such as'],
    ['22-7', 'must be hours such as'],
    ['22:00', 'must be hours such as'],
    ['22:00-07:00 mon', 'must be hours such as'],
    ['25:00-07:00', '"25:00" is no time; write 00:00 to 23:59'],
    ['24:00-07:00', '"24:00" is no time; write 00:00 to 23:59'],
    ['22:60-07:00', '"22:60" is no time'],
    ['22:00-24:01', '"24:01" is no time; write 00:00 to 24:00'],
    ['08:00-08:00', 'for the whole day write 00:00-24:00'],
    ['mo 22:00-07:00', '"mo" is no day'],
    ['mon-tue-wed 22:00-07:00', 'is no day'],
    [`${'mon,'.repeat(200)}mon 22:00-07:00`, 'must be hours such as'],
  ])('%s is refused', (text, fault) => {
    const parsed = parseQuietRange(text);
    expect('fault' in parsed && parsed.fault).toContain(fault);
  });
});

/** What a clock on the wall shows each minute, `2026-03-29 02:30`, and its weekday: an independent way through Intl. */
function readings(zone: string, from: number, to: number) {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return Array.from({ length: (to - from) / MINUTE }, (_, i) => text.format(from + i * MINUTE));
}

const two = (n: number): string => String(n).padStart(2, '0');
const reading = (date: number, minute: number): string => {
  const day = new Date(date + Math.floor(minute / 1_440) * DAY).toISOString().slice(0, 10);
  return `${day} ${two(Math.floor((minute % 1_440) / 60))}:${two(minute % 60)}`;
};

/** Quiet minutes: from the first reading at or after the start to the last one before the end. */
function quietMinutes(shown: readonly string[], ranges: readonly QuietRange[], dates: readonly number[]): boolean[] {
  const quiet = shown.map(() => false);
  for (const date of dates)
    for (const { days, start, end } of ranges) {
      if (!days.includes(new Date(date).getUTCDay())) continue;
      const from = reading(date, start);
      const to = reading(date, end > start ? end : end + 1_440);
      const first = shown.findIndex((text) => text >= from);
      const last = shown.findLastIndex((text) => text < to);
      if (first >= 0) for (let i = first; i <= last; i++) quiet[i] = true;
    }
  return quiet;
}

/** Both changes of the clocks of each zone, and a day without. */
const NIGHTS: readonly (readonly [zone: string, around: number])[] = [
  ['Europe/Berlin', Date.UTC(2026, 2, 29, 1)],
  ['Europe/Berlin', Date.UTC(2026, 9, 25, 1)],
  ['America/New_York', Date.UTC(2026, 2, 8, 7)],
  ['America/New_York', Date.UTC(2026, 10, 1, 6)],
  ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 15)],
  ['Australia/Lord_Howe', Date.UTC(2026, 9, 3, 15, 30)],
  ['America/Havana', Date.UTC(2026, 2, 8, 5)],
  ['America/Havana', Date.UTC(2026, 10, 1, 5)],
  ['Asia/Kathmandu', Date.UTC(2026, 5, 1)],
];

const HOURS: readonly (readonly string[])[] = [
  ['22:00-07:00'],
  ['22:00-07:00', 'sat,sun 00:00-24:00'],
  ['01:30-02:30'],
  ['02:15-02:45', '01:45-01:50'],
  ['00:30-01:30', '23:45-00:15'],
  ['01:00-03:00', 'sun 03:00-04:00'],
  ['sat 22:00-02:00', 'sun 02:10-02:20', '00:00-00:20'],
  ['mon-fri 12:00-13:00', 'sun 01:59-01:00'],
  ['sat-sun 01:10-01:40', '01:40-02:00'],
];

/** Minutes walked before the night, so that what began earlier is known. */
const BEFORE = 3 * 1_440;

describe.each(NIGHTS)('%s around %d', (zone, around) => {
  const from = around - BEFORE * MINUTE;
  const shown = readings(zone, from, around + 3 * DAY);
  const dates = [-2, -1, 0, 1, 2].map((days) => Math.floor(around / DAY) * DAY + days * DAY);

  test.each(HOURS.map((hours) => [hours.join(' + '), hours] as const))('%s', (_name, hours) => {
    const ranges = hours.map(range);
    const expected = quietMinutes(shown, ranges, dates);
    const at = quietHours(ranges, zone);
    const wrong: string[] = [];
    for (let i = BEFORE - 720; i < BEFORE + 900; i++) {
      const time = from + i * MINUTE;
      const { quiet, until } = at(time);
      if (quiet !== expected[i] || at(time + MINUTE - 1).quiet !== quiet) wrong.push(`${shown[i]} is ${quiet}`);
      // The last minute of each span knows when it ends, and so does its first.
      const [before, after] = [expected[i - 1], expected[i + 1]];
      if (after !== quiet && until !== time + MINUTE) wrong.push(`${shown[i]} ends at ${until}`);
      if (before === quiet) continue;
      const change = expected.findIndex((one, j) => j > i && one !== quiet);
      if (change < BEFORE + 1_440 && until !== from + change * MINUTE) wrong.push(`${shown[i]} lasts until ${until}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('spans', () => {
  const at = Date.UTC(2026, 5, 5, 20); // a Friday, 22:00 in Berlin
  test('a night before a weekend ends on Monday', () => {
    const quiet = quietHours(['22:00-07:00', 'sat,sun 00:00-24:00'].map(range), 'Europe/Berlin');
    expect(quiet(at)).toEqual({ quiet: true, until: Date.UTC(2026, 5, 8, 5) });
  });

  test('what never ends has no end; nothing is never quiet', () => {
    expect(quietHours(['00:00-24:00'].map(range), 'Europe/Berlin')(at)).toEqual({ quiet: true, until: null });
    expect(quietHours([], null)(at)).toEqual({ quiet: false, until: null });
  });

  test('a clock set back is asked again', () => {
    const quiet = quietHours([range('22:00-07:00')], 'Europe/Berlin');
    expect(quiet(at).quiet).toBe(true);
    expect(quiet(at - MINUTE)).toEqual({ quiet: false, until: at });
    expect(quiet(at + 9 * 60 * MINUTE)).toEqual({ quiet: false, until: at + DAY });
  });
});
