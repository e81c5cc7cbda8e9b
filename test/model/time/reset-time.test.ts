// When a limit is over, read from a client's words: in ten zones, across midnight, the year's end and both nights in which clocks change.
import { expect, it } from 'vitest';
import { resetTimeIn } from '../../../src/model/time/reset-time.ts';

const at = (iso: string): number => Date.parse(iso);
const read = (text: string, said: string, zone: string | null = 'UTC'): string | null => {
  const found = resetTimeIn(text, at(said), zone);
  return found === null ? null : new Date(found).toISOString().replace(':00.000Z', 'Z');
};

it.each([
  // What real clients wrote.
  ["You've hit your session limit · resets 4:55pm (UTC)", '2026-11-23T16:50:02Z', '2026-11-23T16:55Z'],
  ["You've hit your session limit · resets 4:58pm (UTC)", '2026-11-23T16:58:07Z', '2026-11-23T16:58Z'],
  ["You've hit your weekly limit · resets Nov 25, 4:56pm (UTC)", '2026-11-23T17:00:00Z', '2026-11-25T16:56Z'],
  ['resets 5pm (UTC)', '2026-11-23T16:59:59Z', '2026-11-23T17:00Z'],
  ['resets 12:08am (Asia/Kathmandu)', '2026-11-23T17:45:00Z', '2026-11-23T18:23Z'],
  ['resets Nov 25, 11:08pm (Asia/Kathmandu)', '2026-11-23T17:45:00Z', '2026-11-25T17:23Z'],
  ['purchase more credits or try again at 6:09 PM.', '2026-11-23T17:07:56Z', '2026-11-23T18:09Z'],
  ['or try again at Nov 30th, 2026 6:09 PM.', '2026-11-23T17:07:56Z', '2026-11-30T18:09Z'],
  // Narrow spaces, as some runtimes write them, and a clock of 24 hours.
  ['resets at 5:02\u202fPM', '2026-11-23T17:00:00Z', '2026-11-23T17:02Z'],
  ['resets 17:02 (UTC)', '2026-11-23T17:00:00Z', '2026-11-23T17:02Z'],
  // Midnight, noon, the year's end, a leap day.
  ['resets 12am (UTC)', '2026-11-23T23:59:00Z', '2026-11-24T00:00Z'],
  ['resets 12pm (UTC)', '2026-11-23T12:01:00Z', '2026-11-24T12:00Z'],
  ['resets 11:59pm (UTC)', '2026-11-23T00:00:00Z', '2026-11-23T23:59Z'],
  ['resets Jan 2, 3am (UTC)', '2026-12-31T23:00:00Z', '2027-01-02T03:00Z'],
  ['resets Feb 29, 3am (UTC)', '2028-02-27T23:00:00Z', '2028-02-29T03:00Z'],
])('%s, said at %s: %s', (text, said, expected) => {
  expect(read(text, said)).toBe(expected);
});

it.each([
  'You hit your limit.',
  'resets soon',
  'resets 5 (UTC)', // of which half of the day?
  'resets 13pm (UTC)',
  'resets 0:30am (UTC)',
  'resets 25:00',
  'resets 4:75pm (UTC)',
  'resets 4:55pm (Mars/Olympus)',
  'resets Foo 25, 4:56pm (UTC)',
  'resets Feb 30, 3am (UTC)',
  `${'x'.repeat(5_000)} resets 4:55pm (UTC)`,
  '',
])('promises nothing by %j', (text) => {
  expect(read(text, '2026-11-23T16:50:00Z')).toBeNull();
});

it('promises nothing by a named day that has passed: a limit does not last for a year', () => {
  expect(read('resets Nov 25, 4:56pm (UTC)', '2026-11-25T16:56:59Z')).toBe('2026-11-25T16:56Z');
  expect(read('resets Nov 25, 4:56pm (UTC)', '2026-11-25T16:57:00Z')).toBeNull();
  expect(read('resets Jan 3, 4:56pm (UTC)', '2026-12-31T16:57:00Z')).toBe('2027-01-03T16:56Z');
});

/** What the clock of a zone shows, as a client with that zone writes it. */
function written(instant: number, zone: string, withDate: boolean): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    ...(withDate && { month: 'short', day: 'numeric' }),
  }).formatToParts(instant);
  const {
    month,
    day,
    hour,
    minute,
    dayPeriod = '',
  } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  const time = `${hour}${minute === '00' ? '' : `:${minute}`}${dayPeriod.toLowerCase()}`;
  return `resets ${withDate ? `${month} ${day}, ` : ''}${time} (${zone})`;
}

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Los_Angeles',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Australia/Lord_Howe', // its clocks change by half an hour
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/St_Johns',
];
/** The nights in which clocks change, somewhere among these; and plain days. */
const DAYS = [
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
  '2026-06-15',
  '2026-12-31',
];

it.each(ZONES)('reads back what a client in %s writes, at every quarter of an hour', (zone) => {
  for (const day of DAYS)
    for (let said = at(`${day}T00:00:30Z`); said < at(`${day}T00:00:30Z`) + 86_400_000; said += 900_000 * 3)
      for (const hours of [0.25, 5, 23]) {
        const resets = Math.floor((said + hours * 3_600_000) / 900_000) * 900_000;
        // In the minute that it is said in it is that minute, also where the day that follows has 23 hours.
        if (resets < said || written(resets, zone, false) === written(said, zone, false)) continue;
        const found = resetTimeIn(written(resets, zone, false), said, null);
        // The same reading may come twice in the night that clocks are set back: the later one is taken, never one that is too early.
        const isTwice =
          found !== null && found !== resets && written(found, zone, false) === written(resets, zone, false);
        expect(isTwice ? found : resets, `${zone} ${new Date(said).toISOString()} +${hours} h`).toBe(found);
        if (isTwice) expect([found - resets > 0, found - resets <= 3_600_000]).toEqual([true, true]);
      }
});

it.each(ZONES)('reads back a date in %s', (zone) => {
  for (const day of DAYS) {
    const said = at(`${day}T10:20:30Z`);
    const resets = at(`${day}T10:00:00Z`) + 3 * 86_400_000;
    expect(resetTimeIn(written(resets, zone, true), said, null)).toBe(resets);
  }
});

it.each([
  // Set back at 3:00, Berlin: 2:30 comes at 0:30Z and at 1:30Z. The later one is meant: before it the session might only be stopped again.
  ['2026-10-25T00:00:00Z', '2026-10-25T01:30Z'],
  ['2026-10-25T00:31:00Z', '2026-10-25T01:30Z'],
  ['2026-10-25T01:31:00Z', '2026-10-26T01:30Z'],
  // Set forward at 2:00: there is no 2:30, it is over when the clock has passed it.
  ['2026-03-29T00:00:00Z', '2026-03-29T01:00Z'],
])('2:30am in Berlin, said at %s: %s', (said, expected) => {
  expect(read('resets 2:30am (Europe/Berlin)', said)).toBe(expected);
});

it('takes the zone of the words before that of the client', () => {
  expect(read('resets 5pm (UTC)', '2026-11-23T16:00:00Z', 'Asia/Kolkata')).toBe('2026-11-23T17:00Z');
  expect(read('resets 11pm', '2026-11-23T16:00:00Z', 'Asia/Kolkata')).toBe('2026-11-23T17:30Z');
});
