// Until when a limit lasts, by what Claude and Codex write in ten zones: across midnight, the year's end and the nights in which clocks change. Instants written by hand.
import { afterEach, expect, it, vi } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';

/** When it was said, the time as Claude writes it, and the instant that it means; what clocks do with such a time that night. */
type Row = readonly [said: string, time: string, resets: string, night?: 'twice' | 'skipped'];

const CASES: Readonly<Record<string, readonly Row[]>> = {
  UTC: [
    ['2026-11-23T16:50:07Z', '4:55pm', '2026-11-23T16:55Z'],
    ['2026-11-23T16:50:07Z', '5pm', '2026-11-23T17:00Z'],
    ['2026-11-23T23:50:07Z', '12:08am', '2026-11-24T00:08Z'],
    ['2026-12-31T23:50:07Z', '3am', '2027-01-01T03:00Z'],
    ['2026-12-31T23:50:07Z', 'Jan 2, 4:56pm', '2027-01-02T16:56Z'],
  ],
  // +5:45
  'Asia/Kathmandu': [
    ['2026-11-23T11:05:07Z', '4:55pm', '2026-11-23T11:10Z'],
    ['2026-11-23T17:45:07Z', '12:08am', '2026-11-23T18:23Z'],
    ['2026-11-23T17:45:07Z', 'Nov 25, 11:08pm', '2026-11-25T17:23Z'],
    ['2026-12-31T18:00:07Z', '3am', '2026-12-31T21:15Z'],
    ['2026-12-31T18:00:07Z', 'Jan 2, 11:08pm', '2027-01-02T17:23Z'],
  ],
  // +5:30
  'Asia/Kolkata': [
    ['2026-11-23T11:20:07Z', '4:55pm', '2026-11-23T11:25Z'],
    ['2026-11-23T11:20:07Z', 'Nov 25, 4:56pm', '2026-11-25T11:26Z'],
    ['2026-11-23T18:20:07Z', '12:08am', '2026-11-23T18:38Z'],
    ['2026-12-31T18:20:07Z', '3am', '2026-12-31T21:30Z'],
  ],
  // +14: it is tomorrow already.
  'Pacific/Kiritimati': [
    ['2026-11-23T02:50:07Z', '4:55pm', '2026-11-23T02:55Z'],
    ['2026-11-23T09:50:07Z', '12:08am', '2026-11-23T10:08Z'],
    ['2026-12-31T09:50:07Z', '2am', '2026-12-31T12:00Z'],
    ['2026-12-31T09:50:07Z', 'Jan 3, 4:56pm', '2027-01-03T02:56Z'],
  ],
  // -11: it is still yesterday.
  'Pacific/Pago_Pago': [
    ['2026-11-24T03:50:07Z', '4:55pm', '2026-11-24T03:55Z'],
    ['2026-11-24T10:50:07Z', '12:08am', '2026-11-24T11:08Z'],
    ['2027-01-01T10:50:07Z', '2am', '2027-01-01T13:00Z'],
    ['2027-01-01T10:50:07Z', 'Jan 2, 5pm', '2027-01-03T04:00Z'],
  ],
  // -3:30; -2:30 from 8 March, 05:30Z, to 1 November, 04:30Z.
  'America/St_Johns': [
    ['2026-11-23T20:20:07Z', '4:55pm', '2026-11-23T20:25Z'],
    ['2026-11-24T03:20:07Z', '12:08am', '2026-11-24T03:38Z'],
    ['2027-01-01T03:00:07Z', '1am', '2027-01-01T04:30Z'],
    ['2026-12-31T12:00:07Z', 'Jan 2, 4:56pm', '2027-01-02T20:26Z'],
    ['2026-03-08T05:00:07Z', '3:15am', '2026-03-08T05:45Z'],
    ['2026-03-08T05:00:07Z', '2:15am', '2026-03-08T05:30Z', 'skipped'],
    ['2026-11-01T03:00:07Z', '1:15am', '2026-11-01T04:45Z', 'twice'],
  ],
  // +10:30; +11 until 4 April, 15:00Z, and from 3 October, 15:30Z: half an hour comes twice, half an hour is skipped.
  'Australia/Lord_Howe': [
    ['2026-11-23T05:50:07Z', '4:55pm', '2026-11-23T05:55Z'],
    ['2026-11-23T12:50:07Z', '12:08am', '2026-11-23T13:08Z'],
    ['2026-12-31T12:50:07Z', '3am', '2026-12-31T16:00Z'],
    ['2026-04-04T14:00:07Z', '1:29am', '2026-04-04T14:29Z'],
    ['2026-04-04T14:00:07Z', '1:30am', '2026-04-04T15:00Z', 'twice'],
    ['2026-04-04T14:00:07Z', '1:45am', '2026-04-04T15:15Z', 'twice'],
    ['2026-04-04T14:00:07Z', '2am', '2026-04-04T15:30Z'],
    ['2026-10-03T15:00:07Z', '2:15am', '2026-10-03T15:30Z', 'skipped'],
    ['2026-10-03T15:00:07Z', '2:45am', '2026-10-03T15:45Z'],
  ],
  // +2; +3 from 23 April, 22:00Z, to 29 October, 21:00Z: at midnight.
  'Africa/Cairo': [
    ['2026-11-23T14:50:07Z', '4:55pm', '2026-11-23T14:55Z'],
    ['2026-04-23T21:50:07Z', '12:08am', '2026-04-23T22:00Z', 'skipped'],
    ['2026-04-23T21:50:07Z', '1:05am', '2026-04-23T22:05Z'],
    ['2026-10-29T19:30:07Z', '11:30pm', '2026-10-29T21:30Z', 'twice'],
    ['2026-10-29T20:50:07Z', '12:08am', '2026-10-29T22:08Z'],
    ['2026-12-31T21:50:07Z', '3am', '2027-01-01T01:00Z'],
  ],
  // +1; +2 from 29 March to 25 October, 01:00Z.
  'Europe/Berlin': [
    ['2026-11-23T15:50:07Z', '4:55pm', '2026-11-23T15:55Z'],
    ['2026-11-23T22:50:07Z', '12:08am', '2026-11-23T23:08Z'],
    ['2026-12-31T22:50:07Z', '3am', '2027-01-01T02:00Z'],
    ['2026-03-28T22:00:07Z', '4am', '2026-03-29T02:00Z'],
    ['2026-03-29T00:30:07Z', '2:30am', '2026-03-29T01:00Z', 'skipped'],
    ['2026-03-29T00:30:07Z', '3:15am', '2026-03-29T01:15Z'],
    ['2026-10-24T23:50:07Z', '1:59am', '2026-10-24T23:59Z'],
    ['2026-10-24T23:50:07Z', '2am', '2026-10-25T01:00Z', 'twice'],
    ['2026-10-24T23:50:07Z', '2:30am', '2026-10-25T01:30Z', 'twice'],
    ['2026-10-25T00:40:07Z', '2:30am', '2026-10-25T01:30Z'],
    ['2026-10-25T01:40:07Z', '2:30am', '2026-10-26T01:30Z'],
    ['2026-10-24T23:50:07Z', '3am', '2026-10-25T02:00Z'],
    ['2026-10-22T10:00:07Z', 'Oct 25, 2:30am', '2026-10-25T01:30Z', 'twice'],
  ],
  // -5; -4 from 8 March, 07:00Z, to 1 November, 06:00Z.
  'America/New_York': [
    ['2026-11-23T21:50:07Z', '4:55pm', '2026-11-23T21:55Z'],
    ['2026-11-24T04:50:07Z', '12:08am', '2026-11-24T05:08Z'],
    ['2027-01-01T04:50:07Z', '3am', '2027-01-01T08:00Z'],
    ['2026-03-08T06:30:07Z', '2:30am', '2026-03-08T07:00Z', 'skipped'],
    ['2026-03-08T06:30:07Z', '3:15am', '2026-03-08T07:15Z'],
    ['2026-11-01T04:50:07Z', '1am', '2026-11-01T06:00Z', 'twice'],
    ['2026-11-01T04:50:07Z', '1:30am', '2026-11-01T06:30Z', 'twice'],
    ['2026-11-01T04:50:07Z', '2am', '2026-11-01T07:00Z'],
  ],
};

