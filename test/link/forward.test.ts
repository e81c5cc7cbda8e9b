// What leaves at all: what `forward` matches, recorded after the join, and not excluded when it was recorded.
import { describe, expect, test } from 'vitest';
import { eventLeaves, type Forwarding, muteLeaves, sessionLeaves, withMatch } from '../../src/link/forward.ts';
import type { Event } from '../../src/model/event/event.ts';
import { type Match, matchSchema } from '../../src/model/settings/routes.ts';
import { madeEvent, madeSession, NOON } from '../support/made.ts';

const AT = { home: '/home/dev', now: NOON + 60_000 };
const HOUR = 3_600_000;
const match = (written: object): Match => matchSchema.parse(written);

/** Joined at noon, when ten events were recorded; each further match came after ten more, an hour later. */
function joined(...matches: readonly object[]): Forwarding {
  const [first = {}, ...others] = matches;
  const rule = (written: object, i: number) => ({ after: 10 + 10 * i, at: NOON + HOUR * i, match: match(written) });
  return others.reduce<Forwarding>(
    (before, written, i) => withMatch(before, rule(written, i + 1)),
    withMatch(null, rule(first, 0)),
  );
}

const stored = (row: number, more: Partial<Event> = {}) => ({
  row,
  event: madeEvent({ at: NOON, cwd: '/home/dev/work/api', ...more }),
});

describe('the same match as a route has', () => {
  test.each<[string, object, Partial<Event>, boolean]>([
    ['everything', {}, {}, true],
    ['a folder', { cwd: '~/work/**' }, {}, true],
    ['another folder', { cwd: '~/work/**' }, { cwd: '/home/dev/private' }, false],
    ['no folder known', { cwd: '~/work/**' }, { cwd: null }, false],
    ['a folder that only begins so', { cwd: '~/work/**' }, { cwd: '/home/dev/workshop' }, false],
    ['a project', { project: ['pay*', 'shop'] }, {}, true],
    ['a kind', { kind: 'agent.finished' }, {}, true],
    ['another kind', { kind: 'agent.waiting' }, {}, false],
    ['a kind that a route has to name', {}, { kind: 'subagent.finished' }, false],
    ['the same, named', { kind: 'subagent.finished' }, { kind: 'subagent.finished' }, true],
    ['urgency', { urgency: 'urgent' }, {}, false],
  ])('%s', (_name, written, event, leaves) => {
    expect(eventLeaves(stored(11, event), joined(written), AT)).toBe(leaves);
  });
});

describe('the join', () => {
  test.each([
    ['recorded after it', stored(11), AT.now, true],
    ['recorded before it', stored(10), AT.now, false],
    ['recorded after it, though it happened an hour before', stored(11, { at: NOON - HOUR }), AT.now, false],
    ['by a clock in 2035', stored(11, { at: Date.UTC(2035, 1, 1) }), Date.UTC(2035, 1, 1), true],
    ['by a clock in 1970, set back after the join', stored(11, { at: 5_000 }), 6_000, true],
    ['recorded before it, by a clock in 1970', stored(9, { at: 5_000 }), 6_000, false],
  ])('%s', (_name, event, now, leaves) => {
    expect(eventLeaves(event, joined({}), { ...AT, now })).toBe(leaves);
  });
});

describe('other settings since', () => {
  const work = { cwd: '~/work/**' };
  const late = { ...AT, now: NOON + 5 * HOUR };
  test.each<[string, readonly object[], number, Partial<Event>, boolean]>([
    ['what was excluded then stays', [work, {}], 15, { cwd: '/home/dev/private' }, false],
    ['what is recorded later goes by what is said then', [work, {}], 21, { cwd: '/home/dev/private' }, true],
    ['what is excluded now leaves no more', [{}, work], 15, { cwd: '/home/dev/private' }, false],
    ['what both match leaves', [{}, work], 15, {}, true],
    ['excluded in between, and back', [{}, work, {}], 15, { cwd: '/home/dev/private' }, true],
    ['recorded while it was excluded', [{}, work, {}], 25, { cwd: '/home/dev/private' }, false],
  ])('%s', (_name, rules, row, event, leaves) => {
    expect(eventLeaves(stored(row, event), joined(...rules), late)).toBe(leaves);
  });

  test('the same match again is no other one', () => {
    expect(joined(work, work, work)).toEqual(joined(work));
  });

  test('of very many changes the first are forgotten, and what is of their time stays', () => {
    const many = joined(
      ...Array.from({ length: 80 }, (_, i) => ({ project: i % 2 === 0 ? 'payments' : ['payments', 'x'] })),
    );
    expect(many).toHaveLength(50);
    expect(eventLeaves(stored(11), many, { ...AT, now: NOON + 100 * HOUR })).toBe(false);
    expect(eventLeaves(stored(801, { at: NOON + 90 * HOUR }), many, { ...AT, now: NOON + 100 * HOUR })).toBe(true);
  });
});

describe('sessions', () => {
  const none = () => Promise.resolve([]);
  const unasked = () => Promise.reject(new Error('no event is needed'));
  const record = madeSession({ cwd: '/home/dev/work/api', lastEvent: NOON + 1 });
  test.each([
    ['by their folder', record, { cwd: '~/work/**' }, unasked, true],
    ['by another one', record, { cwd: '~/private/**' }, unasked, false],
    ['of everything', record, {}, unasked, true],
    ['that were last heard of before the join', { ...record, lastEvent: NOON - 1 }, {}, unasked, false],
    ['of which an event leaves', record, { kind: 'agent.finished' }, () => Promise.resolve([stored(11)]), true],
    [
      'of which only an older event would',
      record,
      { kind: 'agent.finished' },
      () => Promise.resolve([stored(9)]),
      false,
    ],
    ['of which none does', record, { kind: 'agent.waiting' }, () => Promise.resolve([stored(11)]), false],
    ['without events', record, { urgency: 'urgent' }, none, false],
  ])('%s', async (_name, session, written, eventsOf, leaves) => {
    expect(await sessionLeaves(session, eventsOf, joined(written), AT)).toBe(leaves);
  });

  test('in a folder that was excluded when they were last heard of', async () => {
    const rules = joined({ project: 'other' }, {});
    const late = { ...AT, now: NOON + 2 * HOUR };
    expect(await sessionLeaves(record, unasked, rules, late)).toBe(false);
    expect(await sessionLeaves({ ...record, lastEvent: NOON + HOUR }, unasked, rules, late)).toBe(true);
  });
});

describe('mutes', () => {
  const WORK = { cwd: ['~/work/**'] };
  test.each([
    ['of everything', { cwd: null, session: null }, false, WORK, true],
    ['within what leaves', { cwd: '/home/dev/work/api', session: null }, false, WORK, true],
    ['within it, as a pattern', { cwd: '~/work/a*', session: null }, false, WORK, true],
    ['around it', { cwd: '/home/dev', session: null }, false, WORK, true],
    ['of what does not leave', { cwd: '/home/dev/private', session: null }, false, WORK, false],
    ['of any folder where all leaves', { cwd: '/home/dev/private', session: null }, false, {}, true],
    ['of a session that leaves', { cwd: null, session: 's' }, true, WORK, true],
    ['of one that does not', { cwd: null, session: 's' }, false, WORK, false],
  ])('%s', (_name, silence, session, written, leaves) => {
    expect(muteLeaves(silence, session, joined(written), AT.home)).toBe(leaves);
  });
});
