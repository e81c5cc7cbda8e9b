// An escalation in virtual time: ended at each step by each means, with a restart at every moment, with clocks set, muted, and over the nights on which clocks change.
import { describe, expect, test } from 'vitest';
import { DESK_AND_PHONE, shortTitle } from '../support/people-channels.ts';
import { type Action, type Moment, play, timeline } from '../support/timeline.ts';

const settings = (more = '', route = ''): string => `
${DESK_AND_PHONE}[[routes]]
match = { kind = ["agent.waiting", "session.failed"] }
to = ["desk"]
${route === '' ? 'escalate = [{ after = "2m", to = ["phone"] }, { after = "10m", to = ["desk"] }]' : route}
${more}
`;

const played = async (
  text: string,
  moments: readonly Moment[],
  end: number,
  start?: number,
): Promise<readonly string[]> => (await play(text, moments, end, start)).map(shortTitle);

const ALL = [
  '0 desk send asks',
  '120 phone send asks (not acknowledged for 2 min)',
  '600 desk send asks (not acknowledged for 10 min)',
];
const MEANS: readonly Action[] = ['ack', 'answer a', 'answer elsewhere', 'prompt a', 'finish a', 'end a'];

describe('ended', () => {
  for (const means of MEANS)
    test.each<[at: number, sent: number]>([
      [1, 1],
      [119, 1],
      [121, 2],
      [599, 2],
      [601, 3],
    ])(`by "${means}" after %i s`, async (at, sent) => {
      expect(
        await played(
          settings(),
          [
            [0, 'ask a'],
            [at, means],
          ],
          3_600,
        ),
      ).toEqual(ALL.slice(0, sent));
    });
});

test('a step says why it waits where what came before it was late', async () => {
  const line = await timeline(settings());
  await line.act('down desk');
  await line.act('ask a');
  await line.to(60);
  await line.act('up desk');
  await line.to(150);
  const [step] = await line.harness.store.deliveries({ channel: 'phone' });
  expect([step?.state, step?.lastError]).toEqual(['pending', 'counts from when the message before it was sent']);
});

describe('a restart', () => {
  test.each([0, 1, 60, 119, 120, 121, 300, 599, 600, 601])('after %i s', async (at) => {
    expect(
      await played(
        settings(),
        [
          [0, 'ask a'],
          [at, 'restart'],
        ],
        3_600,
      ),
    ).toEqual(ALL);
  });
  test('every minute', async () => {
    const restarts = Array.from({ length: 15 }, (_, i): Moment => [i * 60 + 30, 'restart']);
    expect(await played(settings(), [[0, 'ask a'], ...restarts], 3_600)).toEqual(ALL);
  });
});

describe('a clock', () => {
  test.each<[at: number, by: number]>([
    [60, -3_600],
    [60, -86_400],
    [300, -3_600],
    [119, -60],
  ])('set after %i s by %i s: no step waits longer from then than it was to, and none comes twice', async (at, by) => {
    const moments: readonly Moment[] = [
      [0, 'ask a'],
      [at, `clock ${by}`],
    ];
    const later = (due: number): number => (due <= at ? due : Math.min(at + due, due - by));
    expect(await played(settings(), moments, 3_600)).toEqual([
      ALL[0],
      `${later(120)} phone send asks (not acknowledged for 2 min)`,
      `${later(600)} desk send asks (not acknowledged for 10 min)`,
    ]);
  });
  test('set forward: of what is due by then one comes at once, the next as long after it as was planned', async () => {
    expect(
      await played(
        settings(),
        [
          [0, 'ask a'],
          [60, 'clock 3600'],
        ],
        3_600,
      ),
    ).toEqual([
      ALL[0],
      '60 phone send asks (not acknowledged for 2 min)',
      '540 desk send asks (not acknowledged for 10 min)',
    ]);
  });
});

describe('a mute', () => {
  test.each<[name: string, moments: readonly Moment[], expected: readonly string[]]>([
    [
      'urgent: the first and its steps pass',
      [
        [0, 'mute'],
        [1, 'fail a'],
      ],
      [
        '1 desk send failed',
        '121 phone send failed (not acknowledged for 2 min)',
        '601 desk send failed (not acknowledged for 10 min)',
      ],
    ],
    [
      'of all: in the digest, which its steps follow',
      [
        [0, 'mute all'],
        [1, 'fail a'],
        [60, 'unmute'],
      ],
      [
        '60 desk send While it was muted: 1 failed',
        '180 phone send failed (not acknowledged for 2 min)',
        '660 desk send failed (not acknowledged for 10 min)',
      ],
    ],
    [
      'of all after the first',
      [
        [0, 'fail a'],
        [60, 'mute all'],
        [200, 'unmute'],
      ],
      [
        '0 desk send failed',
        '200 phone send While it was muted: 1 failed',
        '600 desk send failed (not acknowledged for 10 min)',
      ],
    ],
    [
      'and an urgent one beside it',
      [
        [0, 'ask a'],
        [60, 'mute 3000'],
        [61, 'fail b'],
        [62, 'ack'],
      ],
      [
        '0 desk send asks',
        '61 desk send failed',
        '3060 phone send While it was muted: 1 still waiting',
        '3060 desk send While it was muted: 1 still waiting',
      ],
    ],
  ])('%s', async (_name, moments, expected) => {
    expect([...(await played(settings(), moments, 3_600))].sort()).toEqual([...expected].sort());
  });
});

const SPRING = Date.UTC(2026, 2, 28, 20, 30); // 21:30 in Berlin, an hour less in the night
const AUTUMN = Date.UTC(2026, 9, 24, 19, 30); // 21:30 in Berlin, an hour more in the night

describe('a night on which clocks change', () => {
  test.each<[name: string, start: number, hours: string, end: number]>([
    ['spring', SPRING, '22:00-07:00', 8.5 * 3_600],
    ['autumn', AUTUMN, '22:00-07:00', 10.5 * 3_600],
    ['spring, to a time that is skipped', SPRING, '22:00-02:30', 4.5 * 3_600],
    ['autumn, to a time that comes twice', AUTUMN, '22:00-02:30', 6 * 3_600],
  ])('%s', async (_name, start, hours, end) => {
    const quiet = `[quiet]\nhours = ["${hours}"]\nzone = "Europe/Berlin"`;
    const moments: readonly Moment[] = [
      [60, 'ask a'],
      [1_700, 'ask b'],
      [3_600, 'ask c'],
      [3_700, 'ask d'],
      [4_000, 'answer d'],
    ];
    expect(await played(settings(quiet, 'delay = "5m"'), moments, 50_000, start)).toEqual([
      '360 desk send asks',
      `${end} desk send While it was quiet: 2 still waiting`,
    ]);
  });
});
