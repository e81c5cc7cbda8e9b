// Groups and storms in virtual time against the real pipeline and store: what each channel gets, and when.
import { notificationIdOf } from '../../src/model/ids.ts';
import { describe, expect, test } from 'vitest';
import { AUDIT, type SequenceCase } from '../support/people-channels.ts';
import { type Moment, play, timeline } from '../support/timeline.ts';

/** A channel for people that changes what it sent, one that cannot, and a record. */
const settings = (route: string, more = ''): string => `
[channels.phone]
type = "ntfy"
topic = "belfry-of-the-tests"
on_resolved = "update"
[channels.chat]
type = "slack"
url = "https://127.0.0.1:9/services/x"
allow_private = true
${AUDIT}${more}
[[routes]]
match = { kind = ["agent.waiting", "agent.finished", "session.failed", "session.ended"] }
${/^to =/m.test(route) ? '' : 'to = ["phone"]'}
${route}
`;

/** Titles without what differs by wording elsewhere. */
const short = (line: string): string =>
  line
    .replace(/(\w+): Claude (needs permission|asks|wants)[^(]*?(?= \(|$)/, '$1 asks')
    .replace(/(\w+): Claude needs your attention/, '$1 notice')
    .replace(/(\w+): Claude finished[^(]*?(?= \(|$)/, '$1 done')
    .replace(/(\w+): Claude stopped[^(]*?(?= \(|$)/, '$1 failed')
    .replace(/(\w+): Claude's session ended[^(]*(\(error\))?/, '$1 ended');

const BY_KIND = 'group = { by = ["kind"], wait = "2s", every = "1m" }';
const finishes = (count: number, at: (i: number) => number): readonly Moment[] =>
  Array.from({ length: count }, (_, i): Moment => [at(i), `finish s${i}@p${i}`]);

const GROUPS: readonly SequenceCase[] = [
  ['one alone: as it is, after the wait', BY_KIND, [[0, 'finish a@api']], 600, ['2 phone send api done']],
  [
    'two within the wait: one with a count and names',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [1, 'finish b@web'],
    ],
    600,
    ['2 phone send 2 sessions finished: api, web'],
  ],
  [
    'a third later: updated in place',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [1, 'finish b@web'],
      [10, 'finish c@infra'],
    ],
    600,
    ['2 phone send 2 sessions finished: api, web', '62 phone update 3 sessions finished: api, web, infra'],
  ],
  [
    'a channel that cannot change: a new message',
    `to = ["chat"]\n${BY_KIND}`,
    [
      [0, 'finish a@api'],
      [10, 'finish b@web'],
      [20, 'finish c@infra'],
    ],
    600,
    ['2 chat send api done', '62 chat send 3 sessions finished: api, web, infra'],
  ],
  [
    'seen before it was due: only the record gets it, and no step follows',
    `to = ["phone", "audit"]\ndelay = "10s"\nescalate = [{ after = "30s", to = ["chat"] }]\nrepeat = "40s"\n${BY_KIND}`,
    [
      [0, 'ask a@api'],
      [5, 'ack'],
    ],
    1_800,
    ['12 audit send api asks'],
  ],
  [
    'an interval is kept, and what comes within it goes together',
    BY_KIND,
    finishes(6, (i) => i * 30),
    900,
    [
      '2 phone send p0 done',
      '62 phone update 3 sessions finished: p0, p1, p2',
      '122 phone update 5 sessions finished: p0, p1, p2, +2 more',
      '182 phone update 6 sessions finished: p0, p1, p2, +3 more',
    ],
  ],
  [
    'what comes shortly before the interval is over waits for others as well',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [61, 'finish b@web'],
      [62.5, 'finish c@infra'],
    ],
    600,
    ['2 phone send api done', '63 phone update 3 sessions finished: api, web, infra'],
  ],
  [
    'with a delay that ends after the interval: no longer than for others',
    `delay = "30s"\n${BY_KIND}`,
    [
      [0, 'finish a@api'],
      [80, 'finish b@web'],
    ],
    600,
    ['32 phone send api done', '112 phone update 2 sessions finished: api, web'],
  ],
  [
    'after ten quiet minutes another begins',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [700, 'finish b@web'],
    ],
    900,
    ['2 phone send api done', '702 phone send web done'],
  ],
  [
    'by project: each its own',
    'group = { by = ["project"], wait = "2s", every = "1m" }',
    [
      [0, 'finish a@api'],
      [0.5, 'finish b@web'],
      [1, 'finish c@api'],
    ],
    600,
    ['2 phone send api: 2 sessions finished', '2.5 phone send web done'],
  ],
  [
    'what is urgent goes at once, before and beside it',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [1, 'end b@web'],
      [1.5, 'finish c@infra'],
    ],
    600,
    ['1 phone send web ended', '2 phone send 2 sessions finished: api, infra'],
  ],
  [
    'a record that joins a group',
    `to = ["audit"]\n${BY_KIND}`,
    [
      [0, 'finish a@api'],
      [1, 'finish b@web'],
      [30, 'finish c@infra'],
    ],
    600,
    ['2 audit send 2 sessions finished: api, web', '62 audit send 3 sessions finished: api, web, infra'],
  ],
  [
    'a group of records alone: people are told later where its route says so',
    `to = ["audit"]\n${BY_KIND}\nescalate = [{ after = "2m", to = ["phone"] }]`,
    [
      [0, 'ask a@api'],
      [1, 'ask b@web'],
    ],
    600,
    [
      '2 audit send 2 sessions need permission: api, web',
      '122 phone send 2 sessions need permission: api, web (not acknowledged for 2 min)',
    ],
  ],
  [
    'a route that sends alone wins on its channel',
    `also = true\n${BY_KIND}`,
    [
      [0, 'finish a@api'],
      [1, 'finish b@web'],
    ],
    600,
    ['0 phone send api done', '1 phone send web done'],
    'ROUTE [[routes]]\nto = ["phone"]',
  ],
  [
    'a record beside it gets each at once',
    `also = true\n${BY_KIND}`,
    [
      [0, 'finish a@api'],
      [1, 'finish b@web'],
    ],
    600,
    ['0 audit send api done', '1 audit send web done', '2 phone send 2 sessions finished: api, web'],
    'ROUTE [[routes]]\nto = ["audit"]',
  ],
  [
    'with a delay: each waits for itself, then for others',
    `delay = "10s"\n${BY_KIND}`,
    [
      [0, 'finish a@api'],
      [1, 'finish b@web'],
      [5, 'prompt a'],
    ],
    600,
    ['12 phone send web done'],
  ],
];

const OVER: readonly SequenceCase[] = [
  [
    'over before it goes out',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [1, 'prompt a@api'],
    ],
    600,
    [],
  ],
  [
    'one of two over before it goes out',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [0.5, 'finish b@web'],
      [1, 'prompt a@api'],
    ],
    600,
    ['2 phone send web done'],
  ],
  [
    'a finish that is over afterwards changes nothing until all are',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [0.5, 'finish b@web'],
      [10, 'prompt a@api'],
      [90, 'prompt b@web'],
    ],
    600,
    ['2 phone send 2 sessions finished: api, web', '90 phone update 2 sessions finished: api, web'],
  ],
  [
    'and is left out when it grows',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [0.5, 'finish b@web'],
      [10, 'prompt a@api'],
      [20, 'finish c@infra'],
    ],
    600,
    ['2 phone send 2 sessions finished: api, web', '62 phone update 2 sessions finished: web, infra'],
  ],
  [
    'a prompt that is answered leaves the list',
    BY_KIND,
    [
      [0, 'ask a@api'],
      [0.5, 'ask b@web'],
      [1, 'ask c@infra'],
      [10, 'answer b@web'],
    ],
    600,
    [
      '2 phone send 3 sessions need permission: api, web, infra',
      '62 phone update 2 sessions need permission: api, infra',
    ],
  ],
  [
    'and what comes just before that is shown goes with it',
    BY_KIND,
    [
      [0, 'ask a@api'],
      [0.5, 'ask b@web'],
      [10, 'answer b@web'],
      [61, 'ask c@infra'],
    ],
    600,
    ['2 phone send 2 sessions need permission: api, web', '62 phone update 2 sessions need permission: api, infra'],
  ],
  [
    'the last one is shown as it was alone, then it is over',
    BY_KIND,
    [
      [0, 'ask a@api'],
      [0.5, 'ask b@web'],
      [100, 'answer b@web'],
      [200, 'answer a@api'],
    ],
    600,
    ['2 phone send 2 sessions need permission: api, web', '100 phone update api asks', '200 phone update api asks'],
  ],
  [
    'acknowledged: all of it, and the next begins another',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [0.5, 'finish b@web'],
      [10, 'ack'],
      [20, 'finish c@infra'],
    ],
    600,
    [
      '2 phone send 2 sessions finished: api, web',
      '10 phone update 2 sessions finished: api, web',
      '22 phone send infra done',
    ],
  ],
  [
    'escalated once for all of it',
    `${BY_KIND}\nescalate = [{ after = "2m", to = ["chat"] }]`,
    [
      [0, 'ask a@api'],
      [0.5, 'ask b@web'],
      [30, 'ask c@infra'],
    ],
    600,
    [
      '2 phone send 2 sessions need permission: api, web',
      '62 phone update 3 sessions need permission: api, web, infra',
      '122 chat send 3 sessions need permission: api, web, infra (not acknowledged for 2 min)',
    ],
  ],
  [
    'not escalated once acknowledged',
    `${BY_KIND}\nescalate = [{ after = "2m", to = ["chat"] }]`,
    [
      [0, 'ask a@api'],
      [0.5, 'ask b@web'],
      [60, 'ack'],
    ],
    600,
    ['2 phone send 2 sessions need permission: api, web', '60 phone update 2 sessions need permission: api, web'],
  ],
  [
    'not escalated once all are answered',
    `${BY_KIND}\nescalate = [{ after = "2m", to = ["chat"] }]`,
    [
      [0, 'ask a@api'],
      [0.5, 'ask b@web'],
      [60, 'answer a@api'],
      [61, 'answer b@web'],
    ],
    600,
    ['2 phone send 2 sessions need permission: api, web', '61 phone update 2 sessions need permission: api, web'],
  ],
  [
    'reminded of once for all of it',
    `${BY_KIND}\nrepeat = "5m"`,
    [
      [0, 'ask a@api'],
      [0.5, 'ask b@web'],
      [400, 'ack'],
    ],
    1_200,
    [
      '2 phone send 2 sessions need permission: api, web',
      '302 phone send 2 sessions need permission: api, web (not acknowledged for 5 min)',
      '400 phone update 2 sessions need permission: api, web',
      '400 phone update 2 sessions need permission: api, web (not acknowledged for 5 min)',
    ],
  ],
];

