// What is read of a real store: what changed as batches that end at a cursor, all that is open, and history.
import { describe, expect, test } from 'vitest';
import { HISTORY } from '../../src/link/chain.ts';
import { changedSince, historyFacts, inBatches, openFacts, type Reading } from '../../src/link/fact-reader.ts';
import { withMatch } from '../../src/link/forward.ts';
import type { Event } from '../../src/model/event/event.ts';
import { notificationIdOf } from '../../src/model/ids.ts';
import { BATCH_LIMITS, type BatchLimits, fitsBatch } from '../../src/model/link/batch.ts';
import { type Fact, factName } from '../../src/model/link/fact.ts';
import type { Notification } from '../../src/model/notification/notification.ts';
import type { NewQuestion } from '../../src/model/question/question.ts';
import { type Match, matchSchema } from '../../src/model/settings/routes.ts';
import type { Store } from '../../src/store/contract.ts';
import { alone } from '../contracts/store/driver.ts';
import { FACTS, making } from '../support/link.ts';
import { madeDecision, madeEvent, madeNotification, madeSession, NOON } from '../support/made.ts';
import { sqlite } from '../support/sqlite-driver.ts';

const WORK = '/home/dev/work/api';
const PRIVATE = '/home/dev/private';
const LIMITS: BatchLimits = BATCH_LIMITS;

interface World {
  readonly store: Store;
  readonly reading: (more?: Partial<Reading>) => Reading;
  /** Where the feed stood when the machine joined. */
  readonly start: string;
  /** An event with its notification and its session. */
  happens(id: string, more?: Partial<Event>): Promise<Notification>;
}

/** A store of a machine that has joined with this match. */
async function world(written: object = {}): Promise<World> {
  const store = await alone(sqlite('sqlite'));
  const match: Match = matchSchema.parse(written);
  const forwarding = withMatch(null, { after: await store.lastEventRow(), at: NOON, match });
  const machine = { name: 'box', versions: { belfry: '0.3.0' } };
  return {
    store,
    reading: (more) => ({
      ...making(),
      store,
      home: '/home/dev',
      forwarding,
      machine,
      presenceOf: () => null,
      ...more,
    }),
    start: (await store.changesSince(null, 0)).cursor,
    happens: async (id, more = {}) => {
      const event = madeEvent({ id, cwd: WORK, sessionId: `session-${id}`, ...more });
      const notification = madeNotification({ id: notificationIdOf(id), eventIds: [id], threadKey: id });
      const session = madeSession({ sessionId: event.sessionId ?? '', cwd: event.cwd });
      const decision = madeDecision({
        entryId: id,
        events: [{ event, fingerprint: null, verdicts: [] }],
        notifications: [notification],
        sessions: [session],
      });
      expect(await store.commit([decision])).toEqual(['written']);
      return notification;
    },
  };
}

const read = async (from: string, { reading }: World, limits = LIMITS) => {
  const changed = await changedSince(from, reading(), limits);
  if (changed === 'reset') throw new Error('reset');
  return changed;
};

/** "event e1 notification n1". */
const names = (facts: readonly Fact[]): readonly string[] =>
  facts.map((fact) => `${fact.type} ${'id' in fact ? fact.id : 'session' in fact ? fact.session : ''}`.trim());

const question = (id: string, notificationId: string, text = 'npm test'): NewQuestion => ({
  ...{ id, notificationId, sessionKey: 's', kind: 'permission', inputHash: 'h', nonce: 'n', deadline: NOON + 60_000 },
  subject: {
    ...{ agent: 'generic', sessionId: 'session-e1', cwd: WORK, subagent: null, tool: 'Bash' },
    ...{ text, choices: [], partial: null },
  },
});

