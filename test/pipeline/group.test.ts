// Groups: what belongs together, when it goes out, and what it says.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Group, Route } from '../../src/model/settings/routes.ts';
import type { Event } from '../../src/model/event/event.ts';
import type { Member } from '../../src/model/notification/notification.ts';
import { groupContent, groupDue, groupKeyOf, groupTitle, takesMembers } from '../../src/dispatch/group.ts';
import { madeContent, madeEvent, madeNotification, NOON } from '../support/made.ts';

const GROUP: Group = { by: ['project'], wait: 2_000, every: 60_000 };
const route = (more: Partial<Route> = {}): Route => ({
  to: ['desk'],
  also: false,
  when: 'always',
  group: GROUP,
  ...more,
});

let serial = 0;
function member(more: Partial<Event> = {}): Member & { readonly event: Event } {
  serial += 1;
  const event = madeEvent({ id: `event-${serial}`, sessionId: `session-${serial}`, ...more });
  return { event, title: `${event.project}: Claude finished` };
}

describe('membership', () => {
  const key = (event: Partial<Event>, of: Partial<Route> = {}) => groupKeyOf(madeEvent(event), route(of));

  test.each<[name: string, first: Partial<Event>, second: Partial<Event>, by: Group['by'], together: boolean]>([
    ['one project', { sessionId: 'a' }, { sessionId: 'b' }, ['project'], true],
    ['two projects', { project: 'api' }, { project: 'web' }, ['project'], false],
    ['two projects by kind', { project: 'api' }, { project: 'web' }, ['kind'], true],
    ['two kinds by project and kind', {}, { kind: 'agent.waiting' }, ['project', 'kind'], false],
    ['two machines, one session id', { host: 'a' }, { host: 'b' }, ['session'], false],
    ['nothing known of either', { project: null }, { project: null }, ['project'], true],
    ['nothing known of one', { project: null }, { project: '' }, ['project'], false],
  ])('%s: %s', (_name, first, second, by, together) => {
    const group = { ...GROUP, by };
    expect(key(first, { group }) === key(second, { group })).toBe(together);
  });

  test('routes have groups of their own', () => {
    expect(key({})).not.toBe(key({}, { to: ['phone'] }));
    expect(key({})).not.toBe(key({}, { match: { agent: ['claude'] } }));
    expect(key({})).toBe(key({}, { delay: 5_000 }));
  });

  test('what is urgent waits for nobody, and a route without a group has none', () => {
    expect(key({ urgency: 'urgent' })).toBeNull();
    expect(groupKeyOf(madeEvent(), { to: ['desk'] })).toBeNull();
  });

  test.each<[name: string, more: Parameters<typeof madeNotification>[0], every: number, now: number, takes: boolean]>([
    ['just begun', {}, 60_000, NOON, true],
    ['after ten minutes', {}, 60_000, NOON + 600_000, true],
    ['after more', {}, 60_000, NOON + 600_001, false],
    ['within a longer interval', {}, 3_600_000, NOON + 3_600_000, true],
    ['acknowledged', { state: 'acknowledged' }, 60_000, NOON, false],
    ['resolved', { state: 'resolved' }, 60_000, NOON, false],
    ['full', { eventIds: Array.from({ length: 500 }, (_, i) => `event-${i}`) }, 60_000, NOON, false],
  ])('%s: %s', (_name, more, every, now, takes) => {
    expect(takesMembers(madeNotification(more), { every }, now)).toBe(takes);
  });
});