const QUIET = '[quiet]\nhours = ["13:00-14:00"]\nzone = "UTC"';
const HINDRANCES: readonly SequenceCase[] = [
  [
    'its channel is failing: one message with all of it afterwards',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [1, 'down phone'],
      [70, 'finish b@web'],
      [140, 'finish c@infra'],
      [500, 'up phone'],
    ],
    900,
    ['500 phone send 3 sessions finished: api, web, infra'],
  ],
  [
    'it grows while its channel is failing: changed once afterwards',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [10, 'down phone'],
      [70, 'finish b@web'],
      [140, 'finish c@infra'],
      [500, 'up phone'],
    ],
    900,
    ['2 phone send api done', '500 phone update 3 sessions finished: api, web, infra'],
  ],
  [
    'a channel that cannot change is failing: one new message afterwards',
    `to = ["chat"]\n${BY_KIND}`,
    [
      [0, 'finish a@api'],
      [10, 'down chat'],
      [70, 'finish b@web'],
      [140, 'finish c@infra'],
      [500, 'up chat'],
    ],
    900,
    ['2 chat send api done', '500 chat send 3 sessions finished: api, web, infra'],
  ],
  [
    'over while its channel is failing: nothing afterwards',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [1, 'down phone'],
      [70, 'prompt a@api'],
      [500, 'up phone'],
    ],
    900,
    [],
  ],
  [
    'the other channel goes on',
    `to = ["phone", "chat"]\n${BY_KIND}`,
    [
      [0, 'finish a@api'],
      [1, 'down chat'],
      [30, 'finish b@web'],
      [500, 'up chat'],
    ],
    900,
    [
      '2 phone send api done',
      '62 phone update 2 sessions finished: api, web',
      '500 chat send 2 sessions finished: api, web',
    ],
  ],
  [
    'restarts at every moment',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [1, 'restart'],
      [3, 'restart'],
      [10, 'finish b@web'],
      [11, 'restart'],
      [100, 'restart'],
    ],
    600,
    ['2 phone send api done', '62 phone update 2 sessions finished: api, web'],
  ],
  [
    'in quiet hours: the digest',
    BY_KIND,
    [
      [3_590, 'finish a@api'],
      [3_605, 'finish b@web'],
      [3_700, 'finish c@infra'],
    ],
    8_000,
    ['3592 phone send api done', '7200 phone send While it was quiet: 2 finished'],
    QUIET,
  ],
  [
    'quiet hours begin before it would grow: the digest',
    BY_KIND,
    [
      [3_580, 'finish a@api'],
      [3_590, 'finish b@web'],
    ],
    8_000,
    ['3582 phone send api done', '7200 phone send While it was quiet: 1 finished'],
    QUIET,
  ],
  [
    'urgent in quiet hours passes',
    BY_KIND,
    [
      [3_700, 'finish a@api'],
      [3_800, 'end b@web'],
    ],
    8_000,
    ['3800 phone send web ended', '7200 phone send While it was quiet: 1 finished'],
    QUIET,
  ],
  [
    'muted: the digest, then groups again',
    BY_KIND,
    [
      [0, 'mute 600'],
      [60, 'finish a@api'],
      [70, 'finish b@web'],
      [700, 'finish c@infra'],
    ],
    900,
    ['600 phone send While it was muted: 2 finished', '702 phone send infra done'],
  ],
  [
    'muted while it waits: the digest',
    BY_KIND,
    [
      [0, 'finish a@api'],
      [1, 'mute 600'],
    ],
    900,
    ['601 phone send While it was muted: 1 finished'],
  ],
];

