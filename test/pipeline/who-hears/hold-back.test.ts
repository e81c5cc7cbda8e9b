// What is said of first sends that a mute or quiet hours hold back, and what takes back those that wait for what their client may yet decide.
import { settledOf } from '../../../src/pipeline/who-hears/hold-back.ts';
import { expect, test } from 'vitest';
import type { ChannelProfile } from '../../../src/model/channel/profile.ts';
import type { Config } from '../../../src/model/settings/config.ts';
import type { Silence } from '../../../src/model/event/verdict.ts';
import { NOON } from '../../support/made.ts';
import { madeHook, player } from '../../support/decide.ts';

const people: ChannelProfile = { audience: 'people', updates: false, onResolved: 'keep' };
const PROFILES = new Map([
  ['desk', people],
  ['phone', people],
]);
const CONFIG: Partial<Config> = {
  channels: ['desk', 'phone'].map((name) => ({ name, type: 'slack', level: null, settings: {} })),
  routes: [{ to: ['desk', 'phone'], also: false, when: 'always' }],
};
const quiet = (channels?: string[]): Partial<Config> => ({
  quiet: { hours: ['12:00-12:30'], zone: 'UTC', urgent: 'pass', ...(channels && { channels }) },
});
const mute = (more: Partial<Silence> = {}): Silence => ({
  id: 'm1',
  until: NOON + 600_000,
  session: null,
  cwd: null,
  channel: null,
  all: false,
  createdAt: NOON,
  ...more,
});

/** What its stage says of a finish, and what is held until when. */
function heldBack(stage: string, config: Partial<Config>, silences: readonly Silence[]) {
  const { play } = player({ config: { ...CONFIG, ...config }, silences, profiles: PROFILES });
  const { verdicts, plan, timersToSet } = play(madeHook(0));
  return {
    said: verdicts
      .filter((one) => one.stage === stage)
      .map(({ verdict, note }) => `${verdict}: ${note.replace(/\d{4}-\d\d-\d\d \d\d:/, '')}`),
    held: plan.map(({ channel, heldBy, due, unheldDue = NOON }) => [channel, heldBy, due - NOON, unheldDue - NOON]),
    timers: timersToSet.filter(({ kind }) => kind === 'batch').map(({ id, due }) => [id, due - NOON]),
  };
}
const [TEN, HALF, MONTH] = [600_000, 1_800_000, 30 * 24 * 3_600_000];
const GOES = (channel: string) => [channel, undefined, 0, 0];

test.each<
  [
    name: string,
    silences: readonly Silence[],
    said: readonly string[],
    held: readonly unknown[][],
    timers: readonly unknown[][],
  ]
>([
  ['nothing is muted', [], [], [GOES('desk'), GOES('phone')], []],
  ['another session is', [mute({ session: 'x' })], ['pass: not muted'], [GOES('desk'), GOES('phone')], []],
  [
    'another channel is',
    [mute({ channel: 'chat' })],
    ['pass: not muted where it goes'],
    [GOES('desk'), GOES('phone')],
    [],
  ],
  [
    'all of it',
    [mute()],
    ['stop: muted until 10:00; `belfry unmute` ends it'],
    [
      ['desk', 'mute:m1', TEN, 0],
      ['phone', 'mute:m1', TEN, 0],
    ],
    [['mute:m1', TEN]],
  ],
  [
    'one channel',
    [mute({ channel: 'phone' })],
    ['change: muted on phone until 10:00; `belfry unmute` ends it'],
    [GOES('desk'), ['phone', 'mute:m1', TEN, 0]],
    [['mute:m1', TEN]],
  ],
  [
    'one channel, until unmuted',
    [mute({ channel: 'phone', until: null })],
    ['change: muted on phone until you run `belfry unmute`'],
    [GOES('desk'), ['phone', 'mute:m1', MONTH, 0]],
    [['mute:m1', MONTH]],
  ],
  [
    'until unmuted',
    [mute({ until: null })],
    ['stop: muted until you run `belfry unmute`'],
    [
      ['desk', 'mute:m1', MONTH, 0],
      ['phone', 'mute:m1', MONTH, 0],
    ],
    [['mute:m1', MONTH]],
  ],
  [
    'one more for one channel, and longer',
    [mute(), mute({ id: 'm2', channel: 'desk', until: NOON + HALF })],
    ['stop: muted until 10:00; `belfry unmute` ends it'],
    [
      ['desk', 'mute:m2', HALF, 0],
      ['phone', 'mute:m1', TEN, 0],
    ],
    [
      ['mute:m2', HALF],
      ['mute:m1', TEN],
    ],
  ],
  [
    'one channel before, and longer',
    [mute({ id: 'm2', channel: 'desk', until: NOON + HALF }), mute()],
    ['stop: muted until 10:00; `belfry unmute` ends it'],
    [
      ['desk', 'mute:m2', HALF, 0],
      ['phone', 'mute:m1', TEN, 0],
    ],
    [
      ['mute:m2', HALF],
      ['mute:m1', TEN],
    ],
  ],
])('muted: %s', (_name, silences, said, held, timers) => {
  expect(heldBack('silence', {}, silences)).toEqual({ said, held, timers });
});

const HELD = (channel: string) => [channel, 'quiet', HALF, 0];
test.each<
  [
    name: string,
    config: Partial<Config>,
    silences: readonly Silence[],
    said: readonly string[],
    held: readonly unknown[][],
  ]
>([
  ['none are set', {}, [], [], [GOES('desk'), GOES('phone')]],
  [
    'at another time',
    { quiet: { hours: ['13:00-14:00'], zone: 'UTC', urgent: 'pass' } },
    [],
    ['pass: not in quiet hours'],
    [GOES('desk'), GOES('phone')],
  ],
  [
    'all of it',
    quiet(),
    [],
    ['stop: held by quiet hours until 30:00, then in a digest'],
    [HELD('desk'), HELD('phone')],
  ],
  [
    'one channel',
    quiet(['phone']),
    [],
    ['change: quiet hours until 30:00: held on phone'],
    [GOES('desk'), HELD('phone')],
  ],
  [
    'what a mute holds already stays its',
    quiet(),
    [mute({ channel: 'desk' })],
    ['stop: held by quiet hours until 30:00, then in a digest'],
    [['desk', 'mute:m1', TEN, 0], HELD('phone')],
  ],
])('quiet hours: %s', (_name, config, silences, said, held) => {
  expect(heldBack('quiet', config, silences)).toMatchObject({ said, held });
});

test('what its client may yet decide takes the send back, also from a record; an acknowledgement only from people', () => {
  const audit = { ...people, audience: 'records' } as const;
  const { play } = player({
    config: { routes: [{ to: ['desk', 'audit'], also: false, when: 'always' }] },
    profiles: new Map([...PROFILES, ['audit', audit] as const]),
  });
  const sends = (parsed: Parameters<typeof madeHook>[1]) =>
    play(madeHook(0, parsed)).plan.map(({ channel, due, unless }) => [channel, due - NOON, unless]);
  expect(sends({ settlesWithinMs: 1_500 })).toEqual([
    ['desk', 1_500, 'acknowledged'],
    ['audit', 1_500, 'resolved'],
  ]);
  expect(sends({ message: 'settled' })).toEqual([
    ['desk', 0, 'acknowledged'],
    ['audit', 0, 'none'],
  ]);
  // As it is read again from what is stored.
  expect(settledOf(play(madeHook(0, { settlesWithinMs: 1_500, message: 'again' })).verdicts, NOON)).toEqual({
    at: NOON + 1_500,
    ms: 1_500,
  });
});