const ALL = Object.entries(CASES).flatMap(([zone, rows]) =>
  rows.map(([said, time, resets, night]) => [zone, said, time, resets, night] as const),
);

afterEach(() => {
  vi.unstubAllEnvs();
});

/** What an agent's limit lasts until, on a machine of this zone. */
function until(agent: string, zone: string, said: string, message: string, records: readonly unknown[]): string {
  vi.stubEnv('TZ', zone);
  const turn = { cause: 'rate-limit', message, records, at: Date.parse(said), zone: null };
  const resetsAt = agentByName(agent)?.limits?.reached(turn)?.resetsAt ?? null;
  return resetsAt === null ? 'never' : new Date(resetsAt).toISOString().replace(':00.000Z', 'Z');
}

// A time that clocks show twice is the later one, and one that they skip the moment after: a session that goes on too early is only stopped again.

it.each(ALL)('Claude in %s at %s: resets %s is %s', (zone, said, time, resets) => {
  const message = `You've hit your session limit · resets ${time} (${zone})`;
  // Its words name the zone: this machine's does not matter.
  for (const machine of ['UTC', 'Pacific/Kiritimati', zone])
    expect(until('claude', machine, said, message, [])).toBe(resets);
});

/** The same as Codex writes it: minutes and half of the day always, the year with a date. */
function byCodex(time: string, zone: string, resets: string): string {
  const [, date, hour, minute = '00', half = ''] = /^(?:(\w+ \d+), )?(\d+)(?::(\d+))?([ap]m)$/.exec(time) ?? [];
  const year = new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric' }).format(Date.parse(resets));
  return `${date === undefined ? '' : `${date}th, ${year} `}${hour}:${minute} ${half.toUpperCase()}`;
}

