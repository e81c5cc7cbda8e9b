// Holds that begin, end or change while something waits: nothing stays behind, and nothing passes that was planned before.
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { reviewHolds } from '../../src/decisions/batch/stale-holds.ts';
import { muteHold } from '../../src/dispatch/silence.ts';
import { pipelineHarness } from '../support/pipeline-harness.ts';
import { DESK_AND_PHONE, type SequenceCase, shortTitle } from '../support/people-channels.ts';
import { play, timeline } from '../support/timeline.ts';
import { keepSession } from '../support/store-writes.ts';
import { timersDue } from '../support/timers.ts';

const settings = (route = '', more = ''): string => `
${DESK_AND_PHONE}[[routes]]
to = ["desk"]
${route}
${more}
`;
const quiet = (hours: string, more = ''): string => `[quiet]\nhours = ["${hours}"]\nzone = "UTC"\n${more}`;
const STEPS = 'escalate = [{ after = "2m", to = ["phone"] }, { after = "10m", to = ["desk"] }]';
const BOTH = 'repeat = "10m"\nalso = true\n[[routes]]\nto = ["phone"]\nrepeat = "10m"';

const FIRST = '0 desk send asks';
const MUTED = 'While it was muted: 1 still waiting';
const CASES: readonly SequenceCase[] = [
  [
    'a mute holds a step planned before it',
    settings(STEPS),
    [
      [0, 'ask a'],
      [60, 'mute 240'],
    ],
    599,
    [FIRST, `300 phone send ${MUTED}`],
  ],
  [
    'and one that ends before the step does not',
    settings(STEPS),
    [
      [0, 'ask a'],
      [60, 'mute 30'],
    ],
    599,
    [FIRST, '120 phone send asks (not acknowledged for 2 min)'],
  ],
  [
    'a mute until unmuted',
    settings(STEPS),
    [
      [0, 'ask a'],
      [60, 'mute'],
      [400, 'unmute'],
    ],
    599,
    [FIRST, `400 phone send ${MUTED}`],
  ],
  [
    'what it held is not told once it is acknowledged',
    settings(STEPS),
    [
      [0, 'ask a'],
      [60, 'mute 240'],
      [200, 'ack'],
    ],
    900,
    [FIRST],
  ],
  [
    'it holds a reminder too',
    settings('repeat = "10m"'),
    [
      [0, 'ask a'],
      [60, 'mute 900'],
    ],
    1_190,
    [FIRST, `960 desk send ${MUTED}`],
  ],
  [
    'and a delayed first send',
    settings('delay = "5m"'),
    [
      [0, 'ask a'],
      [60, 'mute 600'],
    ],
    900,
    [`660 desk send ${MUTED}`],
  ],
  [
    'urgent steps pass it',
    settings(STEPS),
    [
      [0, 'end a'],
      [60, 'mute'],
    ],
    300,
    [
      '0 desk send session ended abnormally (error)',
      '120 phone send session ended abnormally (error) (not acknowledged for 2 min)',
    ],
  ],
  [
    'reminders wait on a quiet channel only',
    settings(BOTH, quiet('12:05-12:25', 'channels = ["desk"]')),
    [[0, 'ask a']],
    2_000,
    [
      FIRST,
      '0 phone send asks',
      '600 phone send asks (not acknowledged for 10 min)',
      '1200 phone send asks (not acknowledged for 20 min)',
      '1500 desk send asks (not acknowledged for 25 min)',
      '1800 desk send asks (not acknowledged for 30 min)',
      '1800 phone send asks (not acknowledged for 30 min)',
    ],
  ],
];

for (const [name, text, moments, end, expected] of CASES)
  test(name, async () => {
    expect((await play(text, moments, end)).map(shortTitle)).toEqual(expected);
  });

test('a mute that ends while an event is enriched leaves nothing behind', async () => {
  const silence = { id: 'm1', until: null, session: null, cwd: null, channel: null, all: false, createdAt: 0 };
  const text = `${settings()}\n[context]\nkinds = ["agent.finished"]\n`;
  const harness = await pipelineHarness(text, {
    context: async () => {
      await harness.store.removeSilences({});
      return { messages: [] };
    },
  });
  const { store, clock } = harness;
  await store.putSilence(silence);
  await harness.feed({ hook_event_name: 'Stop', session_id: 's', cwd: '/src/payments' }, { agent: 'claude' });
  await harness.settle();
  expect(await store.deliveries({ heldBy: muteHold(silence) })).toHaveLength(1);
  expect((await timersDue(store, clock.now(), 10)).map(({ kind, id }) => [kind, id])).toEqual([['batch', 'mute:m1']]);
});

