// What would become of something that came now, in words: every obstacle, of one channel and of several.
import { expect, test } from 'vitest';
import {
  type IfNowContext,
  type IfNowSend,
  MUTE,
  outcomeWords,
  QUIET,
  sentenceOf,
  sentencesOf,
} from '../../../src/daemon/processing/if-now-words.ts';
import { dayTime } from '../../../src/model/time/clock-time.ts';
import type { ChannelHealth } from '../../../src/store/contract.ts';
import { NOON } from '../../support/made.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SOON = dayTime(NOON + 30 * MINUTE, NOON);

const send = (channel: string, more: Partial<IfNowSend> = {}): IfNowSend => ({
  channel,
  step: 0,
  audience: 'people',
  only: 'always',
  at: NOON,
  state: 'goes',
  until: null,
  why: '',
  ...more,
});

const kept = (why: string, state: IfNowSend['state'] = 'held', until: number | null = NOON + 30 * MINUTE) => ({
  ...{ state, why, until },
});

const failing = (channel: string, reason: ChannelHealth['reason'], probeAt: number | null) => {
  const health = { channel, state: 'failing', reason, probeAt, since: NOON, error: '' };
  return [channel, health as ChannelHealth] as const; // the rest nobody looks at
};

const context = (more: Partial<IfNowContext> = {}): IfNowContext => ({
  from: null,
  now: NOON,
  health: new Map([
    failing('team', 'network', NOON + MINUTE),
    failing('mail', 'quota', NOON + DAY),
    failing('pager', 'quota', null),
  ]),
  ...more,
});

const later = { step: 1, at: NOON + 2 * MINUTE };

test.each<[name: string, sends: readonly IfNowSend[], words: string]>([
  ['one', [send('desk')], 'go to desk at once'],
  ['two together', [send('desk'), send('team')], 'go to desk and team at once'],
  [
    'one after the other',
    [send('desk'), send('phone', later), send('team', { step: 2, at: NOON + 10 * MINUTE })],
    'go to desk at once, to phone after 2 min and to team after 10 min',
  ],
  ['away', [send('desk', { at: NOON + 5_000, only: 'away' })], 'go to desk after 5 s, if you are away by then'],
  ['idle', [send('desk', { at: NOON + 5_000, only: 'idle' })], 'go to desk after 5 s, if you are idle by then'],
  [
    'quiet hours of two',
    [send('desk', kept(QUIET)), send('phone', { ...later, ...kept(QUIET, 'waits') })],
    `reach nobody: desk and phone have quiet hours until ${SOON}`,
  ],
  [
    'a mute of one, quiet hours of another',
    [send('desk', kept(MUTE)), send('phone', kept(QUIET, 'held', NOON + DAY))],
    `reach nobody: desk is muted until ${SOON}; phone has quiet hours until tomorrow ${dayTime(NOON, NOON)}`,
  ],
  [
    'mutes that end only then',
    [send('desk', kept(MUTE, 'held', null)), send('phone', { ...later, ...kept(MUTE, 'held', null) })],
    'reach nobody: desk and phone are muted until you unmute them',
  ],
  [
    'a person who is there',
    [send('desk', kept('you typed there 3 s ago', 'waits'))],
    'reach nobody: desk waits (you typed there 3 s ago)',
  ],
  [
    'no quota',
    [send('mail', kept('', 'failing')), send('pager', kept('', 'failing'))],
    `reach nobody: mail has no quota left until tomorrow ${dayTime(NOON, NOON)}; pager has no quota left`,
  ],
  ['records alone', [send('audit', { audience: 'records' })], 'reach nobody: only audit would record it'],
])('%s', (_name, sends, words) => {
  const plan = { sends, none: null };
  expect(sentenceOf('A prompt', plan, context())).toBe(`A prompt would ${words}.`);
  expect(outcomeWords(plan, context())).toBe(`it would ${words}.`);
});

test('what fails is said before where it goes, and once', () => {
  const failing = [send('team', kept('', 'failing')), send('team', { ...later, ...kept('', 'failing') })];
  const plan = { sends: [send('desk'), ...failing, send('phone', kept(QUIET))], none: null };
  const other = { sends: [send('phone'), ...failing], none: null };
  const [trouble, quiet] = [
    `team has been failing since ${dayTime(NOON, NOON)}`,
    `phone has quiet hours until ${SOON}`,
  ];
  expect(outcomeWords(plan, context())).toBe(`${trouble}; it would go to desk at once; ${quiet}.`);
  expect(sentenceOf('A prompt', plan, context())).toBe(`${trouble}. A prompt would go to desk at once; ${quiet}.`);
  expect(sentencesOf(other, other, context())).toBe(
    `${trouble}. A prompt or something urgent would go to phone at once.`,
  );
  expect(sentencesOf(plan, other, context())).toBe(
    `${trouble}. A prompt would go to desk at once; ${quiet}. Something urgent would go to phone at once.`,
  );
});

test('where routes tell sessions apart, it says whose it is taken to be', () => {
  const [plan, nothing] = [
    { sends: [send('desk')], none: null },
    { sends: [], none: 'no route takes it' },
  ];
  const from = context({ from: 'Claude in shop' });
  expect(outcomeWords(plan, from)).toBe('from Claude in shop, it would go to desk at once.');
  expect(sentencesOf(plan, plan, from)).toBe(
    'A prompt or something urgent from Claude in shop would go to desk at once.',
  );
  expect(sentencesOf(nothing, plan, from)).toBe(
    'A prompt from Claude in shop would reach nobody: no route takes it. Something urgent from Claude in shop would go to desk at once.',
  );
});
