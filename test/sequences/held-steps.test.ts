// What follows a first send, when that is held or late: nothing of it is lost, what nothing holds keeps its time, and the rest counts from when people were told.
import { describe, expect, test } from 'vitest';
import { AUDIT, DESK_AND_PHONE, type SequenceCase, shortTitle } from '../support/people-channels.ts';
import { type Moment, play } from '../support/timeline.ts';

const settings = (route: string, more = ''): string => `
${DESK_AND_PHONE}[[routes]]
match = { kind = ["agent.waiting", "agent.finished"] }
${/^to =/m.test(route.split('[[')[0] ?? '') ? '' : 'to = ["desk"]'}
${route}
${more}
`;
const quiet = (hours: string, more = ''): string => `[quiet]\nhours = ["${hours}"]\nzone = "UTC"\n${more}`;
const STEPS = 'escalate = [{ after = "2m", to = ["phone"] }, { after = "10m", to = ["desk"] }]';
const SOON = 'escalate = [{ after = "3s", to = ["phone"] }]';
const GROUP = 'group = { by = ["project"], wait = "10s", every = "1m" }';
const MUTED = 'While it was muted: 1 still waiting';
const QUIET = 'While it was quiet: 1 still waiting';
const first = (at: number): string => `${at} desk send asks`;
const phone = (at: number): string => `${at} phone send asks (not acknowledged for 2 min)`;
const desk = (at: number): string => `${at} desk send asks (not acknowledged for 10 min)`;

