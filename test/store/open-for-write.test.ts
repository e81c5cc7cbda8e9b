// Opening: rights, versions, copies before a migration, damage, a reader beside the writer.
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../src/store/migrations/index.ts';
import { openReader } from '../../src/store/open-reader.ts';
import { openStore } from '../../src/store/open.ts';
import { openConnection } from '../../src/store/sqlite/engine/database.ts';
import { migrate, versionOf } from '../../src/store/sqlite/engine/migrate.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDecision, madeDelivery, madeEntry, madeEvent, NOON } from '../support/made.ts';
import { commitOne } from '../support/store-writes.ts';

const fixture = new URL('../fixtures/store/schema-1.db', import.meta.url).pathname;
const fresh = (): string => join(temporaryFolder(), 'state', 'belfry.db');
const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8);

/** A database with one event on its way, closed properly. */
async function made(file = fresh()): Promise<string> {
  const store = await openStore(file);
  await store.append(madeEntry());
  await commitOne(store, madeDecision({ deliveries: [madeDelivery()] }));
  await store.close();
  return file;
}

test('the folder is 0700, every file 0600, whatever they were', async () => {
  const file = fresh();
  const store = await openStore(file);
  await store.append(madeEntry());
  expect(mode(dirname(file))).toBe('700');
  for (const name of readdirSync(dirname(file))) expect([name, mode(join(dirname(file), name))]).toEqual([name, '600']);
  expect(readdirSync(dirname(file))).toContain('belfry.db-wal');
  await store.close();
});

test('a symbolic link is not followed', async () => {
  const file = await made();
  const link = join(temporaryFolder(), 'belfry.db');
  symlinkSync(file, link);
  await expect(openStore(link)).rejects.toThrow('is not a regular file');
});

test('a newer database is refused and left as it is, by writer and reader', async () => {
  const file = await made();
  const db = openConnection(file);
  db.exec(`PRAGMA user_version = 99; UPDATE meta SET value = '99' WHERE key = 'schema'`);
  db.close();
  const before = readFileSync(file);
  await expect(openStore(file)).rejects.toThrow(/newer belfry \(schema 99/);
  await expect(openReader(file, 'all')).rejects.toThrow(/newer belfry/);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(dirname(file)).filter((name) => name.includes('damaged'))).toEqual([]);
});

test('a copy is kept as it was before the first step to a newer schema, of a database that holds something only', async () => {
  const file = await made();
  const steps = [...MIGRATIONS, 'CREATE TABLE more (a INTEGER)', 'ALTER TABLE more ADD COLUMN b INTEGER'];
  const said: string[] = [];
  const db = openConnection(file);
  migrate(db, file, (line) => said.push(line), steps);
  expect(versionOf(db)).toBe(MIGRATIONS.length + 2);
  expect(db.all('SELECT id FROM deliveries')).toHaveLength(1);
  db.close();
  const copies = readdirSync(dirname(file)).filter((name) => name.includes('schema'));
  expect(copies).toEqual([`${basename(file)}.schema-${MIGRATIONS.length}`]);
  const copy = join(dirname(file), copies[0] ?? '');
  expect(mode(copy)).toBe('600');
  const kept = openConnection(copy);
  expect(versionOf(kept)).toBe(MIGRATIONS.length);
  expect(kept.all('SELECT id FROM deliveries')).toHaveLength(1);
  kept.close();
  expect(said).toHaveLength(2);
  const empty = fresh();
  await (await openStore(empty)).close();
  expect(readdirSync(dirname(empty)).filter((name) => name.includes('schema'))).toEqual([]);
});

test('a copy that a kill cut short is made again, and takes no other name', async () => {
  const file = await made();
  const copy = `${file}.schema-${MIGRATIONS.length}`;
  writeFileSync(`${copy}.part`, 'cut short');
  const db = openConnection(file);
  migrate(db, file, () => undefined, [...MIGRATIONS, 'CREATE TABLE more (a INTEGER)']);
  db.close();
  expect(readdirSync(dirname(file)).filter((name) => name.includes('schema'))).toEqual([basename(copy)]);
  const kept = openConnection(copy);
  expect(kept.all('SELECT id FROM deliveries')).toHaveLength(1);
  kept.close();
});

test('a step that fails changes nothing', async () => {
  const file = await made();
  const db = openConnection(file);
  const broken = [...MIGRATIONS, 'CREATE TABLE more (a INTEGER); CREATE TABLE meta (b INTEGER)'];
  expect(() => migrate(db, file, () => undefined, broken)).toThrow('meta');
  expect(versionOf(db)).toBe(MIGRATIONS.length);
  expect(db.all(`SELECT name FROM sqlite_schema WHERE name = 'more'`)).toEqual([]);
  db.close();
});

test('a database of schema 1 is brought up to date and its deliveries are still to come', async () => {
  const file = fresh();
  await (await openStore(file)).close();
  copyFileSync(fixture, file);
  const store = await openStore(file);
  const waiting = await store.claim('team', { now: NOON + 1e9, leaseMs: 1_000, limit: 100 });
  expect(waiting.map((d) => d.id)).toEqual(['delivery-0', 'delivery-1', 'delivery-2']);
  expect((await store.pendingEntries(10)).entries.map((e) => e.id)).toEqual(['undecided-1']);
  await store.close();
});