describe('times', () => {
  test.each<[name: string, last: Parameters<typeof groupDue>[1], now: number, due: number]>([
    ['the first waits', null, 0, 2_000],
    ['what comes meanwhile goes with it', { due: 2_000, pending: true }, 1_999, 2_000],
    ['right after it: an interval later', { due: 2_000, pending: false }, 3_000, 62_000],
    ['an update is planned: with it', { due: 62_000, pending: true }, 61_000, 62_000],
    ['long after it: after a moment', { due: 62_000, pending: false }, 300_000, 302_000],
    ['overdue, as the channel is failing: a moment later', { due: 62_000, pending: true }, 300_000, 302_000],
  ])('%s', (_name, last, now, due) => {
    expect(groupDue(GROUP, last, now)).toBe(due);
  });

  test('updates are never closer than the interval, and nothing waits longer than both', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 0, max: 90_000 }),
        (pauses, wait, every) => {
          let now = NOON;
          const operations: number[] = [];
          for (const pause of pauses) {
            now += pause;
            const last = operations.at(-1);
            const due = groupDue({ wait, every }, last === undefined ? null : { due: last, pending: last > now }, now);
            if (due !== last) operations.push(due);
            expect(due).toBeGreaterThanOrEqual(now);
            expect(due - now).toBeLessThanOrEqual(wait + every);
          }
          for (const [i, due] of operations.slice(1).entries())
            expect(due - (operations[i] ?? 0)).toBeGreaterThanOrEqual(every);
        },
      ),
    );
  });
});

const named = (projects: readonly string[], more: Partial<Event> = {}) =>
  projects.map((project) => member({ project, ...more }));

describe('titles', () => {
  test.each<[members: readonly Member[], title: string]>([
    [named(['api', 'web', 'infra']), '3 sessions finished: api, web, infra'],
    [named(['a', 'b', 'c', 'd', 'e', 'f', 'g']), '7 sessions finished: a, b, c, +4 more'],
    [named(['api', 'api', 'web']), '3 sessions finished: api, web'],
    [['main', 'fix'].map((branch) => member({ branch })), 'payments: 2 sessions finished: main, fix'],
    [[member(), member()], 'payments: 2 sessions finished'],
    [[member({ project: null }), member({ project: null })], '2 sessions finished'],
    [[member({ project: null }), member()], '2 sessions finished'],
    [
      [1, 2].map(() => member({ kind: 'agent.waiting', detail: 'permission', sessionId: 'one' })),
      'payments: 2 permission requests',
    ],
    [named(['api', 'web'], { kind: 'agent.waiting', detail: 'permission' }), '2 sessions need permission: api, web'],
    [named(['api', 'web'], { kind: 'agent.waiting', detail: 'idle' }), '2 sessions wait for you: api, web'],
    [
      [...named(['api'], { kind: 'agent.waiting', detail: 'idle' }), ...named(['web'])],
      '2 sessions have news: api, web',
    ],
    [named(['api', 'web'], { kind: 'session.failed', detail: 'auth' }), '2 sessions stopped: api, web'],
    [named(['api', 'web'], { kind: 'session.ended', abnormal: true }), '2 sessions ended abnormally: api, web'],
    [named(['<b>\u001b[31m\n*x*', 'web']), '2 sessions finished: <b> *x*, web'],
  ])('%#', (members, title) => {
    expect(groupTitle(members)).toBe(title);
  });
});

test('the content counts and lists, and keeps every event', () => {
  const members = [
    ...named(Array.from({ length: 12 }, (_, i) => `p${i}`)),
    member({ urgency: 'low', abnormal: true, project: 'z'.repeat(500) }),
  ];
  const content = groupContent(members, members[0]?.event ?? madeEvent());
  expect(content).toMatchObject({ count: 13, urgency: 'normal', abnormal: true, event: members[0]?.event });
  expect(content?.events).toEqual(members.map(({ event }) => event.id));
  const lines = content?.body.split('\n') ?? [];
  expect([lines.length, lines[0], lines[1]]).toEqual([11, '+3 earlier', '- p3: Claude finished']);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(152);
});

test('one alone is shown as it is', () => {
  const alone = madeContent();
  expect(groupContent([{ event: alone.event, title: alone.title }], alone.event, alone)).toBe(alone);
  expect(groupContent([], alone.event)).toBeNull();
});