describe('what changed', () => {
  test('is read as it is now, parents first, and each row once however often it changed', async () => {
    const here = await world();
    const { id } = await here.happens('e1');
    await here.store.putQuestion(question('q1', id));
    const opened = await here.store.notification(id);
    if (opened === null) throw new Error('it is there');
    const done = { ...opened, state: 'resolved', resolved: { at: NOON, why: 'answered at the terminal' } } as const;
    await here.store.commit([madeDecision({ entryId: 'end', events: [], notifications: [done] })]);
    await here.store.closeQuestion('q1', 'answered at the terminal');
    const { facts, changes, row } = await read(here.start, here);
    expect(names(facts)).toEqual(['event e1', 'session session-e1', `notification ${id}`, 'question q1']);
    expect(facts[2]).toMatchObject({ state: 'resolved', version: 2 });
    expect(facts[3]).toMatchObject({ state: 'closed' });
    expect(changes).toBeGreaterThan(facts.length);
    expect(row).toBe(await here.store.lastEventRow());
  });

  test('goes on at the cursor of the batch, and says when there is nothing', async () => {
    const here = await world();
    await here.happens('e1');
    const first = await read(here.start, here);
    expect(await read(first.cursor, here)).toEqual({ facts: [], cursor: first.cursor, row: 0, changes: 0 });
    await here.happens('e2');
    expect(names((await read(first.cursor, here)).facts)).toContain('event e2');
  });

  test('what is excluded leaves no trace, and its changes are passed over', async () => {
    const here = await world({ cwd: '~/work/**' });
    const { id } = await here.happens('e1', { cwd: PRIVATE });
    await here.store.putQuestion(question('q1', id));
    await here.store.putSilence({ ...SILENCE, cwd: PRIVATE });
    await here.store.putSilence({ ...SILENCE, id: 'm2', session: 'session-e1' });
    const { facts, changes } = await read(here.start, here);
    expect(facts).toEqual([]);
    expect(changes).toBe(6);
  });

  test('an older notification that changes after the join stays', async () => {
    const before = await world();
    const { id } = await before.happens('e1');
    const { store } = before;
    const forwarding = withMatch(null, { after: await store.lastEventRow(), at: NOON, match: {} });
    const { cursor } = await store.changesSince(null, 0);
    await store.putQuestion(question('q1', id));
    expect(await changedSince(cursor, before.reading({ forwarding }), LIMITS)).toMatchObject({ facts: [], changes: 1 });
  });

  test('a group or digest stays, its events leave by themselves', async () => {
    const here = await world();
    await here.happens('e1');
    const { cursor } = await read(here.start, here);
    const group = madeNotification({
      id: 'ntf_group',
      eventIds: ['e1'],
      group: { members: [], sentAt: NOON, every: 60_000 },
    });
    await here.store.commit([madeDecision({ entryId: 'g', events: [], notifications: [group] })]);
    expect(await read(cursor, here)).toMatchObject({ facts: [], changes: 1 });
  });

  test('a question that was put before its notification goes with that', async () => {
    const here = await world();
    await here.store.putQuestion(question('q1', notificationIdOf('e1')));
    const early = await read(here.start, here);
    expect(early).toMatchObject({ facts: [], changes: 1 });
    await here.happens('e1');
    expect(names((await read(early.cursor, here)).facts)).toContain('question q1');
  });

  test('mutes come, change and end; of the machine there is one fact', async () => {
    const here = await world();
    await here.store.putSilence(SILENCE);
    await here.store.setMachine({ since: NOON - 1, until: NOON + 1 });
    await here.store.setMachine(null);
    const first = await read(here.start, here);
    expect(first.facts).toMatchObject([
      { type: 'machine', version: 2, away_until: null, name: 'box' },
      { type: 'mute', id: 'm1', version: 1, until: null },
    ]);
    await here.store.removeSilences({ id: 'm1' });
    expect((await read(first.cursor, here)).facts).toMatchObject([{ type: 'mute', id: 'm1', until: 0 }]);
  });

  test('what was judged of a person goes with their notification', async () => {
    const here = await world();
    const { id } = await here.happens('e1');
    const presenceOf = (of: string) => (of === id ? ({ state: 'away', at: NOON } as const) : null);
    const changed = await changedSince(here.start, here.reading({ presenceOf }), LIMITS);
    expect(changed).toMatchObject({ facts: [{}, {}, { id, presence: { state: 'away', at: NOON } }] });
  });

  test('a feed that does not reach back so far says so', async () => {
    const here = await world();
    expect(await changedSince('999999', here.reading(), LIMITS)).toBe('reset');
  });
});

const SILENCE = {
  ...{ id: 'm1', until: null, session: null, cwd: null, channel: null, all: false, createdAt: NOON, reason: null },
};

