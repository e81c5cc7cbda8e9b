// What keeping the bound costs: it runs on the thread that takes the hooks.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { openConnection } from '../../src/store/sqlite/engine/database.ts';
import { retention } from '../../src/store/sqlite/upkeep/retention.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDecision, madeEvent, NOON } from '../support/made.ts';
import { commitOne } from '../support/store-writes.ts';

const DAY = 86_400_000;

test('each table is counted once, however much goes', async () => {
  const file = join(temporaryFolder(), 'belfry.db');
  const store = await openStore(file);
  for (let n = 0; n < 2_000; n += 100) {
    const made = Array.from({ length: 100 }, (_, i) => madeEvent({ id: `e-${n + i}`, at: NOON + n + i }));
    const events = made.map((event) => ({ event, fingerprint: null, verdicts: [] }));
    await commitOne(store, madeDecision({ entryId: `e-${n}`, events }));
  }
  const { bytes } = await store.counts();
  await store.close();
  const db = openConnection(file);
  onTestFinished(() => db.close());
  const counted: string[] = [];
  const get: typeof db.get = (sql, ...values) => {
    const [, table] = /^SELECT count\(\*\) FROM (\w+)/.exec(sql) ?? [];
    if (table !== undefined) counted.push(table);
    return db.get(sql, ...values);
  };
  const rules = { now: NOON + DAY, maxAgeMs: 30 * DAY, rawAgeMs: DAY, deadAgeMs: DAY, maxBytes: bytes / 2 };
  const { events, excess } = await retention({ ...db, get }).prune(rules);
  expect(events).toBeGreaterThan(500);
  expect(excess).toBe(0);
  expect(counted).toContain('events');
  // Of the journal also what is not decided yet, from its own index.
  const others = counted.filter((table) => table !== 'journal');
  expect(others).toEqual([...new Set(others)]);
  expect(counted.length - others.length).toBe(2);
});
