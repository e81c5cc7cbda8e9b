// Correlation goes by the channels notified: what nobody got never counts as sent, and each channel gets it once.
import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/settings/config.ts';
import type { Incoming } from '../../src/model/event/incoming.ts';
import type { Silence } from '../../src/model/event/verdict.ts';
import { channelsOf, ASKS, ENDED, madeHook, PROMPTED, player } from '../support/decide.ts';
import { NOON } from '../support/made.ts';

const second = 1_000;
const to = (channel: string, match: NonNullable<Route['match']>, also = false): Route => ({
  to: [channel],
  match,
  also,
  when: 'always',
});
const ALL: Route = { to: ['team'], also: false, when: 'always' };
const IDLE = { ...ASKS, detail: 'idle' } as const;
const REQUEST = { ...ASKS, hookEvent: 'PermissionRequest', correlationKey: 'm' } as const;
const ECHO = { ...ASKS, correlationKey: 'm', isFollowUp: true, message: 'n' } as const;
const ABNORMAL = { ...ENDED, abnormal: true, reason: 'other' } as const;
const FAILED = { kind: 'session.failed', signal: 'failed', hookEvent: 'StopFailure', urgency: 'urgent' } as const;
const INTERRUPTED = { kind: 'agent.other', signal: 'interrupted', hookEvent: 'x', urgency: 'low' } as const;
const waiting: NonNullable<Route['match']> = { kind: ['agent.waiting'] };
const twin = (parsed: Parameters<typeof madeHook>[1]) => madeHook(500, parsed, { agent: 'cursor' });
const hush = (until: number): Silence => ({
  id: 's',
  until: NOON + until,
  session: null,
  cwd: null,
  channel: null,
  all: true,
  createdAt: NOON,
});

/** What the last input becomes: "urgency: channels". */
type Case = [
  name: string,
  expected: string,
  routes: readonly Route[],
  inputs: readonly Incoming[],
  silences?: readonly Silence[],
];

describe('the last input of a sequence', () => {
  test.each<Case>([
    // an idle notice and a finish
    [
      'idle later, and the finish was notified',
      'low: team',
      [ALL],
      [madeHook(0, PROMPTED), madeHook(9), madeHook(90 * second, IDLE)],
    ],
    [
      'idle later, and no route took the finish',
      'normal: team',
      [to('team', waiting)],
      [madeHook(0, PROMPTED), madeHook(9), madeHook(90 * second, IDLE)],
    ],
    [
      'idle later, and the finish was muted',
      'normal: team',
      [ALL],
      [madeHook(0, PROMPTED), madeHook(9), madeHook(90 * second, IDLE)],
      [hush(second)],
    ],
    [
      'idle at once, and no route took the finish',
      'normal: team',
      [to('team', waiting)],
      [madeHook(0), madeHook(20, IDLE)],
    ],
    [
      'idle at once, and the finish was notified elsewhere',
      'low: audit',
      [to('team', { kind: ['agent.finished'] }), to('audit', waiting)],
      [madeHook(0), madeHook(20, IDLE)],
    ],
    ['idle at once, and the finish was notified there', 'low: ', [ALL], [madeHook(0), madeHook(20, IDLE)]],
    [
      'idle later, after an echo of an interruption',
      'normal: team',
      [ALL],
      [madeHook(0, INTERRUPTED), madeHook(9), madeHook(90 * second, IDLE)],
    ],
    [
      'other after a finish that nobody was notified of: it was not at work',
      'low: team',
      [to('team', { kind: ['session.ended'] })],
      [madeHook(0, PROMPTED), madeHook(9), madeHook(second, ABNORMAL)],
    ],
    // a request and its echo
    [
      'an echo of a request that no route took',
      'normal: team',
      [to('team', { hook_event: ['Notification'] })],
      [madeHook(0, REQUEST), madeHook(6 * second, ECHO)],
    ],
    [
      'an echo of a request that was muted',
      'normal: team',
      [ALL],
      [madeHook(0, REQUEST), madeHook(6 * second, ECHO)],
      [hush(second)],
    ],
    [
      'an echo that goes to one more channel',
      'normal: audit',
      [to('audit', { hook_event: ['Notification'] }, true), ALL],
      [madeHook(0, REQUEST), madeHook(6 * second, ECHO)],
    ],
    ['an echo of what was notified', 'normal: ', [ALL], [madeHook(0, REQUEST), madeHook(6 * second, ECHO)]],
    // ends
    [
      'a second end after one that was muted',
      'urgent: team',
      [ALL],
      [madeHook(0, ABNORMAL), madeHook(9 * second, ABNORMAL)],
      [hush(second)],
    ],
    [
      'a second end after one that was notified',
      'urgent: ',
      [ALL],
      [madeHook(0, ABNORMAL), madeHook(9 * second, ABNORMAL)],
    ],
    [
      'an abnormal end at work in a resumed session',
      'urgent: team',
      [ALL],
      [
        madeHook(0, PROMPTED),
        madeHook(3 * second, ABNORMAL),
        madeHook(6 * second, { ...PROMPTED, signal: 'started', hookEvent: 'SessionStart' }),
        madeHook(9 * second, PROMPTED),
        madeHook(20 * second, ABNORMAL),
      ],
    ],
    // failures
    [
      'a finish after a failure that no route took',
      'normal: team',
      [to('team', { kind: ['agent.finished'] })],
      [madeHook(0, FAILED), madeHook(50)],
    ],
    [
      'a finish after a failure that was notified elsewhere: not called finished there',
      'normal: ',
      [to('audit', { kind: ['session.failed'] }), ALL],
      [madeHook(0, FAILED), madeHook(50)],
    ],
    [
      'an end after a failure that no route took',
      'urgent: team',
      [to('team', { kind: ['session.ended'] })],
      [madeHook(0, FAILED), madeHook(second, ABNORMAL)],
    ],
    // two clients of one session
    [
      'reported by another client first, which no route takes',
      'normal: team',
      [to('team', { agent: ['cursor'] })],
      [madeHook(0), twin({ message: 'x' })],
    ],
    [
      'the very same payload by another client first, which no route takes',
      'normal: team',
      [to('team', { agent: ['cursor'] })],
      [madeHook(0), twin({})],
    ],
    ['reported by another client first, and notified', 'normal: ', [ALL], [madeHook(0), twin({ message: 'x' })]],
    ['the very same payload by another client, notified', 'normal: ', [ALL], [madeHook(0), twin({})]],
  ])('%s: %s', (_name, expected, routes, inputs, silences = []) => {
    const { play } = player({ config: { routes }, silences });
    const last = inputs.map((input) => play(input)).at(-1);
    expect(`${last?.event.urgency}: ${last && channelsOf(last).join(', ')}`).toBe(expected);
  });
});