test('what is damaged is set aside with its log, the rest carried over, and it is said', async () => {
  const file = await made();
  const bytes = readFileSync(file);
  // Breaks the text of the stored notification: its JSON is checked.
  const at = bytes.indexOf('"title":"payments');
  bytes[at] = 0;
  writeFileSync(file, bytes);
  const said: string[] = [];
  const store = await openStore(file, { log: (line) => said.push(line), now: () => NOON });
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('was damaged');
  expect(said[0]).toContain('deliveries');
  expect(existsSync(`${file}.damaged-20260601T120000Z`)).toBe(true);
  expect((await store.events({})).map((e) => e.event.id)).toEqual(['event-0001']);
  expect(await store.append(madeEntry())).toBe('known');
  await store.close();
});

test('a transaction that outgrew the cache and never ended is no damage, also after others were written over it', async () => {
  const file = await made();
  const said: string[] = [];
  const log = (line: string): void => void said.push(line);
  const killed = join(temporaryFolder(), 'belfry.db');
  const db = openConnection(file);
  db.exec(`CREATE TABLE big (n INTEGER, text TEXT)`);
  const before = statSync(`${file}-wal`).size;
  db.exec('PRAGMA cache_size = 10; BEGIN IMMEDIATE');
  for (let n = 0; n < 500; n++) db.run('INSERT INTO big VALUES (?, ?)', n, 'x'.repeat(1_000));
  db.run(`UPDATE big SET text = text || 'y'`); // pages that are in the log already are written again, without their checksums
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(before + 100 * 4_096);
  for (const side of ['', '-wal']) copyFileSync(file + side, killed + side);
  db.exec('ROLLBACK');
  db.close();
  const again = join(temporaryFolder(), 'belfry.db');
  const store = await openStore(killed, { log });
  await store.append(madeEntry({ id: 'later' }));
  for (const side of ['', '-wal']) copyFileSync(killed + side, again + side);
  await store.close();
  const last = await openStore(again, { log });
  expect((await last.pendingEntries(10)).entries.map(({ id }) => id)).toContain('later');
  await last.close();
  expect(said).toEqual([]);
});

test('a log that is gone is missed, one that is damaged is kept; a proper end needs none', async () => {
  const file = await made();
  const said: string[] = [];
  const log = (line: string): void => void said.push(line);
  await (await openStore(file, { log })).close();
  expect(said).toEqual([]);
  const store = await openStore(file, { log });
  for (let i = 0; i < 20; i++) await store.append(madeEntry({ id: `more-${i}` }));
  const killed = join(temporaryFolder(), 'belfry.db');
  for (const side of ['', '-wal']) copyFileSync(file + side, killed + side);
  await store.close();
  const wal = readFileSync(`${killed}-wal`);
  const noLog = join(temporaryFolder(), 'belfry.db');
  copyFileSync(killed, noLog);
  await (await openStore(noLog, { log })).close();
  expect(said.splice(0)).toEqual([expect.stringContaining('is gone')]);
  wal[4_000] = (wal[4_000] ?? 0) ^ 1;
  writeFileSync(`${killed}-wal`, wal);
  await (await openStore(killed, { log, now: () => NOON })).close();
  expect(said.splice(0)).toEqual([expect.stringMatching(/cannot be read.*damaged-20260601T120000Z$/)]);
  rmSync(file);
});

test('a reader sees what the writer wrote, and nothing where there is no database', async () => {
  const nothing = await openReader(fresh(), 'all');
  expect(await nothing.events({})).toEqual([]);
  expect((await nothing.counts()).events).toBe(0);
  await nothing.close();
  const file = fresh();
  const store = await openStore(file);
  const reader = await openReader(file, 'all');
  await commitOne(store, madeDecision({ events: [{ event: madeEvent(), fingerprint: null, verdicts: [] }] }));
  expect(await reader.events({})).toHaveLength(1);
  await store.close();
  expect(await reader.events({})).toHaveLength(1);
  await reader.close();
});

test('damage met while running is reported once', async () => {
  const file = fresh();
  let reported = 0;
  const store = await openStore(file, { damaged: () => reported++ });
  // More than the cache holds, so that the first ones have to be read from the file again.
  const raw = new Uint8Array(20_000);
  const ids = Array.from({ length: 1_000 }, (_, i) => `entry-${i}`);
  await Promise.all(ids.map((id) => store.append(madeEntry({ id, raw }))));
  await store.prune({ now: NOON, maxAgeMs: 1e12, maxBytes: 1e12, rawAgeMs: 1e12, deadAgeMs: 1e12 }); // out of the log
  writeFileSync(file, Buffer.alloc(statSync(file).size, 7));
  const outcomes = await Promise.allSettled(ids.slice(0, 50).map((id) => store.entry(id)));
  expect(outcomes.filter((o) => o.status === 'rejected').length).toBeGreaterThan(1);
  expect(reported).toBe(1);
  await store.close().catch(() => undefined); // it cannot close in good order
});

test.each([
  ['a function of its checks', /json_valid/g, 'jskn_valid'],
  ['a column', /notification_id/g, 'notificatiom_id'],
])('a schema in which %s is misspelt by damage is damage: what can be read is kept', async (_what, word, damaged) => {
  const file = await made();
  writeFileSync(file, readFileSync(file, 'latin1').replace(word, damaged), 'latin1');
  const said: string[] = [];
  const store = await openStore(file, { log: (line) => said.push(line) });
  expect(await store.append(madeEntry({ id: 'later' }))).toBe('new');
  await store.close();
  expect(said.join('\n')).toMatch(/damaged/);
  expect(readdirSync(dirname(file)).some((name) => name.includes('damaged'))).toBe(true);
});
