// Every statement that the store prepares is explained: none looks at all of a table that grows, whatever it asks for.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/model/event/event.ts';
import { DELIVERY_STATES } from '../../src/model/delivery/delivery.ts';
import { NOT_OVER } from '../../src/model/notification/notification.ts';
import type { DeliveryFilter, EventFilter } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/open.ts';
import { type Database, openConnection, plannedOnce } from '../../src/store/sqlite/engine/database.ts';
import { testStore } from '../contracts/store/index.ts';
import { fillDatabase } from '../../bench/full-database.ts';
import { temporaryFolder } from '../support/home.ts';
import { sqlite } from '../support/sqlite-driver.ts';
import { NOON } from '../support/made.ts';

/** Tables that grow with what happens. */
const GROWING: ReadonlySet<string> = new Set([
  'journal',
  'raws',
  'events',
  'deliveries',
  'attempts',
  'notifications',
  'notification_events',
  'questions',
  'changes',
  'sessions',
  'timers',
]);

/** Columns of which a value is of one thing: a message, a session, a thread. What is found by one of them is few. */
const NARROW =
  /\((id|row|rowid|seq|notification_id|event_id|delivery_id|thread_key|fingerprint|session|parent|held_by|host)[=<>]|thread_key=\?|\brow=\?/;

/** Partial indexes that are walked whole, with what is in them. */
const SMALL: Readonly<Record<string, string>> = {
  journal_undecided: 'what is not decided yet',
  timers_leased: 'what is being handled',
  questions_open: 'what an agent waits for',
  deliveries_held: 'what is held back, counted without reading its rows',
  deliveries_scheduled: 'what is due: each of it is moved',
};

/** Statements that look at more than a few rows, and why that is right. Whatever else does so fails. */
const ALLOWED: readonly (readonly [statement: RegExp, why: string])[] = [
  [/^SELECT (state, (channel, )?)?count\(\*\)( AS n)? FROM/, 'counts from an index alone: a ms for 100,000 rows'],
  [
    / WHERE true ORDER BY (seq|row|at DESC, row) (ASC|DESC) LIMIT \?(\) ORDER BY row)?$/,
    'the first or the latest so many',
  ],
  [/^SELECT (min|max)\(\w+\) AS \w+ FROM \w+$/, 'one end of an index'],
  [/seq = \(SELECT max\(seq\) \+ 1 FROM deliveries\) WHERE seq = \?$/, 'one end of an index'],
  [/^WITH RECURSIVE found/, 'from one channel or agent to the next'],
  [/INDEXED BY deliveries_touched WHERE state IN .* created_at < \?\d .* LIMIT 500/, 'hourly, from the index alone'],
  [
    /^UPDATE deliveries INDEXED BY deliveries_touched .* updated_at > \?1/,
    'changes what it finds: after a clock set back',
  ],
  [/^UPDATE timers SET due = .* WHERE set_at > \?1 AND due > \?1$/, 'from the index alone, what it finds it changes'],
  [/^UPDATE deliveries SET state = 'leased', .* AS others$/, 'the first other row in a line is enough'],
  [/^SELECT owner FROM deliveries WHERE state = 'leased'/, 'what is being sent, when a worker begins'],
  [/^UPDATE deliveries .* WHERE state = 'leased' AND \(owner IS NULL OR due <= \?2/, 'as well'],
  [/head = 1 AND state = 'paused' AND due <= \? ORDER BY attempts/, 'one row a session, when a channel is probed'],
  [/FROM sessions WHERE last_event >= \?/, 'lists what it finds'],
  [/^SELECT version, question FROM questions WHERE state IN/, 'the latest: nearly all are in these states'],
];

const prepared = new Set<string>();
const explained = sqlite('explained', async (file, owner) => {
  let ready = false; // what migrations do is of other schemas
  const store = await openStore(file, { owner, prepared: (sql) => ready && prepared.add(sql) });
  ready = true;
  return store;
});

testStore(explained);

/** All that lists of the interface, the command line and the daemon ask for, alone and with another. */
function pairs<T extends object>(one: object, always: T): readonly T[] {
  const entries = Object.entries(one);
  return entries.flatMap(([a, x], i) =>
    entries.slice(i).map(([b, y]) => ({ [a]: x, [b]: y, ...always }) as unknown as T),
  );
}

describe('lists', () => {
  test('are asked for in every way', async () => {
    const store = await explained.database()('elsewhere:1:1');
    const delivery: Omit<Required<DeliveryFilter>, 'limit' | 'fromOldest'> & DeliveryFilter = {
      since: NOON,
      ids: ['a'],
      eventId: 'e',
      covers: 'e',
      notificationId: 'n',
      channel: 'team',
      states: ['pending', 'dead'],
      operations: ['send'],
      step: 0,
      kinds: ['channel.failing'],
      session: 's',
      heldBy: 'quiet',
      heldForDigest: true,
      scheduled: true,
      createdBefore: NOON,
      beforeId: 'a',
      updatedSince: NOON,
    };
    for (const states of [['pending'], ['sent'], ['dead'], ['paused'], DELIVERY_STATES] as const)
      for (const fromOldest of [false, true])
        for (const filter of pairs(delivery, { states, fromOldest, limit: 5 })) await store.deliveries(filter);
    for (const filter of pairs(delivery, { limit: 5 })) await store.deliveries(filter);
    const event: Omit<Required<EventFilter>, 'limit'> & EventFilter = {
      since: NOON,
      until: NOON,
      kinds: KINDS.slice(0, 2),
      session: 's',
      failed: true,
      urgencies: ['urgent'],
      agents: ['claude'],
      exceptAgent: 'codex',
      text: 'x',
      afterRow: 1,
      before: { at: NOON, row: 1 },
    };
    for (const filter of pairs(event, { limit: 5 })) await store.events(filter);
    for (const states of [['open'], NOT_OVER, ['resolved'], ['resolved', 'expired']] as const)
      for (const filter of [{}, { kinds: KINDS.slice(0, 2) }, { threadKey: 't' }, { ids: ['a'] }, { covers: ['e'] }])
        await store.notifications({ ...filter, states });
    await store.notifications({ threadKey: 't' });
    for (const filter of [{}, { states: ['open'] as const }, { states: ['closed', 'answered'] as const }])
      await store.questions({ ...filter, limit: 5 });
    for (const filter of [{}, { agent: 'claude' }, { parent: 's' }, { agent: 'claude', parent: 's' }])
      await store.sessions({ ...filter, since: NOON });
  });
});

interface Step {
  readonly detail: string;
}

/** Steps that look at what they do not want, of a table that grows: a scan, or an index's range that is sorted or has no end. */
function wideSteps(db: Database, sql: string): readonly string[] {
  const steps = db.all<Step>(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => detail);
  const names = sql.matchAll(/\b(?:FROM|JOIN|UPDATE)\s+(\w+)\s+(?:AS\s+)?(\w+)/gi);
  const aliases = new Map([...names].map(([, table = '', alias = '']) => [alias, table]));
  const wide = steps.filter((detail) => {
    const [, name = ''] = /^(?:SCAN|SEARCH) (\w+)/.exec(detail) ?? [];
    const [, index = ''] = /INDEX (\w+)/.exec(detail) ?? [];
    if (!GROWING.has(aliases.get(name) ?? name) || index in SMALL) return false;
    return !(detail.startsWith('SEARCH') && NARROW.test(detail));
  });
  const sorted = steps.some((detail) => /^USE TEMP B-TREE/.test(detail));
  // In order and with an end, an index is walked only as far as the list goes.
  const isWalk = !sorted && /\bLIMIT\b/.test(sql);
  return wide.filter((detail) => !isWalk || (detail.startsWith('SCAN') && /\bWHERE\b/.test(sql)));
}

/** Of `[retention] size`, bytes: far below the default, so that it is filled in seconds. */
const BOUND = 12_000_000;

test('no statement scans or sorts what grows, in a database that is filled to its bound', async () => {
  const file = join(temporaryFolder(), 'belfry.db');
  const backlog = { channel: 'desk', count: 500 };
  expect(await fillDatabase(file, BOUND, { channels: ['team', 'desk'], sessions: 100, backlog })).toBeGreaterThan(
    1_000,
  );
  const db = openConnection(file);
  // Without them a plan does not depend on how many rows there are.
  expect(db.all(`SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'`)).toEqual([]);
  const used = new Set<RegExp>();
  const found: string[] = [];
  for (const text of prepared) {
    const sql = text.trim().replace(/\s+/g, ' ');
    const steps = /^(SELECT|UPDATE|DELETE|INSERT|WITH)\b/.test(sql) ? wideSteps(db, sql) : [];
    const allowed = ALLOWED.find(([statement]) => statement.test(sql));
    if (steps.length > 0 && allowed) used.add(allowed[0]);
    else if (steps.length > 0) found.push(`${steps.join('; ')}\n    ${sql}`);
  }
  db.close();
  expect(prepared.size).toBeGreaterThan(100);
  expect(found).toEqual([]);
  expect(ALLOWED.filter(([statement]) => !used.has(statement))).toEqual([]);
});

test('a limit is no bare parameter, for which each run would plan again', () => {
  const bare = 'SELECT id FROM events WHERE id IN (SELECT id FROM journal LIMIT ?2 OFFSET ?3) ORDER BY row LIMIT ?';
  expect(plannedOnce(bare)).toBe(
    'SELECT id FROM events WHERE id IN (SELECT id FROM journal LIMIT ?2 + 0 OFFSET ?3 + 0) ORDER BY row LIMIT ? + 0',
  );
  const plain = 'SELECT 1 FROM events WHERE id = ? LIMIT 1 OFFSET 20';
  expect(plannedOnce(plain)).toBe(plain);
});
