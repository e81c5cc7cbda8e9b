// Times as people name them for `--at`.
import { expect, test } from 'vitest';
import { timeNamed } from '../../../src/model/time/named-time.ts';

/** A Friday. */
const NOW = Date.UTC(2026, 2, 27, 12);
const utc = (text: string): number => Date.parse(`${text}:00Z`);

test.each<[text: string, zone: string, at: number | null]>([
  ['23:30', 'UTC', utc('2026-03-27T23:30')],
  ['11:59', 'UTC', utc('2026-03-28T11:59')],
  ['12:00', 'UTC', NOW],
  ['7:05', 'UTC', utc('2026-03-28T07:05')],
  ['sat 03:00', 'UTC', utc('2026-03-28T03:00')],
  ['Fri 11:00', 'UTC', utc('2026-04-03T11:00')],
  ['fri 13:00', 'UTC', utc('2026-03-27T13:00')],
  ['23:30', 'Europe/Berlin', utc('2026-03-27T22:30')],
  // Skipped that night: clocks go from 02:00 to 03:00.
  ['sun 02:30', 'Europe/Berlin', utc('2026-03-29T01:00')],
  ['2026-03-01T23:30Z', 'UTC', utc('2026-03-01T23:30')],
  ['2026-03-01 23:30Z', 'UTC', utc('2026-03-01T23:30')],
  ['24:00', 'UTC', null],
  ['12:60', 'UTC', null],
  ['xyz 12:00', 'UTC', null],
  ['', 'UTC', null],
  ['2026-13-01', 'UTC', null],
  ['tomorrow', 'UTC', null],
])('%s in %s', (text, zone, at) => {
  expect(timeNamed(text, NOW, zone)).toBe(at);
});
