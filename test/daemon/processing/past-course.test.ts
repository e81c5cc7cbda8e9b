// What a course of events would have been under some rules: routes, delays, steps, reminders, groups, storms and quiet hours, each counted as it is sent.
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { channelProfiles } from '../../../src/daemon/channels/channel-profiles.ts';
import { comparedSentence, compareRules } from '../../../src/daemon/processing/compare-rules.ts';
import { createCourse, type PastEvent, type RuleSet } from '../../../src/daemon/processing/past-course.ts';
import type { Event } from '../../../src/model/event/event.ts';
import { madeEvent, NOON } from '../../support/made.ts';

const CHANNELS = `[channels.desk]
type = "slack"
url = "https://hooks.example.com/a"
[channels.phone]
type = "ntfy"
topic = "t"
[channels.audit]
type = "webhook"
url = "https://example.com/"
`;

async function rulesOf(toml: string): Promise<RuleSet> {
  const loaded = await loadConfig(CHANNELS + toml);
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  return { config: loaded.config, profiles: channelProfiles(loaded.config) };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let made = 0;

/** At minutes after noon; `over`: minutes until it was resolved. */
function past(
  minutes: number,
  of: Partial<Event> & { readonly over?: number; readonly seen?: number } = {},
): PastEvent {
  made += 1;
  const { over, seen, ...more } = of;
  const at = NOON + minutes * MINUTE;
  return {
    event: madeEvent({ id: `event-${made}`, at, ...more }),
    verdicts: [],
    resolvedAt: over === undefined ? null : at + over * MINUTE,
    acknowledgedAt: seen === undefined ? null : at + seen * MINUTE,
  };
}

/** Messages by channel, a day and a half later. */
async function counted(toml: string, events: readonly PastEvent[], now = NOON + 36 * HOUR): Promise<object> {
  const course = createCourse(await rulesOf(toml), '/home/dev', now);
  for (const event of events) course.take(event);
  return Object.fromEntries([...course.end().channels].map(([channel, { messages }]) => [channel, messages]));
}

const ALL = '[[routes]]\nto = ["desk", "audit"]\n';
const prompt = { kind: 'agent.waiting', detail: 'permission' } as const;
/** Night in whatever zone the tests run. */
const QUIET = '[quiet]\nzone = "UTC"\nhours = ["22:00-07:00"]\n';

const cases: readonly (readonly [what: string, toml: string, events: () => readonly PastEvent[], counts: object])[] = [
  ['each to both', ALL, () => [past(0), past(1), past(2)], { desk: 3, audit: 3 }],
  ['to nobody', '[[routes]]\nto = []\n', () => [past(0)], {}],
  ['what a route has to name', ALL, () => [past(0, { kind: 'subagent.finished' })], {}],
  [
    'a delay, of which one was over before; a record of a delayed route too',
    '[[routes]]\nto = ["desk", "audit"]\ndelay = "5m"\n',
    () => [past(0, { over: 4 }), past(1, { over: 6 }), past(2, { seen: 1 })],
    { desk: 1, audit: 2 },
  ],
  [
    'steps until it is answered',
    '[[routes]]\nto = ["desk"]\nescalate = [{ after = "2m", to = ["phone"] }, { after = "10m", to = ["phone", "desk"] }]\n',
    () => [past(0, { ...prompt, over: 1 }), past(20, { ...prompt, over: 5 }), past(40, { ...prompt, seen: 15 })],
    { desk: 4, phone: 3 },
  ],
  [
    'reminders until it is answered, and for a day at most',
    '[[routes]]\nto = ["desk"]\nrepeat = "30m"\n',
    () => [past(0, { ...prompt, over: 100 }), past(200, prompt)],
    { desk: 1 + 3 + 1 + 48 },
  ],
  [
    'what waits for its client, of which one was over before',
    ALL,
    () =>
      [past(0, { ...prompt, over: 4 }), past(1, { ...prompt, over: 6 })].map((one) => ({
        ...one,
        verdicts: [{ stage: 'settle', verdict: 'change', note: '', waits: 5 * MINUTE }],
      })),
    { desk: 1, audit: 1 },
  ],
  [
    'a group, its update in place, and a second one once it is over',
    '[[routes]]\nto = ["desk", "phone"]\ngroup = { by = ["project"], wait = "1m", every = "2m" }\n',
    () => [past(0, { over: 60 }), past(0.5, { over: 60 }), past(5, { over: 60 }), past(90)],
    { desk: 3, phone: 2 },
  ],
  [
    'a group of which all are over before it goes',
    '[[routes]]\nto = ["desk"]\ngroup = { by = ["project"], wait = "1m" }\n',
    () => [past(0, { over: 0.5 }), past(0.2, { over: 0.5 })],
    {},
  ],
  [
    'steps of a group',
    '[[routes]]\nto = ["desk"]\ngroup = { by = ["project"], wait = "1m" }\nescalate = [{ after = "5m", to = ["phone"] }]\n',
    () => [past(0, { ...prompt, over: 60 }), past(0.5, { ...prompt, over: 60 })],
    { desk: 1, phone: 1 },
  ],
  [
    'quiet hours: one digest of a night on each channel, urgent ones and records at once',
    `${QUIET}${ALL}`,
    () => [
      past(11 * 60),
      past(12 * 60),
      past(13 * 60, { over: 5 }),
      past(14 * 60, { kind: 'session.failed', urgency: 'urgent' }),
    ],
    { desk: 2, audit: 4 },
  ],
  [
    'a digest of which all are over',
    `${QUIET}${ALL}`,
    () => [past(11 * 60, { over: 5 }), past(12 * 60, { seen: 5 })],
    { audit: 2 },
  ],
  [
    'a storm: the twenty-first and those after it are one that grows, or that is sent again where none can be changed',
    '[[routes]]\nto = ["desk", "phone", "audit"]\n',
    () => Array.from({ length: 40 }, (_, i) => past(i / 60)),
    { desk: 23, phone: 21, audit: 40 },
  ],
];

test.each(cases)('%s', async (_what, toml, events, counts) => {
  expect(await counted(toml, events())).toEqual(counts);
});

test('what is still to come is not counted, and is no loss', async () => {
  const events = [past(0, { urgency: 'urgent', kind: 'session.failed' })];
  const [before, after] = await Promise.all([
    rulesOf(ALL),
    rulesOf(`${QUIET.replace('22:00-07:00', '11:00-13:00')}urgent = "hold"\n${ALL}`),
  ]);
  const now = NOON + 10 * MINUTE;
  const sides = [before, after].map((rules) => {
    const course = createCourse(rules, '/home/dev', now);
    for (const event of events) course.take(event);
    return { result: course.end(), profiles: rules.profiles };
  });
  const [a, b] = sides;
  if (a === undefined || b === undefined) throw new Error('two sides');
  const compared = compareRules(
    events.map(({ event }) => event),
    a,
    b,
  );
  expect(compared).toMatchObject({
    urgent: { events: 1, lost: 0, later: 1 },
    messages: { before: { messages: 1 }, after: { messages: 0 } },
    changes: [{ difference: 'later' }],
  });
});

async function compared(before: string, after: string, events: readonly PastEvent[]) {
  const sides = await Promise.all(
    [before, after].map(async (toml) => {
      const rules = await rulesOf(toml);
      const course = createCourse(rules, '/home/dev', NOON + 36 * HOUR);
      for (const event of events) course.take(event);
      return { result: course.end(), profiles: rules.profiles };
    }),
  );
  const [a, b] = sides;
  if (a === undefined || b === undefined) throw new Error('two sides');
  const all = events.map(({ event }) => event);
  return compareRules(all, a, b);
}

const PEOPLE = '[[routes]]\nto = ["desk"]\n';
const failed = { kind: 'session.failed', urgency: 'urgent', abnormal: true } as const;

const differences: readonly (readonly [
  what: string,
  after: string,
  event: Partial<Event>,
  difference: string | null,
])[] = [
  ['nothing', PEOPLE, {}, null],
  ['nobody', '[[routes]]\nto = []\n', {}, 'nobody'],
  ['only a record', '[[routes]]\nto = ["audit"]\n', {}, 'records'],
  ['later', `${PEOPLE}delay = "1m"\n`, {}, 'later'],
  ['only while away', `${PEOPLE}when = "away"\n`, {}, 'away'],
  [
    'for sure only later',
    '[[routes]]\nto = ["desk"]\nwhen = "away"\nalso = true\n[[routes]]\nto = ["phone"]\ndelay = "20m"\n',
    {},
    'later',
  ],
  ['more', '[[routes]]\nto = ["desk", "phone"]\n', {}, 'more'],
  ['elsewhere', '[[routes]]\nto = ["phone"]\n', {}, 'other'],
  ['urgent ones wait for nobody to be away', `${PEOPLE}when = "away"\n`, failed, null],
];

test.each(differences)('a difference: %s', async (_what, after, event, difference) => {
  const { changes } = await compared(PEOPLE, after, [past(0, event)]);
  expect(changes.map((one) => one.difference)).toEqual(difference === null ? [] : [difference]);
});

test('the gravest first: urgent ones that are lost, then prompts, and in words', async () => {
  const events = [past(0), past(1, prompt), past(2, failed), past(3, { detail: 'background' })];
  const result = await compared(PEOPLE, '[[routes]]\nmatch = { detail = "background" }\nto = ["phone"]\n', events);
  expect(result.changes.map(({ event, difference, before, after }) => [event.kind, difference, before, after])).toEqual(
    [
      ['session.failed', 'nobody', ['desk at once'], []],
      ['agent.waiting', 'nobody', ['desk at once'], []],
      ['agent.finished', 'nobody', ['desk at once'], []],
      ['agent.finished', 'other', ['desk at once'], ['phone at once']],
    ],
  );
  expect(result).toMatchObject({ urgent: { events: 1, lost: 1 }, prompts: { events: 1, lost: 1 }, changed: 4 });
  expect(comparedSentence(result)).toBe('1 instead of 4 messages; 1 urgent lost; 1 prompt that nobody would see.');
  expect(comparedSentence(await compared(PEOPLE, PEOPLE, events))).toBe(
    '4 messages, as now; none urgent lost; nothing would go another way.',
  );
});

test('the list is cut after it is ranked', async () => {
  const events = [...Array.from({ length: 300 }, (_, i) => past(i)), past(0, failed)];
  events.sort((a, b) => a.event.at - b.event.at);
  const result = await compared(PEOPLE, '[[routes]]\nto = []\n', events);
  expect([result.changed, result.changes.length]).toEqual([301, 100]);
  expect(result.changes[0]?.event.kind).toBe('session.failed');
});