const HELD: readonly SequenceCase[] = [
  [
    'a muted first channel leaves a step on another its time',
    SOON,
    [
      [0, 'mute 3600 desk'],
      [1, 'ask a'],
    ],
    4_000,
    ['4 phone send asks (not acknowledged for 3 s)', `3600 desk send ${MUTED}`],
  ],
  [
    'all muted: the steps count from the digest',
    STEPS,
    [
      [0, 'mute 300'],
      [1, 'ask a'],
    ],
    4_000,
    [`300 desk send ${MUTED}`, phone(420), desk(900)],
  ],
  [
    'muted for longer than the steps take',
    STEPS,
    [
      [0, 'mute 86400'],
      [1, 'ask a'],
    ],
    90_000,
    [`86400 desk send ${MUTED}`, phone(86_520), desk(87_000)],
  ],
  [
    'until unmuted',
    STEPS,
    [
      [0, 'mute'],
      [1, 'ask a'],
      [400, 'unmute'],
    ],
    4_000,
    [`400 desk send ${MUTED}`, phone(520), desk(1_000)],
  ],
  [
    'the same, unmuted before a step is due',
    STEPS,
    [
      [0, 'mute'],
      [1, 'ask a'],
      [60, 'unmute'],
    ],
    4_000,
    [`60 desk send ${MUTED}`, phone(180), desk(660)],
  ],
  [
    'a step on a muted channel comes in its digest, where people were told before',
    STEPS,
    [
      [0, 'mute 400 phone'],
      [1, 'ask a'],
    ],
    4_000,
    [first(1), `400 phone send ${MUTED}`, desk(601)],
  ],
  [
    'of two channels one is muted, and it has a step of its own',
    `to = ["desk", "phone"]\n${STEPS}`,
    [
      [0, 'mute 300 desk'],
      [1, 'ask a'],
    ],
    4_000,
    ['1 phone send asks', phone(121), `300 desk send ${MUTED}`, desk(601)],
  ],
  [
    'quiet hours',
    STEPS,
    [[1, 'ask a']],
    4_000,
    [`1800 desk send ${QUIET}`, phone(1_920), desk(2_400)],
    quiet('12:00-12:30'),
  ],
  [
    'quiet hours of one channel',
    STEPS,
    [[1, 'ask a']],
    4_000,
    [phone(121), `1800 desk send ${QUIET}`],
    quiet('12:00-12:30', 'channels = ["desk"]'),
  ],
  [
    'quiet hours, then a mute',
    STEPS,
    [
      [1, 'ask a'],
      [60, 'mute 3540'],
    ],
    8_000,
    [`3600 desk send ${MUTED}`, phone(3_720), desk(4_200)],
    quiet('12:00-12:30'),
  ],
  [
    'answered while it was held',
    STEPS,
    [
      [0, 'mute 300'],
      [1, 'ask a'],
      [200, 'answer a'],
    ],
    4_000,
    [],
  ],
  [
    'acknowledged after the digest',
    STEPS,
    [
      [0, 'mute 300'],
      [1, 'ask a'],
      [310, 'ack'],
    ],
    4_000,
    [`300 desk send ${MUTED}`],
  ],
  [
    'a delay that ends in a mute',
    `delay = "5m"\n${STEPS}`,
    [
      [0, 'ask a'],
      [60, 'mute 600'],
    ],
    4_000,
    [`660 desk send ${MUTED}`, phone(780), desk(1_260)],
  ],
  [
    'a group that is muted',
    `${GROUP}\n${STEPS}`,
    [
      [0, 'mute 300'],
      [1, 'ask a'],
    ],
    4_000,
    [`300 desk send ${MUTED}`, phone(420), desk(900)],
  ],
  [
    'a group that is muted before it goes out',
    `${GROUP}\n${STEPS}`,
    [
      [0, 'ask a'],
      [1, 'mute 299'],
    ],
    4_000,
    [`300 desk send ${MUTED}`, phone(420), desk(900)],
  ],
  [
    'a group of which one channel is muted',
    `to = ["desk", "phone"]\n${GROUP}\n${STEPS}`,
    [
      [0, 'mute 3600 phone'],
      [1, 'ask a'],
    ],
    3_000,
    ['11 desk send asks', '611 desk send asks (not acknowledged for 10 min)'],
  ],
  [
    'a group of which one channel is muted before it goes out: its step once',
    `to = ["desk", "phone"]\n${GROUP}\nescalate = [{ after = "2m", to = ["desk"] }]`,
    [
      [0, 'ask a'],
      [1, 'ask b'],
      [2, 'mute 3600 phone'],
    ],
    4_000,
    [
      '10 desk send payments: 2 sessions need permission',
      '130 desk send payments: 2 sessions need permission (not acknowledged for 2 min)',
      '3602 phone send While it was muted: 2 still waiting',
    ],
  ],
  [
    'a group of which a record alone goes out: its step once, at its time',
    `to = ["audit", "desk"]\n${GROUP}\nescalate = [{ after = "2m", to = ["phone"] }]`,
    [
      [0, 'ask a'],
      [1, 'mute 299 desk'],
    ],
    3_000,
    ['10 audit send asks', phone(130), `300 desk send ${MUTED}`],
    AUDIT,
  ],
  [
    'a muted group with a record, acknowledged after the digest',
    `to = ["audit", "desk"]\n${GROUP}\nescalate = [{ after = "2m", to = ["phone"] }]`,
    [
      [0, 'ask a'],
      [1, 'mute 299 all'],
      [310, 'ack'],
    ],
    3_000,
    ['10 audit send asks', `300 desk send ${MUTED}`],
    AUDIT,
  ],
  [
    'reminders',
    'repeat = "10m"',
    [
      [0, 'mute 300'],
      [1, 'ask a'],
    ],
    1_700,
    [`300 desk send ${MUTED}`, desk(900), '1500 desk send asks (not acknowledged for 20 min)'],
  ],
  [
    'reminders, muted for long and until unmuted',
    'repeat = "10m"',
    [
      [0, 'mute'],
      [1, 'ask a'],
      [9_000, 'unmute'],
    ],
    10_000,
    [`9000 desk send ${MUTED}`, desk(9_600)],
  ],
  [
    'reminders in quiet hours',
    'repeat = "10m"',
    [[1, 'ask a']],
    2_500,
    [`1800 desk send ${QUIET}`, desk(2_400)],
    quiet('12:00-12:30'),
  ],
  [
    'a mute that began after the first: its reminders once, in the digest',
    'repeat = "10m"',
    [
      [0, 'ask a'],
      [60, 'mute 7200'],
    ],
    7_700,
    [first(0), `7260 desk send ${MUTED}`],
  ],
];

