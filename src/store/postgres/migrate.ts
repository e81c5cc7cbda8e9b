// Brings the hub's schema up to date, one replica at a time, and makes the partitions of the days around now.
import { UserError } from '../../model/errors.ts';
import type { Connection } from './connection.ts';
import { MIGRATIONS } from './migrations/index.ts';

/** Of all who change the schema of one database: any number that no other program uses there. */
const SCHEMA_LOCK = 7_717_001;
const VERSION = 'SELECT coalesce(max(version), 0) AS version FROM schema_version';

/** Makes or updates the schema; whoever comes while another does it waits for that, and finds it done. Returns the version before. */
export function migrate(db: Connection): Promise<number> {
  return db.alone(SCHEMA_LOCK, async (run) => {
    await run(
      'CREATE TABLE IF NOT EXISTS schema_version (version int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
    );
    const before = Number((await run(VERSION))[0]?.['version']);
    for (const [index, sql] of MIGRATIONS.slice(before).entries())
      await run(`${sql}; INSERT INTO schema_version (version) VALUES (${before + index + 1})`);
    return before;
  });
}

/** Throws where the database is of a schema that this program does not know what to do with. */
export async function checkSchema(db: Connection): Promise<void> {
  const [there] = await db.read(`SELECT to_regclass('schema_version') IS NOT NULL AS made`);
  const version = there?.['made'] === true ? Number((await db.read(VERSION))[0]?.['version']) : 0;
  if (version < MIGRATIONS.length)
    throw new UserError(
      `the database has schema ${version} and this belfry needs ${MIGRATIONS.length}: start one replica with --migrate`,
    );
  // What is one release ahead keeps what this one uses; beyond that nobody has tried.
  if (version > MIGRATIONS.length + 1)
    throw new UserError(`the database has schema ${version}, of a newer belfry: update this replica`);
}

const DAY = 86_400_000;
/** Days before and after today that have partitions of their own. */
const AROUND = { before: 1, after: 3 } as const;

const dayOf = (ms: number): number => Math.floor(ms / DAY);
const partitionOf = (day: number): string =>
  `event_${new Date(day * DAY).toISOString().slice(0, 10).replaceAll('-', '')}`;

/** Makes the partitions of events around `now`, Unix ms; to be called daily. A day of which events lie in the default partition goes on there. */
export async function makePartitions(db: Connection, now: number): Promise<void> {
  await db.alone(SCHEMA_LOCK, async (run) => {
    for (let day = dayOf(now) - AROUND.before; day <= dayOf(now) + AROUND.after; day++) {
      const [from, to] = [day * DAY, (day + 1) * DAY];
      const [found] = await run(
        `SELECT to_regclass('${partitionOf(day)}') IS NOT NULL
           OR EXISTS (SELECT 1 FROM event_default WHERE at >= ${from} AND at < ${to}) AS done`,
      );
      if (found?.['done'] !== true)
        await run(`CREATE TABLE ${partitionOf(day)} PARTITION OF event FOR VALUES FROM (${from}) TO (${to})`);
    }
  });
}

/** Drops whole days of events before `olderThan`, Unix ms, with all that is older in the default partition; the names of the dropped. */
export async function dropPartitions(db: Connection, olderThan: number): Promise<readonly string[]> {
  const last = partitionOf(dayOf(olderThan));
  return db.alone(SCHEMA_LOCK, async (run) => {
    const rows = await run(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'event'::regclass AND c.relname ~ '^event_[0-9]{8}$' AND c.relname < '${last}' ORDER BY 1`,
    );
    const names = rows.map(({ name }) => String(name));
    for (const name of names) await run(`DROP TABLE ${name}`);
    await run(`DELETE FROM event_default WHERE at < ${Math.floor(olderThan)}`);
    return names;
  });
}