describe('limits', () => {
  test.each([
    ['200 facts', LIMITS],
    ['a hub that takes 7', { ...LIMITS, facts: 7 }],
    ['a hub that takes 5 KB', { ...LIMITS, bytes: 5_000 }],
  ])('%s: batches one after the other have everything, and each ends at a cursor', async (_name, limits) => {
    const here = await world();
    for (let i = 0; i < 90; i += 1) await here.happens(`e${i}`);
    const seen: Fact[] = [];
    for (let cursor = here.start; ; ) {
      const changed = await read(cursor, here, limits);
      if (changed.changes === 0) break;
      expect(fitsBatch(changed.facts, limits)).toBe(true);
      seen.push(...changed.facts);
      cursor = changed.cursor;
    }
    expect(new Set(seen.map(factName)).size).toBe(270);
    // What a fact names was sent before it.
    const at = (name: string): number => names(seen).indexOf(name);
    for (let i = 0; i < 90; i += 1)
      expect(at(`event e${i}`)).toBeLessThan(at(`notification ${notificationIdOf(`e${i}`)}`));
  });

  test('a question that no batch holds is cut, and the others are whole', async () => {
    const here = await world();
    const { id } = await here.happens('e1');
    await here.store.putQuestion(question('q1', id, 'ü'.repeat(180_000)));
    const seen = [];
    for (let cursor = here.start, changes = 1; changes > 0; ) {
      const changed = await read(cursor, here);
      ({ cursor, changes } = changed);
      seen.push(...changed.facts);
    }
    const asked = seen.filter((fact) => fact.type === 'question');
    expect(asked.length).toBeGreaterThan(0);
    for (const { subject } of asked) expect(subject.partial).not.toBeNull();
    expect(names(seen)).toContain(`notification ${id}`);
  });

  test('lists are cut into batches in their order, and what no batch holds is left out', () => {
    const many = Array.from({ length: 450 }, (_, i): Fact => ({ ...FACTS.mute, id: `m${i}` }));
    const huge: Fact = { ...FACTS.notification, content: { title: 'x'.repeat(300_000), body: '' } };
    const batches = inBatches([huge, ...many], LIMITS);
    expect(batches.every((facts) => fitsBatch(facts))).toBe(true);
    expect(batches.flat()).toEqual(many);
    expect(batches.length).toBeLessThan(6);
    expect(inBatches([], LIMITS)).toEqual([]);
  });
});

describe('all that is open', () => {
  test('with what each names, and what is over since the hub heard last', async () => {
    const here = await world({ cwd: '~/work/**' });
    const { id: open } = await here.happens('e1');
    const { id: over } = await here.happens('e2');
    await here.happens('e3', { cwd: PRIVATE });
    await here.store.putQuestion(question('q1', open));
    await here.store.putSilence(SILENCE);
    const row = await here.store.notification(over);
    if (row === null) throw new Error('it is there');
    const done = { ...row, state: 'resolved', updatedAt: NOON + 5, resolved: { at: NOON + 5, why: 'over' } } as const;
    await here.store.commit([madeDecision({ entryId: 'end', events: [], notifications: [done] })]);
    const facts = await openFacts(NOON + 5, here.reading());
    expect(names(facts)).toEqual([
      ...['machine', 'event e2', 'event e1', 'session session-e1', 'session session-e2'],
      ...[`notification ${over}`, `notification ${open}`, 'question q1', 'mute m1'],
    ]);
    expect(names(await openFacts(NOON + 6, here.reading()))).not.toContain(`notification ${over}`);
  });

  test('sessions that were silent for a week are none any more', async () => {
    const here = await world();
    await here.happens('e1');
    const week = 7 * 24 * 3_600_000;
    expect(names(await openFacts(NOON, here.reading({ now: NOON + week })))).toContain('session session-e1');
    expect(names(await openFacts(NOON, here.reading({ now: NOON + week + 1 })))).not.toContain('session session-e1');
  });
});

describe('history', () => {
  test('comes in slices, by row, with what became of each event, up to where it was to go', async () => {
    const here = await world();
    for (let i = 1; i <= 70; i += 1) await here.happens(`e${i}`, i === 3 ? { cwd: null } : {});
    const first = await historyFacts({ after: 10, until: 68 }, here.reading(), LIMITS);
    expect(first.after).toBe(10 + HISTORY.events);
    expect(first.facts.filter(({ type }) => type === 'event')).toHaveLength(HISTORY.events);
    expect(names(first.facts)).toContain(`notification ${notificationIdOf('e11')}`);
    const second = await historyFacts({ after: first.after, until: 68 }, here.reading(), LIMITS);
    expect(second.after).toBe(68);
    expect(names(second.facts).filter((name) => name.startsWith('event'))).toEqual(
      Array.from({ length: 8 }, (_, i) => `event e${61 + i}`),
    );
  });

  test('has nothing of what is excluded, and fits a batch', async () => {
    const here = await world({ cwd: '~/work/**' });
    await here.happens('e1', { cwd: PRIVATE });
    for (let i = 2; i < 20; i += 1) await here.happens(`e${i}`, { message: 'x '.repeat(9_000) });
    const { facts, after } = await historyFacts({ after: 0, until: 19 }, here.reading(), LIMITS);
    expect(fitsBatch(facts)).toBe(true);
    expect(after).toBeLessThan(19);
    expect(names(facts)).not.toContain('event e1');
  });

  test('ends where nothing is kept any more', async () => {
    const here = await world();
    expect(await historyFacts({ after: 0, until: 90 }, here.reading(), LIMITS)).toEqual({ facts: [], after: 90 });
  });
});