it.each(ALL)('Codex on a machine in %s at %s: try again at %s is %s', (zone, said, time, resets) => {
  const message = `You've hit your usage limit. Upgrade to Pro, or try again at ${byCodex(time, zone, resets)}.`;
  const error = { message, codex_error_info: 'usage_limit_exceeded' };
  const end = { timestamp: said, type: 'event_msg', payload: { type: 'task_complete', error } };
  // By the line's own time: it may be read later.
  const read = new Date(Date.parse(said) + 3 * 3_600_000).toISOString();
  expect(until('codex', zone, read, message, [end])).toBe(resets);
});

/** What the clock of a zone shows, as Claude writes it. */
const shownIn = (zone: string, instant: number): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', minute: '2-digit' })
    .format(instant)
    .replace(/(?::00)?\s/, '')
    .toLowerCase();

it.each(ALL)(
  'in %s at %s: its clock shows %s at %s, and no other time is nearer',
  (zone, said, named, resets, night) => {
    const time = named.replace(/^.*, /, '');
    const minutes = (from: number, to: number): number[] => {
      const found: number[] = [];
      for (let at = from; at < to; at += 60_000) if (shownIn(zone, at) === time) found.push(at);
      return found;
    };
    const at = Date.parse(resets);
    const from = named === time ? Math.floor(Date.parse(said) / 60_000) * 60_000 : at - 12 * 3_600_000;
    const before = minutes(from, at).length;
    if (night === 'skipped') expect([before, minutes(at, at + 3_600_000)]).toEqual([0, []]);
    else
      expect([shownIn(zone, at), before, minutes(at + 60_000, at + 7_200_000)]).toEqual([
        time,
        night === 'twice' ? 1 : 0,
        [],
      ]);
  },
);
