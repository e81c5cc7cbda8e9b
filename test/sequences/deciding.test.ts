// Sequences in virtual time against the real pipeline and store: what each channel gets, and when.
import { describe, expect, test } from 'vitest';
import { AUDIT, DESK_AND_PHONE, type SequenceCase } from '../support/people-channels.ts';
import { play } from '../support/timeline.ts';

/** A channel for people that keeps what it has, and a record. */
const settings = (route: string, more = ''): string => `
${DESK_AND_PHONE}${AUDIT}[[routes]]
to = ["desk"]
${route}
${more}
`;

/** Titles without what differs by wording elsewhere: the project, and what it is. */
const short = (line: string): string =>
  line
    .replace(/payments: Claude (needs permission|asks|wants)[^(]*?(?= \(|$)/, 'asks')
    .replace(/payments: Claude finished[^(]*?(?= \(|$)/, 'done')
    .replace(/payments: Claude stopped[^(]*?(?= \(|$)/, 'failed')
    .replace(/payments: Claude's session ended[^(]*(\(error\))?/, 'ended');

const steps = 'escalate = [{ after = "2m", to = ["phone"] }, { after = "10m", to = ["desk"] }]';
const STEP_1 = '120 phone send asks (not acknowledged for 2 min)';
const STEP_2 = '600 desk send asks (not acknowledged for 10 min)';

const DELAY: readonly SequenceCase[] = [
  ['no delay: at once', '', [[0, 'ask a']], 60, ['0 desk send asks']],
  ['still open after the delay', 'delay = "5s"', [[0, 'ask a']], 60, ['5 desk send asks']],
  [
    'answered within the delay',
    'delay = "5s"',
    [
      [0, 'ask a'],
      [3, 'answer a'],
    ],
    60,
    [],
  ],
  [
    'answered as it is due',
    'delay = "5s"',
    [
      [0, 'ask a'],
      [5, 'answer a'],
    ],
    60,
    ['5 desk send asks'],
  ],
  [
    'answered after it',
    'delay = "5s"',
    [
      [0, 'ask a'],
      [9, 'answer a'],
    ],
    60,
    ['5 desk send asks'],
  ],
  [
    'a prompt within it',
    'delay = "5s"',
    [
      [0, 'ask a'],
      [3, 'prompt a'],
    ],
    60,
    [],
  ],
  [
    'acknowledged within it',
    'delay = "5s"',
    [
      [0, 'ask a'],
      [3, 'ack'],
    ],
    60,
    [],
  ],
  [
    'a finish, and a prompt within it',
    'delay = "5s"',
    [
      [0, 'finish a'],
      [3, 'prompt a'],
    ],
    60,
    [],
  ],
  ['a finish that nobody follows up', 'delay = "5s"', [[0, 'finish a']], 60, ['5 desk send done']],
  ['what is urgent waits as long as its route says', 'delay = "5s"', [[0, 'end a']], 60, ['5 desk send ended']],
  [
    'two sessions, one answered',
    'delay = "5s"',
    [
      [0, 'ask a'],
      [1, 'ask b'],
      [3, 'answer a'],
    ],
    60,
    ['6 desk send asks'],
  ],
  [
    'a restart within it',
    'delay = "5s"',
    [
      [0, 'ask a'],
      [3, 'restart'],
    ],
    60,
    ['5 desk send asks'],
  ],
  [
    'asked, answered, asked again',
    'delay = "5s"',
    [
      [0, 'ask a'],
      [3, 'answer a'],
      [20, 'ask a'],
    ],
    60,
    ['25 desk send asks'],
  ],
  [
    'a record with a delay',
    'delay = "5s"\nto = ["audit"]',
    [
      [0, 'ask a'],
      [3, 'answer a'],
    ],
    60,
    [],
  ],
];

const ESCALATION: readonly SequenceCase[] = [
  ['nobody does anything: each step', steps, [[0, 'ask a']], 3_600, ['0 desk send asks', STEP_1, STEP_2]],
  [
    'acknowledged before the first',
    steps,
    [
      [0, 'ask a'],
      [60, 'ack'],
    ],
    3_600,
    ['0 desk send asks'],
  ],
  [
    'answered before the first',
    steps,
    [
      [0, 'ask a'],
      [60, 'answer a'],
    ],
    3_600,
    ['0 desk send asks'],
  ],
  [
    'a prompt before the first',
    steps,
    [
      [0, 'ask a'],
      [60, 'prompt a'],
    ],
    3_600,
    ['0 desk send asks'],
  ],
  [
    'its turn ends before the first',
    steps,
    [
      [0, 'ask a'],
      [60, 'finish a'],
      [61, 'prompt a'],
    ],
    3_600,
    ['0 desk send asks', '60 desk send done'],
  ],
  [
    'acknowledged before the second',
    steps,
    [
      [0, 'ask a'],
      [300, 'ack'],
    ],
    3_600,
    ['0 desk send asks', STEP_1],
  ],
  [
    'answered before the second',
    steps,
    [
      [0, 'ask a'],
      [300, 'answer a'],
    ],
    3_600,
    ['0 desk send asks', STEP_1],
  ],
  [
    'a prompt before the second',
    steps,
    [
      [0, 'ask a'],
      [300, 'prompt a'],
    ],
    3_600,
    ['0 desk send asks', STEP_1],
  ],
  [
    'acknowledged after the last',
    steps,
    [
      [0, 'ask a'],
      [900, 'ack'],
    ],
    3_600,
    ['0 desk send asks', STEP_1, STEP_2],
  ],
  [
    'a restart before each step',
    steps,
    [
      [0, 'ask a'],
      [60, 'restart'],
      [300, 'restart'],
    ],
    3_600,
    ['0 desk send asks', STEP_1, STEP_2],
  ],
  [
    'counted from the delayed send',
    `delay = "30s"\n${steps}`,
    [[0, 'ask a']],
    3_600,
    [
      '30 desk send asks',
      '150 phone send asks (not acknowledged for 2 min)',
      '630 desk send asks (not acknowledged for 10 min)',
    ],
  ],
  [
    'answered within the delay: nothing at all',
    `delay = "30s"\n${steps}`,
    [
      [0, 'ask a'],
      [9, 'answer a'],
    ],
    3_600,
    [],
  ],
  [
    'two sessions: each its own',
    steps,
    [
      [0, 'ask a'],
      [10, 'ask b'],
      [60, 'answer a'],
    ],
    300,
    ['0 desk send asks', '10 desk send asks', '130 phone send asks (not acknowledged for 2 min)'],
  ],
  [
    'an abnormal end',
    steps,
    [
      [0, 'end a'],
      [300, 'ack'],
    ],
    3_600,
    ['0 desk send ended', '120 phone send ended (not acknowledged for 2 min)'],
  ],
];

const REMINDERS: readonly SequenceCase[] = [
  [
    'until it is acknowledged',
    'repeat = "10m"',
    [
      [0, 'ask a'],
      [1_300, 'ack'],
    ],
    7_200,
    [
      '0 desk send asks',
      '600 desk send asks (not acknowledged for 10 min)',
      '1200 desk send asks (not acknowledged for 20 min)',
    ],
  ],
  [
    'until it is answered',
    'repeat = "10m"',
    [
      [0, 'ask a'],
      [700, 'answer a'],
    ],
    7_200,
    ['0 desk send asks', '600 desk send asks (not acknowledged for 10 min)'],
  ],
  [
    'none where it is answered at once',
    'repeat = "10m"',
    [
      [0, 'ask a'],
      [5, 'answer a'],
    ],
    7_200,
    ['0 desk send asks'],
  ],
  ['none for a record', 'repeat = "10m"\nto = ["audit"]', [[0, 'ask a']], 7_200, ['0 audit send asks']],
  [
    'with steps',
    `repeat = "8m"\n${steps}`,
    [
      [0, 'ask a'],
      [700, 'ack'],
    ],
    7_200,
    ['0 desk send asks', STEP_1, '480 desk send asks (not acknowledged for 8 min)', STEP_2],
  ],
];

const MUTES: readonly SequenceCase[] = [
  [
    'nothing during it, a digest at its end',
    '',
    [
      [0, 'mute 600'],
      [60, 'ask a'],
      [120, 'finish b'],
    ],
    3_600,
    ['600 desk send While it was muted: 1 still waiting, 1 finished'],
  ],
  [
    'what resolved itself is not in it',
    '',
    [
      [0, 'mute 600'],
      [60, 'ask a'],
      [90, 'answer a'],
      [120, 'finish b'],
    ],
    3_600,
    ['600 desk send While it was muted: 1 finished'],
  ],
  [
    'all of it resolved: no digest',
    '',
    [
      [0, 'mute 600'],
      [60, 'ask a'],
      [90, 'answer a'],
    ],
    3_600,
    [],
  ],
  [
    'acknowledged: no digest',
    '',
    [
      [0, 'mute 600'],
      [60, 'ask a'],
      [90, 'ack'],
    ],
    3_600,
    [],
  ],
  [
    'what is urgent passes',
    '',
    [
      [0, 'mute 600'],
      [60, 'end a'],
      [120, 'ask b'],
    ],
    3_600,
    ['60 desk send ended', '600 desk send While it was muted: 1 still waiting'],
  ],
  [
    'urgent too, where it says all',
    '',
    [
      [0, 'mute all'],
      [60, 'end a'],
      [120, 'unmute'],
    ],
    3_600,
    ['120 desk send While it was muted: 1 failed'],
  ],
  [
    'unmuted early',
    '',
    [
      [0, 'mute 600'],
      [60, 'ask a'],
      [90, 'unmute'],
    ],
    3_600,
    ['90 desk send While it was muted: 1 still waiting'],
  ],
  [
    'unmuted late',
    '',
    [
      [0, 'mute'],
      [60, 'ask a'],
      [90_000, 'unmute'],
    ],
    100_000,
    ['90000 desk send While it was muted: 1 still waiting'],
  ],
  [
    'nothing held: no digest',
    '',
    [
      [0, 'mute'],
      [90, 'unmute'],
      [100, 'ask a'],
    ],
    600,
    ['100 desk send asks'],
  ],
  [
    'the steps of what was held follow its digest',
    steps,
    [
      [0, 'mute 600'],
      [60, 'ask a'],
    ],
    3_600,
    [
      '600 desk send While it was muted: 1 still waiting',
      '720 phone send asks (not acknowledged for 2 min)',
      '1200 desk send asks (not acknowledged for 10 min)',
    ],
  ],
  [
    'and so do its reminders',
    'repeat = "1m"',
    [
      [0, 'mute 600'],
      [60, 'ask a'],
    ],
    750,
    [
      '600 desk send While it was muted: 1 still waiting',
      '660 desk send asks (not acknowledged for 1 min)',
      '720 desk send asks (not acknowledged for 2 min)',
    ],
  ],
  [
    'a record gets all of it',
    'to = ["audit"]',
    [
      [0, 'mute 600'],
      [60, 'ask a'],
      [90, 'answer a'],
    ],
    3_600,
    ['60 audit send asks'],
  ],
  [
    'a restart during it',
    '',
    [
      [0, 'mute 600'],
      [60, 'ask a'],
      [90, 'restart'],
    ],
    3_600,
    ['600 desk send While it was muted: 1 still waiting'],
  ],
  [
    'asked for before its end, and again',
    '',
    [
      [0, 'mute 600'],
      [60, 'ask a'],
      [90, 'digest'],
      [100, 'ask b'],
    ],
    3_600,
    ['90 desk send While it was muted: 1 still waiting', '600 desk send While it was muted: 1 still waiting'],
  ],
  [
    'two mutes: the one that ends last counts',
    '',
    [
      [0, 'mute 600'],
      [1, 'mute 1200'],
      [60, 'ask a'],
    ],
    3_600,
    ['1201 desk send While it was muted: 1 still waiting'],
  ],
];

const QUIET = '[quiet]\nhours = ["13:00-14:00"]\nzone = "UTC"';
const HOUR: readonly SequenceCase[] = [
  ['before it', '', [[60, 'ask a']], 3_000, ['60 desk send asks'], QUIET],
  [
    'during it: a digest at its end',
    '',
    [
      [3_700, 'ask a'],
      [4_000, 'finish b'],
    ],
    8_000,
    ['7200 desk send While it was quiet: 1 still waiting, 1 finished'],
    QUIET,
  ],
  ['after it', '', [[7_300, 'ask a']], 8_000, ['7300 desk send asks'], QUIET],
  [
    'answered during it',
    '',
    [
      [3_700, 'ask a'],
      [4_000, 'answer a'],
    ],
    8_000,
    [],
    QUIET,
  ],
  ['urgent passes', '', [[3_700, 'end a']], 8_000, ['3700 desk send ended'], QUIET],
  [
    'urgent is held where it says so',
    '',
    [[3_700, 'end a']],
    8_000,
    ['7200 desk send While it was quiet: 1 failed'],
    `${QUIET}\nurgent = "hold"`,
  ],
  ['a record is not quiet', 'to = ["audit"]', [[3_700, 'ask a']], 8_000, ['3700 audit send asks'], QUIET],
  [
    'a record that the settings name',
    'to = ["audit"]',
    [[3_700, 'ask a']],
    8_000,
    ['3700 audit send asks'],
    `${QUIET}\nchannels = ["audit"]`,
  ],
  [
    'people that the settings do not name',
    '',
    [[3_700, 'ask a']],
    8_000,
    ['3700 desk send asks'],
    `${QUIET}\nchannels = ["audit"]`,
  ],
  [
    'a delay into it is held',
    'delay = "5m"',
    [[3_500, 'ask a']],
    8_000,
    ['7200 desk send While it was quiet: 1 still waiting'],
    QUIET,
  ],
  ['a delay out of it is not', 'delay = "5m"', [[7_000, 'ask a']], 8_000, ['7300 desk send asks'], QUIET],
  [
    'a step into it waits for its end',
    'escalate = [{ after = "10m", to = ["phone"] }]',
    [[3_500, 'ask a']],
    8_000,
    ['3500 desk send asks', '7200 phone send asks (not acknowledged for 1 h 2 min)'],
    QUIET,
  ],
  [
    'a step of what is held follows its digest',
    'escalate = [{ after = "10m", to = ["phone"] }]',
    [[3_700, 'ask a']],
    9_000,
    ['7200 desk send While it was quiet: 1 still waiting', '7800 phone send asks (not acknowledged for 10 min)'],
    QUIET,
  ],
  [
    'a mute that ends in it: one digest, at the later end',
    '',
    [
      [3_000, 'mute 1800'],
      [3_500, 'ask a'],
      [3_700, 'unmute'],
    ],
    8_000,
    ['7200 desk send While it was quiet: 1 still waiting'],
    QUIET,
  ],
  [
    'two in a row: two digests',
    '',
    [
      [3_700, 'ask a'],
      [90_000, 'ask b'],
    ],
    100_000,
    ['7200 desk send While it was quiet: 1 still waiting', '93600 desk send While it was quiet: 1 still waiting'],
    QUIET,
  ],
  [
    'asked for during it',
    '',
    [
      [3_700, 'ask a'],
      [3_800, 'digest'],
    ],
    8_000,
    ['3800 desk send While it was quiet: 1 still waiting'],
    QUIET,
  ],
];

describe.each<[group: string, cases: readonly SequenceCase[]]>([
  ['delay', DELAY],
  ['escalation', ESCALATION],
  ['reminders', REMINDERS],
  ['mutes', MUTES],
  ['quiet hours', HOUR],
])('%s', (_group, cases) => {
  for (const [name, route, moments, end, expected, more = ''] of cases)
    test(name, async () => {
      const text = settings(route);
      const whole = route.includes('to = ["audit"]') ? text.replace('to = ["desk"]\n', '') : text;
      expect((await play(`${whole}\n${more}`, moments, end)).map(short)).toEqual(expected);
    });
});