describe('a clock that was set back by a day', () => {
  const DAY = 86_400_000;
  const back = (inputs: readonly Incoming[], after: readonly Incoming[]) => {
    const { play, setClock } = player();
    for (const input of inputs) play(input);
    setClock(-DAY);
    return after.map((input) => play(input)).at(-1);
  };

  test.each<[name: string, expected: string, inputs: readonly Incoming[], after: readonly Incoming[]]>([
    [
      'killed after a prompt',
      'urgent: team',
      [madeHook(0, PROMPTED), madeHook(9)],
      [madeHook(-DAY, PROMPTED), madeHook(-DAY + second, ABNORMAL)],
    ],
    [
      'killed after a finish',
      'low: team',
      [madeHook(0, PROMPTED)],
      [madeHook(-DAY), madeHook(-DAY + second, ABNORMAL)],
    ],
    ['an end is not the one of tomorrow', 'urgent: team', [madeHook(0, ABNORMAL)], [madeHook(-DAY, ABNORMAL)]],
    ['an echo is not of tomorrow', 'normal: team', [madeHook(0, REQUEST)], [madeHook(-DAY, ECHO)]],
  ])('%s: %s', (_name, expected, inputs, after) => {
    const last = back(inputs, after);
    expect(`${last?.event.urgency}: ${last && channelsOf(last).join(', ')}`).toBe(expected);
  });

  test('what came late before is still late, and the row is of today', () => {
    const last = back([madeHook(0, PROMPTED)], [madeHook(-DAY + 900), madeHook(-DAY + 9, PROMPTED)]);
    expect(last?.record).toMatchObject({ state: 'finished', since: NOON - DAY + 900, lastEvent: NOON - DAY + 900 });
  });

  test('a hold is not longer for it', () => {
    const work = { running: [{ id: 'a', type: 'shell', label: 'x' }] };
    const last = back([madeHook(0, work)], [madeHook(-DAY, work)]);
    expect(last?.timersToSet).toMatchObject([{ due: NOON - DAY + 600_000 }]);
  });
});