describe.each<[group: string, cases: readonly SequenceCase[]]>([
  ['groups', GROUPS],
  ['what is over', OVER],
  ['what is in the way', HINDRANCES],
])('%s', (_group, cases) => {
  for (const [name, route, moments, end, expected, more = ''] of cases)
    test(name, async () => {
      const own = more.startsWith('ROUTE ') ? settings(route) + more.slice(6) : settings(route, more);
      expect((await play(own, moments, end)).map(short)).toEqual(expected);
    });
});

test('twenty finishes', async () => {
  const got = await play(
    settings(BY_KIND),
    finishes(20, (i) => i / 20),
    600,
  );
  expect(got).toEqual(['2 phone send 20 sessions finished: p0, p1, p2, +17 more']);
});

/** So many prompts of one session, none of which is answered. */
const burst = (count: number, from: number, gap: number, session = 'a'): readonly Moment[] =>
  Array.from({ length: count }, (_, i): Moment => [from + i * gap, `notice ${session}`]);

const ALL = '';
const notices = (count: number, from: number, gap: number, channel = 'phone'): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${from + i * gap} ${channel} send payments notice`);

describe('storms', () => {
  test('twenty in a minute are sent each, what follows is one with a count', async () => {
    const got = await play(settings(ALL), burst(30, 0, 1), 600);
    expect(got.map(short)).toEqual([
      ...notices(20, 0, 1),
      '22 phone send payments: 2 more notifications from Claude',
      '37 phone update payments: 10 more notifications from Claude',
    ]);
  });

  test('each channel by itself, and a record gets each', async () => {
    const got = await play(settings('to = ["chat", "audit"]'), burst(25, 0, 1), 600);
    const of = (channel: string) => got.filter((line) => line.includes(` ${channel} `)).map(short);
    expect(of('audit')).toEqual(notices(25, 0, 1, 'audit'));
    expect(of('chat')).toEqual([
      ...notices(20, 0, 1, 'chat'),
      '22 chat send payments: 2 more notifications from Claude',
      '37 chat send payments: 5 more notifications from Claude',
    ]);
  });

  test('other sessions and what is urgent arrive at once', async () => {
    const moments: readonly Moment[] = [...burst(22, 0, 1), [22.5, 'ask b'], [23, 'end a']];
    const got = await play(settings(ALL), moments, 25);
    const sends = got.filter((line) => line.includes(' send '));
    expect(sends.map(short).slice(20)).toEqual([
      '22 phone send payments: 2 more notifications from Claude',
      '22.5 phone send payments asks',
      '23 phone send payments ended',
    ]);
  });

  test('a question is never part of one: it is sent whole, and can be answered', async () => {
    const moments: readonly Moment[] = [...burst(25, 0, 1), [25.5, 'ask a'], [60, 'answer a']];
    const line = await timeline(settings(ALL));
    for (const [at, action] of moments) {
      await line.to(at);
      await line.act(action);
    }
    const own = line.got.filter(({ title }) => title.includes('permission'));
    expect(own.map(({ at, operation, step }) => `${at} ${operation} ${step}`)).toEqual(['25.5 send 0', '60 update 0']);
    const [asked] = await line.harness.store.events({ kinds: ['agent.waiting'], limit: 1 });
    expect(own[0]?.events).toEqual([asked?.event.id]);
    expect(own[0]?.notificationId).toBe(notificationIdOf(asked?.event.id ?? ''));
  });

  test('twenty spread over more than a minute are none', async () => {
    expect((await play(settings(ALL), burst(30, 0, 4), 600)).map(short)).toEqual(notices(30, 0, 4));
  });

  test('all over ends it', async () => {
    const moments: readonly Moment[] = [...burst(22, 0, 1), [30, 'prompt a']];
    const got = await play(settings(ALL), moments, 600);
    expect(got).toContain('30 phone update payments: 2 more notifications from Claude');
  });
});

test('a channel that is removed while its group waits holds up none of the others', async () => {
  const line = await timeline(settings(`to = ["phone", "chat"]\n${BY_KIND}`));
  for (const session of ['a@api', 'b@web']) await line.act(`finish ${session}`);
  const { channels } = line.harness.config;
  line.harness.config = { ...line.harness.config, channels: channels.filter(({ name }) => name !== 'phone') };
  await line.to(5);
  expect(line.got.filter(({ channel }) => channel === 'chat').map(({ title }) => title)).toEqual([
    '2 sessions finished: api, web',
  ]);
});