const LATE: readonly SequenceCase[] = [
  [
    'suspended before the first',
    `delay = "1m"\n${STEPS}`,
    [
      [0, 'ask a'],
      [30, 'sleep 3600'],
    ],
    9_000,
    [first(3_630), phone(3_750), desk(4_230)],
  ],
  [
    'the same, with the channel of a step served first',
    'to = ["phone"]\ndelay = "1m"\nescalate = [{ after = "2m", to = ["desk"] }, { after = "10m", to = ["desk"] }]',
    [
      [0, 'ask a'],
      [30, 'sleep 3600'],
    ],
    9_000,
    [
      '3630 phone send asks',
      '3750 desk send asks (not acknowledged for 2 min)',
      '4230 desk send asks (not acknowledged for 10 min)',
    ],
  ],
  [
    'suspended after the first: of two steps that are overdue one comes at once',
    STEPS,
    [
      [0, 'ask a'],
      [60, 'sleep 3600'],
    ],
    9_000,
    [first(0), phone(3_660), desk(4_140)],
  ],
  [
    'the same, with the channel of the later step served first',
    `to = ["phone"]\nescalate = [{ after = "2m", to = ["phone"] }, { after = "10m", to = ["desk"] }]`,
    [
      [0, 'ask a'],
      [60, 'sleep 3600'],
    ],
    9_000,
    ['0 phone send asks', phone(3_660), desk(4_140)],
  ],
  [
    'its channel fails: the steps keep their time',
    STEPS,
    [
      [0, 'down desk'],
      [1, 'ask a'],
      [300, 'up desk'],
    ],
    4_000,
    [phone(121), first(300), desk(601)],
  ],
  [
    'an outage of hours: reminders of what its digest tells are its own, and begin again',
    'repeat = "1h"',
    [
      [0, 'down desk'],
      ...(['a', 'b', 'c', 'd'] as const).map((session): Moment => [1, `ask ${session}`]),
      [9_000, 'up desk'],
    ],
    17_000,
    [
      '9000 desk send While this channel was failing: 4 still waiting',
      '12600 desk send payments: 4 sessions need permission (not acknowledged for 1 h)',
      '16200 desk send While this channel was failing: 4 still waiting (not acknowledged for 2 h)',
    ],
  ],
  [
    'the same of a single one',
    'repeat = "30m"',
    [
      [0, 'down desk'],
      [1, 'ask a'],
      [9_000, 'up desk'],
    ],
    13_000,
    [
      '9000 desk send While this channel was failing: 1 still waiting',
      '10800 desk send asks (not acknowledged for 30 min)',
      '12600 desk send asks (not acknowledged for 1 h)',
    ],
  ],
  [
    'it waits for somebody to leave',
    `when = "away"\n${STEPS}`,
    [
      [0, 'look'],
      [0, 'ask a'],
      [1_000, 'leave'],
    ],
    4_000,
    [first(1_022), phone(1_142), desk(1_622)],
  ],
  [
    'the same, with another channel that is muted for long',
    `when = "away"\n${STEPS}\nalso = true\n[[routes]]\nto = ["phone"]`,
    [
      [0, 'mute 80000 phone'],
      [0, 'look'],
      [0, 'ask a'],
      [1_000, 'leave'],
    ],
    4_000,
    [first(1_022), desk(1_622)],
  ],
];

for (const [kind, cases] of [
  ['held', HELD],
  ['late', LATE],
] as const)
  describe(kind, () => {
    for (const [name, route, moments, end, expected, more] of cases)
      test(name, async () => {
        expect((await play(settings(route, more), moments, end)).map(shortTitle)).toEqual(expected);
      });
  });