test.each<[name: string, now: string, expected: readonly string[]]>([
  ['end earlier', quiet('12:00-12:20'), ['1200 desk send While it was quiet: 1 still waiting']],
  ['are over at once', quiet('02:00-03:00'), ['600 desk send While it was quiet: 1 still waiting']],
  ['last longer', quiet('12:00-13:30'), ['5400 desk send While it was quiet: 1 still waiting']],
  [
    'hold on another channel only',
    quiet('12:00-13:30', 'channels = ["phone"]'),
    ['600 desk send While it was quiet: 1 still waiting'],
  ],
])('settings by which quiet hours %s, while something is held', async (_name, now, expected) => {
  const line = await timeline(settings('', quiet('12:00-13:00')));
  const { harness } = line;
  await line.to(60);
  await line.act('ask a');
  await line.to(600);
  const loaded = await loadConfig(settings('', now));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  harness.config = loaded.config;
  await reviewHolds(harness.store, harness.clock.now());
  await line.to(601);
  const [held] = await harness.store.deliveries({ heldBy: 'quiet', states: ['pending'] });
  if (held)
    expect([`${(held.due - harness.clock.now()) / 1_000 + 601}`]).toEqual(expected.map((one) => one.split(' ')[0]));
  await line.to(9_000);
  expect(line.got.map(({ at, channel, operation, title }) => `${at} ${channel} ${operation} ${title}`)).toEqual(
    expected,
  );
});

test('one channel of several is released, the other stays held', async () => {
  const line = await timeline(settings('to = ["desk", "phone"]', quiet('12:00-13:00')).replace('to = ["desk"]\n', ''));
  await line.act('ask a');
  await line.to(600);
  const loaded = await loadConfig(settings('', quiet('12:00-13:00', 'channels = ["desk"]')));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  line.harness.config = loaded.config;
  await reviewHolds(line.harness.store, line.harness.clock.now());
  await line.to(4_000);
  expect(line.got.map(({ at, channel }) => [at, channel])).toEqual([
    [600, 'phone'],
    [3_600, 'desk'],
  ]);
});

test('an answer from elsewhere is not said to come from the terminal', async () => {
  const line = await timeline(settings());
  const why = async (): Promise<string | undefined> =>
    (await line.harness.store.notifications({})).at(-1)?.resolved?.why;
  await line.act('ask a');
  await line.to(40);
  await line.act('answer elsewhere');
  await line.to(43);
  await line.act('answer a');
  expect(await why()).toBe('answered by dev on the command line after 40 s');
  await line.act('ask b');
  await line.to(50);
  await line.act('ack');
  await line.to(53);
  await line.act('answer b');
  expect(await why()).toBe('answered in the terminal after 10 s');
  await line.act('ask c');
  await line.act('ack');
  await line.to(60);
  await line.act('answer elsewhere');
  expect((await line.harness.store.notifications({})).at(-1)?.acknowledged).toMatchObject({ answered: true });
});

test('people are reminded for a day; what nobody answers stays open until its session ends', async () => {
  const line = await timeline(settings('repeat = "6h"'));
  const { store, clock } = line.harness;
  await line.act('ask a');
  const record = (await store.sessions({}))[0];
  if (record === undefined) throw new Error('no session');
  await keepSession(store, { ...record, process: { pid: 4, start: '1', name: 'claude' } });
  await line.to(9 * 86_400);
  expect(line.got.map(({ at }) => at / 3_600)).toEqual([0, 6, 12, 18, 24]);
  expect((await store.notifications({})).map(({ state }) => state)).toEqual(['open']);
  expect(await timersDue(store)).toEqual([]);
  expect(clock.now() - line.began()).toBe(9 * 86_400_000);
  await line.act('answer a');
  expect((await store.notifications({})).map(({ state, resolved }) => [state, resolved?.why])).toEqual([
    ['resolved', 'answered in the terminal after 216 h'],
  ]);
});

test('an event that a digest told of says where', async () => {
  const line = await timeline(settings());
  await line.act('mute 60');
  await line.act('ask a');
  await line.to(61);
  const [stored] = await line.harness.store.events({});
  expect(stored?.verdicts.at(-1)).toEqual({ stage: 'digest', verdict: 'route', note: 'desk: in a digest' });
});
