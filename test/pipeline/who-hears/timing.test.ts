// When a channel is sent to: routes together, and quiet hours.
import { describe, expect, test } from 'vitest';
import type { QuietConfig } from '../../../src/model/settings/config.ts';
import type { Urgency } from '../../../src/model/event/event.ts';
import type { Route } from '../../../src/model/settings/routes.ts';
import { forecast, gatedPlan } from '../../../src/dispatch/gate.ts';
import { timingsOf, unlessOf } from '../../../src/pipeline/who-hears/timing.ts';
import { madeEvent } from '../../support/made.ts';

const route = (to: readonly string[], more: Partial<Route> = {}): Route => ({
  to: [...to],
  also: true,
  when: 'always',
  ...more,
});
const GROUP = { by: ['project' as const], wait: 2_000, every: 60_000 };

/** "desk +5 away grouped resolved": channel, delay in seconds, condition, group, what takes it back on a record. */
function timings(urgency: Urgency, routes: readonly Route[]): readonly string[] {
  const matched = routes.map((one, i) => ({ route: one, label: `route ${i + 1}` }));
  return timingsOf(madeEvent({ urgency }), matched).map((timing) => {
    const group = timing.grouped === null ? 'alone' : 'grouped';
    return `${timing.channel} +${timing.delay / 1_000} ${timing.only} ${group} ${unlessOf(timing, 'records')}`;
  });
}

describe('routes', () => {
  test.each<[name: string, urgency: Urgency, routes: readonly Route[], expected: readonly string[]]>([
    ['at once', 'normal', [route(['desk', 'team'])], ['desk +0 always alone none', 'team +0 always alone none']],
    ['a delay', 'normal', [route(['desk'], { delay: 5_000 })], ['desk +5 always alone resolved']],
    ['while away', 'normal', [route(['desk'], { when: 'away' })], ['desk +0 away alone resolved']],
    ['grouped', 'normal', [route(['desk'], { group: GROUP })], ['desk +0 always grouped resolved']],
    [
      'urgent: not grouped, whoever looks, and as late as its route says',
      'urgent',
      [route(['desk'], { group: GROUP, when: 'idle', delay: 1_000 })],
      ['desk +1 always alone resolved'],
    ],
    [
      'one channel twice: the sooner',
      'normal',
      [route(['desk'], { delay: 5_000 }), route(['desk', 'team'], { delay: 1_000 })],
      ['desk +1 always alone resolved', 'team +1 always alone resolved'],
    ],
    [
      'one channel twice: alone, always',
      'normal',
      [route(['desk'], { group: GROUP, when: 'away' }), route(['desk'])],
      ['desk +0 always alone none'],
    ],
    [
      'away and idle: always',
      'normal',
      [route(['desk'], { when: 'away' }), route(['desk'], { when: 'idle' })],
      ['desk +0 always alone resolved'],
    ],
  ])('%s', (_name, urgency, routes, expected) => {
    expect(timings(urgency, routes)).toEqual(expected);
  });

  test('people are spared what is acknowledged; the reason names the routes', () => {
    const matched = [route(['desk']), route(['desk'])].map((one, i) => ({ route: one, label: `route ${i + 1}` }));
    const [timing] = timingsOf(madeEvent(), matched);
    expect(timing?.reason).toBe('route 1, then route 2');
    expect(timing && unlessOf(timing, 'people')).toBe('acknowledged');
  });
});

describe('quiet hours', () => {
  const MIDNIGHT = Date.UTC(2026, 5, 2);
  const quiet: QuietConfig = { hours: ['22:00-07:00'], zone: 'UTC', urgent: 'pass' };
  const END = MIDNIGHT + 7 * 3_600_000;

  test.each<
    [
      name: string,
      due: number,
      urgency: Urgency,
      audience: 'people' | 'records',
      more: Partial<QuietConfig>,
      until: number | null,
    ]
  >([
    ['at night', MIDNIGHT, 'normal', 'people', {}, END],
    ['by day', END, 'normal', 'people', {}, null],
    ['due at night, whenever planned', MIDNIGHT - 2 * 3_600_000, 'low', 'people', {}, END],
    ['urgent passes', MIDNIGHT, 'urgent', 'people', {}, null],
    ['urgent is held', MIDNIGHT, 'urgent', 'people', { urgent: 'hold' }, END],
    ['a record', MIDNIGHT, 'normal', 'records', {}, null],
    ['a record that is named', MIDNIGHT, 'normal', 'records', { channels: ['desk'] }, null],
    ['people that are not named', MIDNIGHT, 'normal', 'people', { channels: ['phone'] }, null],
    ['no hours', MIDNIGHT, 'normal', 'people', { hours: [] }, null],
  ])('%s', (_name, due, urgency, audience, more, until) => {
    const profiles = new Map([['desk', { audience, updates: false, onResolved: 'keep' } as const]]);
    const facts = { silences: [], quiet: { ...quiet, ...more }, profiles, failing: new Set<string>(), home: '/' };
    const event = madeEvent({ urgency });
    const asked = forecast(gatedPlan({ channel: 'desk', step: 0, only: 'always' }, event), facts, due);
    expect('until' in asked ? asked.until : null).toBe(until);
  });
});
