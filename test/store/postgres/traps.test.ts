// What is easily got wrong with PostgreSQL, each beside the control that gets it wrong: where a control passes, its test shows nothing.
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Connection, connect, type Statement } from '../../../src/store/postgres/connection.ts';
import { type HubStore, hubStore } from '../../../src/store/postgres/open.ts';
import { CLAIM, ended } from '../../contracts/store/driver.ts';
import { madeDecision, madeDelivery, madeSession, NOON } from '../../support/made.ts';
import { usePostgres } from '../../support/postgres.ts';
import { settleOne } from '../../support/store-writes.ts';

const postgres = usePostgres();

/** Two replicas; `change`: what becomes of the statements of each transaction. */
async function replicas(
  change: (statements: readonly Statement[]) => readonly Statement[],
  log: (line: string) => void = () => undefined,
): Promise<readonly [HubStore, HubStore]> {
  const url = postgres.url(await postgres.database());
  const open = (owner: string): HubStore => {
    const db = connect({ url, log });
    const changed: Connection = { ...db, write: (settings, statements) => db.write(settings, change(statements)) };
    const store = hubStore(changed, { owner, now: () => NOON });
    onTestFinished(() => store.close());
    return store;
  };
  return [open('one'), open('two')];
}

const LOCK = /count\(pg_advisory_xact_lock\(h\)::text\)/;
/** Nobody waits for a thread. */
const unlocked = (statements: readonly Statement[]): readonly Statement[] =>
  statements.map((sql) => sql.replace(LOCK, 'count(h::text)'));
/** What two do at once is done at once: neither is over before the other has looked. */
const slowly = (statements: readonly Statement[]): readonly Statement[] => [...statements, 'SELECT pg_sleep(0.3)'];

describe('the lock of a line', () => {
  /** The last of a line goes out while another one joins it: how many lines have one that nobody can claim. */
  async function stuckLines(change: (statements: readonly Statement[]) => readonly Statement[]): Promise<number> {
    const [one, two] = await replicas(change);
    const lines = ['a', 'b', 'c', 'd'];
    for (const line of lines) await one.addDelivery(madeDelivery({ id: `${line}1`, threadKey: line }));
    const leased = await one.claim('team', CLAIM);
    expect(leased).toHaveLength(lines.length);
    await Promise.all([
      ...leased.map(({ id, token }) => settleOne(one, id, token, ended('sent'))),
      ...lines.map((line) => two.addDelivery(madeDelivery({ id: `${line}2`, threadKey: line }))),
    ]);
    return lines.length - (await two.claim('team', { ...CLAIM, now: NOON + 60_000 })).length;
  }

  test('with it each line goes on', async () => expect(await stuckLines(slowly)).toBe(0));
  test('control: without it lines stand still for good', async () =>
    expect(await stuckLines((statements) => slowly(unlocked(statements)))).toBeGreaterThan(0));
});

describe('the cursor of the feed', () => {
  const INSERT = `INSERT INTO change (org, at, type, machine, id) VALUES (1, 0, 'event', '', $1)`;

  /** Two transactions on connections of their own, a store that follows, and controls that follow by numbers. */
  async function followed() {
    const url = postgres.url(await postgres.database());
    const client = async (): Promise<pg.Client> => {
      const made = new pg.Client(url);
      await made.connect();
      onTestFinished(() => made.end());
      return made;
    };
    const [early, late, reader] = [await client(), await client(), await client()];
    const store = hubStore(connect({ url }), { owner: 'follows' });
    onTestFinished(() => store.close());
    const feed = store.reader({ scope: 'all', machine: null });
    let { cursor } = await feed.changesSince(null, 0);
    const seen: string[] = [];
    const numbers = { largest: 0, belowHorizon: 0 };
    const control = { largest: [] as string[], belowHorizon: [] as string[] };
    const follow = async (): Promise<void> => {
      const read = await feed.changesSince(cursor, 100);
      expect(read.reset).toBe(false);
      cursor = read.cursor;
      seen.push(...read.changes.map(({ id }) => id));
      for (const [way, below] of [
        ['largest', ''],
        ['belowHorizon', ' AND xid < pg_snapshot_xmin(pg_current_snapshot())'],
      ] as const) {
        const { rows } = await reader.query(`SELECT n, id FROM change WHERE n > $1${below} ORDER BY n`, [numbers[way]]);
        numbers[way] = Number(rows.at(-1)?.n ?? numbers[way]);
        control[way].push(...rows.map(({ id }) => id));
      }
    };
    return { early, late, follow, seen, control };
  }

  test('what commits after a later number was read is not missed; control: by the largest number it is', async () => {
    const { early, late, follow, seen, control } = await followed();
    await early.query('BEGIN');
    await early.query(INSERT, ['early']);
    await late.query(INSERT, ['late']);
    await follow();
    expect(seen).toEqual([]); // one that writes is open: what came after it waits for it
    await early.query('COMMIT');
    await follow();
    await follow();
    expect(seen).toEqual(['early', 'late']);
    expect(control.largest).toEqual(['late']);
  });

  test('nor what took its number before another and its transaction id after it; control: a number below the horizon misses it', async () => {
    const { early, late, follow, seen, control } = await followed();
    await early.query('BEGIN');
    const { rows } = await early.query(`SELECT nextval(pg_get_serial_sequence('change', 'n')) AS n`);
    await late.query(INSERT, ['late']);
    await follow();
    await early.query(INSERT.replace('(org,', '(n, org,').replace('VALUES (', 'OVERRIDING SYSTEM VALUE VALUES ($2, '), [
      'early',
      rows[0]?.n,
    ]);
    await early.query('COMMIT');
    await follow();
    expect(seen).toEqual(['late', 'early']);
    expect(control.belowHorizon).toEqual(['late']);
  });
});

describe('what is written over', () => {
  const SESSIONS = 400;

  /** Two replicas write the same rows in opposite orders: how often one was ended for the other. */
  async function deadlocks(change: (statements: readonly Statement[]) => readonly Statement[]): Promise<number> {
    let count = 0;
    const [one, two] = await replicas(
      (statements) => change(unlocked(statements)),
      (line) => void (line.includes('40P01') && count++),
    );
    const sessions = Array.from({ length: SESSIONS }, (_, n) => madeSession({ sessionId: `s${n}` }));
    for (let turn = 0; turn < 12; turn++) {
      const versioned = sessions.map((session) => ({ ...session, version: turn }));
      const write = (store: HubStore, entryId: string, rows: typeof sessions) =>
        store.commit([madeDecision({ entryId, events: [], sessions: rows })]);
      await Promise.all([write(one, `one ${turn}`, versioned), write(two, `two ${turn}`, versioned.toReversed())]);
      if (count > 0) return count;
    }
    return count;
  }

  test('sorted by its key, nobody waits for each other', async () =>
    expect(await deadlocks((statements) => statements)).toBe(0));
  test('control: as it comes, they do', async () =>
    expect(
      await deadlocks((statements) => statements.map((sql) => sql.replace('ORDER BY machine, key', 'ORDER BY n'))),
    ).toBeGreaterThan(0));
});
