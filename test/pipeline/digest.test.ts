// Digests and storms: what is left to say of many notifications.
import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/model/event/event.ts';
import { digestContent } from '../../src/dispatch/digest.ts';
import type { Member, NotificationContent } from '../../src/model/notification/notification.ts';
import { groupDue } from '../../src/dispatch/group.ts';
import { isStorm, STORM_GROUP, stormContent, stormHoldOf } from '../../src/dispatch/storm.ts';
import { madeEvent, NOON } from '../support/made.ts';

const HOUR = 3_600_000;
let serial = 0;

function held(title: string, more: Partial<Event> = {}): Member {
  serial += 1;
  return { title, event: madeEvent({ id: `event-${serial}`, at: NOON - HOUR, ...more }) };
}

const digestOf = (members: readonly Member[], hold: string): NotificationContent | null =>
  digestContent(members, madeEvent(), { hold, now: NOON, wentOn: [] });

describe('a digest', () => {
  test('what still matters first, with its age, in the order of its members', () => {
    const content = digestOf(
      [
        held('api: Claude finished after 12 min'),
        held('web: Claude needs permission to run Bash', { kind: 'agent.waiting', at: NOON - 2 * HOUR }),
        held('infra: Claude is gone', { kind: 'session.failed', abnormal: true }),
        held("ci: Claude's session ended (clear)", { kind: 'session.ended', at: NOON - 3 * HOUR }),
        held('web: Claude has a question', { kind: 'agent.waiting', at: NOON - 500 }),
      ],
      'quiet',
    );
    expect(content?.title).toBe('While it was quiet: 2 still waiting, 1 failed, 2 finished');
    expect(content?.body).toBe(
      [
        'Still waiting:',
        '- web: Claude needs permission to run Bash (2 h ago)',
        '- web: Claude has a question',
        '',
        'Failed:',
        '- infra: Claude is gone (1 h ago)',
        '',
        'Finished:',
        '- api: Claude finished after 12 min (1 h ago)',
        "- ci: Claude's session ended (clear) (3 h ago)",
      ].join('\n'),
    );
    expect(content).toMatchObject({ count: 5, abnormal: true, urgency: 'normal' });
  });

  test('what stood still and went on is named below, and is none of what was held', () => {
    const members = [held("Claude's 5-hour limit is reached", { kind: 'limit.reached', abnormal: true })];
    const wentOn = [held('shop: Claude goes on, after 2 h 14 min', { kind: 'agent.other', detail: 'continued' })];
    const content = digestContent(members, madeEvent(), { hold: 'quiet', now: NOON, wentOn });
    expect(content).toMatchObject({ title: 'While it was quiet: 1 failed', count: 1 });
    expect(content?.body).toBe(
      "Failed:\n- Claude's 5-hour limit is reached (1 h ago)\n\nContinued:\n- shop: Claude goes on, after 2 h 14 min (1 h ago)",
    );
  });

  test.each([
    ['quiet', 'While it was quiet: 1 finished'],
    ['mute:1', 'While it was muted: 1 finished'],
    ['outage:team', 'While this channel was failing: 1 finished'],
    ['what an earlier version held', 'Held back: 1 finished'],
  ])('of %s; nothing of nothing', (hold, title) => {
    expect(digestOf([held('api: Claude finished')], hold)).toMatchObject({ title, count: 1 });
    expect(digestOf([], hold)).toBeNull();
  });

  test.each([
    ['subagent.finished', '1 finished'],
    ['agent.finished', '1 finished'],
    ['session.ended', '1 finished'],
    ['channel.failing', '1 failed'],
    ['agent.waiting', '1 still waiting'],
    ['agent.other', '1 other'],
  ] as const)('%s counts as %s', (kind, words) => {
    expect(digestOf([held('x', { kind })], 'quiet')?.title).toBe(`While it was quiet: ${words}`);
  });

  test('a long night is counted whole and listed in part', () => {
    const many = Array.from({ length: 2_000 }, (_, i) => held(`p${i}: ${'x'.repeat(5_000)}`, { at: NOON - HOUR + i }));
    const content = digestOf(many, 'quiet');
    expect(content?.title).toBe('While it was quiet: 2000 finished');
    expect(content?.events).toHaveLength(2_000);
    expect(content?.body.split('\n').slice(0, 2)).toEqual(['Finished:', '+1990 earlier']);
    expect(content?.body).toMatch(/\(1 h ago\)$/);
    expect(content?.body.length).toBeLessThan(2_000);
  });
});

describe('a storm', () => {
  const times = (count: number, from: number): readonly number[] => Array.from({ length: count }, (_, i) => from + i);

  test.each<[name: string, event: Partial<Event>, planned: readonly number[], storm: boolean]>([
    ['the twentieth in a minute', {}, times(19, NOON - 100), false],
    ['the one after twenty', {}, times(20, NOON - 100), true],
    ['twenty, of which one is older than a minute', {}, [NOON - 60_000, ...times(19, NOON - 100)], false],
    ['urgent', { urgency: 'urgent' }, times(90, NOON - 100), false],
    ['of no session', { sessionId: null }, times(90, NOON - 100), false],
    ['a clock set back', {}, times(90, NOON + 100), false],
  ])('%s: %#', (_name, event, planned, storm) => {
    expect(isStorm(madeEvent(event), planned, NOON)).toBe(storm);
  });

  test('counts what it holds', () => {
    const members = [1, 2, 3].map((i) => held(`payments: Claude finished ${i}`));
    expect(stormContent(members, madeEvent(), 'Claude')).toMatchObject({
      title: 'payments: 3 more notifications from Claude',
      body: '- payments: Claude finished 1\n- payments: Claude finished 2\n- payments: Claude finished 3',
      count: 3,
    });
    expect(stormContent(members.slice(0, 1), madeEvent(), 'Claude')?.title).toBe(
      'payments: 1 more notification from Claude',
    );
    expect(stormContent([], madeEvent(), 'Claude')).toBeNull();
  });

  test('is sent after a moment and updated four times a minute at most', () => {
    expect(groupDue(STORM_GROUP, null, NOON)).toBe(NOON + 2_000);
    expect(groupDue(STORM_GROUP, { due: NOON, pending: false }, NOON + 1_000)).toBe(NOON + 15_000);
  });

  test('each session has its own on each channel', () => {
    expect(stormHoldOf(madeEvent(), 'desk')).toBe('storm:desk:box/dev/generic/session-1');
  });
});
