// `when` in virtual time: what waits for its person to leave, what they saw, and what never waits.
import { describe, expect, test } from 'vitest';
import { DESK_AND_PHONE, type SequenceCase, shortTitle } from '../support/people-channels.ts';
import { play, timeline } from '../support/timeline.ts';

const settings = (route: string): string => `
${DESK_AND_PHONE}[[routes]]
to = ["desk"]
${route}
`;

const AWAY = 'when = "away"';
const IDLE = 'when = "idle"';
const STEPS = `${AWAY}\nescalate = [{ after = "2m", to = ["phone"] }]`;
const CASES: readonly SequenceCase[] = [
  ['nothing is known: at once', AWAY, [[0, 'ask a']], 60, ['0 desk send asks']],
  [
    'looking: judged again soon, then every 30 s',
    AWAY,
    [
      [0, 'look'],
      [0, 'ask a'],
      [70, 'leave'],
    ],
    300,
    ['92 desk send asks'],
  ],
  [
    'looking, and answered meanwhile',
    AWAY,
    [
      [0, 'look'],
      [0, 'ask a'],
      [70, 'answer a'],
      [71, 'leave'],
    ],
    300,
    [],
  ],
  [
    'looking, and acknowledged meanwhile',
    AWAY,
    [
      [0, 'look'],
      [0, 'ask a'],
      [70, 'ack'],
      [71, 'leave'],
    ],
    300,
    [],
  ],
  [
    'a finish that was seen is done',
    AWAY,
    [
      [0, 'look'],
      [0, 'finish a'],
      [5, 'leave'],
    ],
    300,
    [],
  ],
  [
    'a finish that somebody only reads comes once they are idle: it was not seen for certain',
    AWAY,
    [
      [0, 'read'],
      [10, 'finish a'],
    ],
    300,
    ['180 desk send finished'],
  ],
  [
    'somebody who walks away from it without a key is told',
    AWAY,
    [
      [0, 'read'],
      [10, 'finish a'],
      [15, 'leave'],
    ],
    300,
    ['18 desk send finished'],
  ],
  [
    'and it is seen by whoever types again before that',
    AWAY,
    [
      [0, 'read'],
      [10, 'finish a'],
      [100, 'look'],
    ],
    300,
    [],
  ],
  [
    'its steps as well',
    STEPS,
    [
      [0, 'look'],
      [0, 'finish a'],
      [5, 'leave'],
    ],
    900,
    [],
  ],
  [
    'what is urgent never waits',
    AWAY,
    [
      [0, 'look'],
      [0, 'end a'],
    ],
    60,
    ['0 desk send session ended abnormally (error)'],
  ],
  [
    'judged when the delay is over',
    `${AWAY}\ndelay = "10s"`,
    [
      [0, 'look'],
      [0, 'ask a'],
      [8, 'leave'],
    ],
    60,
    ['10 desk send asks'],
  ],
  [
    'and not before',
    `${AWAY}\ndelay = "10s"`,
    [
      [0, 'ask a'],
      [8, 'look'],
      [20, 'leave'],
    ],
    60,
    ['40 desk send asks'],
  ],
  [
    'a step counts from the first send',
    STEPS,
    [
      [0, 'look'],
      [0, 'ask a'],
      [70, 'leave'],
    ],
    900,
    ['92 desk send asks', '212 phone send asks (not acknowledged for 2 min)'],
  ],
  [
    'a restart while it waits',
    AWAY,
    [
      [0, 'look'],
      [0, 'ask a'],
      [40, 'restart'],
      [70, 'leave'],
    ],
    300,
    ['92 desk send asks'],
  ],
  [
    'it holds up nothing behind it',
    `${AWAY}\nalso = true\n[[routes]]\nmatch = { kind = "session.failed" }\nto = ["desk"]`,
    [
      [0, 'look'],
      [0, 'ask a'],
      [10, 'fail a'],
    ],
    40,
    ['10 desk send failed'],
  ],
  [
    'somebody who said to be away is not there',
    AWAY,
    [
      [0, 'look'],
      [0, 'away 60'],
      [1, 'ask a'],
      [70, 'ask b'],
    ],
    80,
    ['1 desk send asks'],
  ],
  [
    'until the end of that',
    AWAY,
    [
      [0, 'look'],
      [0, 'away 60'],
      [61, 'ask a'],
      [70, 'leave'],
    ],
    100,
    ['77 desk send asks'],
  ],
  ['idle: nothing is known', IDLE, [[0, 'ask a']], 60, ['0 desk send asks']],
  [
    'idle: back at the machine',
    IDLE,
    [
      [0, 'back'],
      [1, 'ask a'],
    ],
    300,
    ['183 desk send asks'],
  ],
  [
    'idle: back, then away',
    IDLE,
    [
      [0, 'back'],
      [1, 'ask a'],
      [20, 'away 600'],
    ],
    300,
    ['20 desk send asks'],
  ],
  [
    'back is not looking',
    AWAY,
    [
      [0, 'back'],
      [1, 'ask a'],
    ],
    60,
    ['1 desk send asks'],
  ],
  [
    'always, whoever looks',
    '',
    [
      [0, 'look'],
      [0, 'ask a'],
    ],
    60,
    ['0 desk send asks'],
  ],
];

describe('when', () => {
  for (const [name, route, moments, end, expected] of CASES)
    test(name, async () => {
      expect((await play(settings(route), moments, end)).map(shortTitle)).toEqual(expected);
    });
});

test('what held it back, and why it was sent, stand on the delivery; a finish that was seen is resolved', async () => {
  const line = await timeline(settings(AWAY));
  const { store } = line.harness;
  await line.act('look');
  await line.act('ask a');
  await line.act('finish b');
  await line.to(2);
  const rows = await store.deliveries({});
  expect(rows.map(({ state, scheduled, attempts, lastError }) => [state, scheduled, attempts, lastError])).toEqual([
    ['pending', true, 0, 'waits: its pane is in front of you'],
    ['cancelled', false, 0, 'seen: its pane is in front of you'],
  ]);
  const finished = (await store.notifications({})).find(({ kind }) => kind === 'agent.finished');
  expect([finished?.state, finished?.resolved?.why]).toEqual(['resolved', 'seen: its pane is in front of you']);
  await line.act('leave');
  await line.to(60);
  const [sent] = await store.deliveries({ states: ['sent'] });
  expect([sent?.attempts, sent?.lastReason, sent?.lastError]).toEqual([0, null, 'nothing shows that you are there']);
});
