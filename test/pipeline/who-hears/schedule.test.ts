// What is planned of one event when its routes say delay, when, escalate and repeat.
import { describe, expect, test } from 'vitest';
import type { Route } from '../../../src/model/settings/routes.ts';
import type { Urgency } from '../../../src/model/event/event.ts';
import { plannedWords } from '../../../src/model/delivery/plan-words.ts';
import { NOON } from '../../support/made.ts';
import { ASKS, madeHook, player } from '../../support/decide.ts';

const PROFILES = new Map([
  ['team', { audience: 'people', onResolved: 'update', updates: true }],
  ['audit', { audience: 'records', onResolved: 'keep', updates: false }],
  ['phone', { audience: 'people', onResolved: 'update', updates: true }],
] as const);
const MINUTE = 60_000;

const route = (more: Partial<Route>): Route => ({ to: ['team'], also: false, when: 'always', ...more });

/** "team 1 +120 always acknowledged": channel, step, seconds, condition, what takes it back. */
function planned(routes: readonly Route[], urgency: Urgency = 'normal'): readonly string[] {
  const { play } = player({ profiles: PROFILES, config: { routes } });
  return play(madeHook(0, { ...ASKS, urgency })).plan.map(
    ({ channel, step, due, only, unless }) => `${channel} ${step} +${(due - NOON) / 1_000} ${only} ${unless}`,
  );
}

const STEPS = [
  { after: 2 * MINUTE, to: ['audit'] },
  { after: 10 * MINUTE, to: ['team'] },
];

/** The same, on channels that people look at. */
const PEOPLE = STEPS.map(({ after, to }) => ({ after, to: to.map((name) => (name === 'audit' ? 'phone' : name)) }));

describe('what one event plans', () => {
  test.each<[name: string, routes: readonly Route[], expected: readonly string[]]>([
    ['at once', [route({})], ['team 0 +0 always acknowledged']],
    ['a delay', [route({ delay: 5_000 })], ['team 0 +5 always acknowledged']],
    ['a delay of a record', [route({ to: ['audit'], delay: 5_000 })], ['audit 0 +5 always resolved']],
    [
      'steps, counted from the first send',
      [route({ delay: 5_000, escalate: STEPS })],
      ['team 0 +5 always acknowledged', 'audit 1 +125 always acknowledged', 'team 2 +605 always acknowledged'],
    ],
    [
      'steps of two routes, from the sooner send',
      [
        route({ delay: 60_000, also: true, escalate: [{ after: MINUTE, to: ['team'] }] }),
        route({ to: ['audit'], escalate: [{ after: 2 * MINUTE, to: ['team'] }] }),
      ],
      [
        'team 0 +60 always acknowledged',
        'audit 0 +0 always none',
        'team 1 +60 always acknowledged',
        'team 2 +120 always acknowledged',
      ],
    ],
    [
      'while away, each of its steps too',
      [route({ when: 'away', escalate: [{ after: MINUTE, to: ['team'] }] })],
      ['team 0 +0 away acknowledged', 'team 1 +60 away acknowledged'],
    ],
    [
      'a reminder, for people only',
      [route({ to: ['team', 'audit'], repeat: 30 * MINUTE })],
      ['team 0 +0 always acknowledged', 'audit 0 +0 always none', 'team 100 +1800 always acknowledged'],
    ],
    ['no reminder of a record', [route({ to: ['audit'], repeat: MINUTE })], ['audit 0 +0 always none']],
    ['nobody: no steps either', [route({ to: [], escalate: STEPS, repeat: MINUTE })], []],
    [
      'the shorter of two repeats',
      [route({ repeat: 2 * MINUTE, also: true }), route({ repeat: MINUTE })],
      ['team 0 +0 always acknowledged', 'team 100 +60 always acknowledged'],
    ],
  ])('%s', (_name, routes, expected) => {
    expect(planned(routes)).toEqual(expected);
  });

  test('what is urgent waits for nobody to look away, and as long as its route says', () => {
    const routes = [route({ when: 'away', delay: 1_000, escalate: [{ after: MINUTE, to: ['audit'] }] })];
    expect(planned(routes, 'urgent')).toEqual(['team 0 +1 always acknowledged', 'audit 1 +61 always acknowledged']);
  });
});

test('the verdict says what follows', () => {
  const routes = [route({ delay: 5_000, when: 'away', escalate: STEPS, repeat: 30 * MINUTE })];
  const { play } = player({ profiles: PROFILES, config: { routes } });
  const state = play(madeHook(0, ASKS));
  expect(state.verdicts.find(({ stage }) => stage === 'schedule')).toEqual({
    stage: 'schedule',
    verdict: 'change',
    note: 'team in 5s, if it is still open; team only while you are away; unless acknowledged: audit in 2m5s; team in 10m5s; a reminder every 30m until acknowledged',
  });
  expect(state.timersToSet).toMatchObject([{ kind: 'remind', due: NOON + 5_000 + 30 * MINUTE }]);
});

test('a step on a muted channel is planned, and its verdict says that it is held', () => {
  const silence = { id: 's', until: null, session: null, cwd: null, channel: 'phone', all: true, createdAt: NOON };
  const { play } = player({
    profiles: PROFILES,
    silences: [silence],
    config: { routes: [route({ escalate: PEOPLE })] },
  });
  const { plan, verdicts } = play(madeHook(0, ASKS));
  expect(plan.map(({ channel, step }) => `${channel} ${step}`)).toEqual(['team 0', 'phone 1', 'team 2']);
  expect(verdicts.at(-1)?.note).toBe(
    'unless acknowledged: phone in 2m; team in 10m; phone muted by then, and held until that ends',
  );
});

test('where all of it is muted, the steps count from the digest, and say so', () => {
  const silence = { id: 's', until: null, session: null, cwd: null, channel: null, all: true, createdAt: NOON };
  const { play } = player({
    profiles: PROFILES,
    silences: [silence],
    config: { routes: [route({ escalate: PEOPLE })] },
  });
  const { plan, verdicts } = play(madeHook(0, ASKS));
  expect(plan.map((planned) => plannedWords(planned, NOON).replace(/ at .*/, ''))).toEqual([
    'held by a mute, in a digest',
    '2 min after the digest, unless acknowledged or resolved',
    '10 min after the digest, unless acknowledged or resolved',
  ]);
  expect(verdicts.at(-1)?.note).toBe('unless acknowledged: after the digest: phone in 2m; team in 10m');
});

test('a mute that ends before a step is due leaves it alone', () => {
  const silence = {
    id: 's',
    until: NOON + MINUTE,
    session: null,
    cwd: null,
    channel: 'phone',
    all: true,
    createdAt: NOON,
  };
  const { play } = player({
    profiles: PROFILES,
    silences: [silence],
    config: { routes: [route({ escalate: PEOPLE })] },
  });
  const state = play(madeHook(0, ASKS));
  expect(state.plan.map(({ channel, step }) => `${channel} ${step}`)).toEqual(['team 0', 'phone 1', 'team 2']);
});

test('a record is muted by nothing: neither its first send nor its steps', () => {
  const silence = { id: 's', until: null, session: null, cwd: null, channel: null, all: true, createdAt: NOON };
  const routes = [route({ to: ['audit'], escalate: STEPS.slice(0, 1) })];
  const { plan } = player({ profiles: PROFILES, silences: [silence], config: { routes } }).play(madeHook(0, ASKS));
  expect(plan.map(({ channel, step, heldBy }) => [channel, step, heldBy])).toEqual([
    ['audit', 0, undefined],
    ['audit', 1, undefined],
  ]);
});
