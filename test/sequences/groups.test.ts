// Groups and storms in virtual time against the real pipeline and store: what each channel gets, and when.
import { describe, expect, test } from 'vitest';
import { type Moment, play } from '../support/timeline.ts';

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
[channels.audit]
type = "webhook"
url = "http://127.0.0.1:9/"
allow_private = true
${more}
[[routes]]
match = { kind = ["agent.waiting", "agent.finished", "session.failed", "session.ended"] }
${route.includes('to =') ? '' : 'to = ["phone"]'}
${route}
`;

type Case = readonly [
  name: string,
  route: string,
  moments: readonly Moment[],
  end: number,
  expected: readonly string[],
  more?: string,
];

/** Titles without what differs by wording elsewhere. */
const short = (line: string): string =>
  line
    .replace(/(\w+): Claude (needs permission|asks|wants)[^(]*?(?= \(|$)/, '$1 asks')
    .replace(/(\w+): Claude finished[^(]*?(?= \(|$)/, '$1 done')
    .replace(/(\w+): Claude stopped[^(]*?(?= \(|$)/, '$1 failed')
    .replace(/(\w+): Claude's session ended[^(]*(\(error\))?/, '$1 ended');

const BY_KIND = 'group = { by = ["kind"], wait = "2s", every = "1m" }';
const finishes = (count: number, at: (i: number) => number): readonly Moment[] =>
  Array.from({ length: count }, (_, i): Moment => [at(i), `finish s${i}@p${i}`]);

const GROUPS: readonly Case[] = [
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
];

describe.each<[group: string, cases: readonly Case[]]>([['groups', GROUPS]])('%s', (_group, cases) => {
  for (const [name, route, moments, end, expected, more = ''] of cases)
    test(name, async () => {
      expect((await play(settings(route, more), moments, end)).map(short)).toEqual(expected);
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
