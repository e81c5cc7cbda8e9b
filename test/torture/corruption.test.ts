// Databases damaged in every way we know: the daemon's store opens all the same, keeps what can be read, and nothing goes missing silently.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDecision, madeDelivery, madeEntry, madeEvent, NOON } from '../support/made.ts';
import { figures, seeded, size } from './size.ts';
import { commitOne } from '../support/store-writes.ts';

const EVENTS = 300;
const SIDES = ['', '-wal'] as const;

/** A database as a killed daemon leaves it: some in the file, some in its log; every third event undelivered, the last ten undecided. */
async function template(folder: string): Promise<string> {
  const file = join(folder, 'template.db');
  const store = await openStore(file);
  for (let i = 0; i < EVENTS; i++) {
    const id = `event-${i}`;
    await store.append(madeEntry({ id, startedAt: NOON + i, raw: new TextEncoder().encode(`{"n":${i}}`.repeat(20)) }));
    if (i >= EVENTS - 10) continue;
    const event = madeEvent({ id, at: NOON + i, message: `message ${i} `.repeat(10) });
    await commitOne(
      store,
      madeDecision({
        entryId: id,
        events: [{ event, fingerprint: `f${i}`, verdicts: [] }],
        deliveries: [
          madeDelivery({ id: `d-${i}`, eventId: id, threadKey: `s${i % 7}`, state: i % 3 === 0 ? 'pending' : 'sent' }),
        ],
      }),
    );
    if (i === 200) await store.prune({ now: NOON, maxAgeMs: 1e12, maxBytes: 1e12, rawAgeMs: 1e12, deadAgeMs: 1e12 }); // checkpoints
  }
  for (const side of SIDES) copyFileSync(file + side, join(folder, `killed.db${side}`));
  await store.close();
  return join(folder, 'killed.db');
}

const flip = (file: string, random: () => number, bits: number, from = 0): void => {
  const bytes = readFileSync(file);
  for (let i = 0; i < bits; i++) {
    const at = from + Math.floor(random() * (bytes.length - from));
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  writeFileSync(file, bytes);
};

/** Each leaves the damage and says whether it must be noticed whatever it hit. */
const WAYS: readonly (readonly [string, (file: string, random: () => number) => void])[] = [
  ['one bit', (f, r) => flip(f, r, 1)],
  ['eight bits', (f, r) => flip(f, r, 8)],
  ['a hundred bits', (f, r) => flip(f, r, 100)],
  [
    'the head',
    (f, r) => {
      const bytes = readFileSync(f);
      bytes[Math.floor(r() * 100)] = Math.floor(r() * 256);
      writeFileSync(f, bytes);
    },
  ],
  [
    'a page of noise',
    (f, r) => {
      const bytes = readFileSync(f);
      const page = Math.floor((r() * bytes.length) / 4096) * 4096;
      for (let i = page; i < page + 4096; i++) bytes[i] = Math.floor(r() * 256);
      writeFileSync(f, bytes);
    },
  ],
  ['cut off', (f, r) => truncateSync(f, Math.floor(r() * statSync(f).size))],
  ['the log gone', (f) => rmSync(`${f}-wal`)],
  ['bits of the log', (f, r) => flip(`${f}-wal`, r, 3)],
  ['the log cut off', (f, r) => truncateSync(`${f}-wal`, Math.floor(r() * statSync(`${f}-wal`).size))],
  [
    'another file altogether',
    (f, r) => writeFileSync(f, Buffer.from(Array.from({ length: 9_000 }, () => Math.floor(r() * 256)))),
  ],
];

/** A log that ends early holds no trace of what followed; the promise does not cover it. */
const MAY_BE_SILENT: ReadonlySet<string> = new Set(['the log cut off']);

const ROUNDS = size(500, 50);

test(`${ROUNDS} damaged databases: each opens, works, and says what is missing`, async () => {
  const folder = temporaryFolder();
  const killed = await template(folder);
  const totals = { rounds: 0, intact: 0, setAside: 0, noticed: 0, kept: 0, expected: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const [name, damage] = WAYS[round % WAYS.length] ?? WAYS[0]!; // there is a first way
    const random = seeded(round + 1);
    const home = join(folder, `round-${round}`);
    const file = join(home, 'belfry.db');
    mkdirSync(home);
    for (const side of SIDES) copyFileSync(killed + side, file + side);
    damage(file, random);
    const said: string[] = [];
    const store = await openStore(file, { log: (line) => said.push(line), now: () => NOON });
    const entries = new Set((await store.pendingEntries(1_000)).entries.map((e) => e.id));
    const pending = new Set((await store.deliveries({ states: ['pending'], limit: 1_000 })).map((d) => d.id));
    const events = new Set((await store.events({ limit: 1_000 })).map((e) => e.event.id));
    const expectedEvents = EVENTS - 10;
    const missing: string[] = [];
    for (let i = 0; i < EVENTS; i++) {
      if (i >= expectedEvents ? !entries.has(`event-${i}`) : !events.has(`event-${i}`)) missing.push(`event-${i}`);
      if (i < expectedEvents && i % 3 === 0 && !pending.has(`d-${i}`)) missing.push(`d-${i}`);
    }
    const where = `round ${round}, ${name}: ${missing.length} missing, said ${JSON.stringify(said)}`;
    if (missing.length > 0 && !MAY_BE_SILENT.has(name)) expect(said, where).not.toEqual([]);
    const aside = readdirSync(home).filter(
      (f) => f.includes('.damaged-') && !f.endsWith('-shm') && !f.endsWith('-wal'),
    );
    if (said.some((line) => line.includes('kept'))) expect(aside, where).not.toEqual([]);
    expect(
      readdirSync(home).some((f) => f.includes('.reading')),
      where,
    ).toBe(false);
    // It works: a new entry goes in, all that is due can be claimed and settled, and it opens again without a word.
    expect(await store.append(madeEntry({ id: 'after-1' })), where).toBe('new');
    const claimed = await store.claim('team', { now: NOON + 1e9, leaseMs: 1_000, limit: 100 });
    for (const d of claimed) expect(d.content.title, where).toBeTypeOf('string');
    await store.prune({ now: NOON, maxAgeMs: 1e12, maxBytes: 1e12, rawAgeMs: 1e12, deadAgeMs: 1e12 });
    await store.close();
    const again: string[] = [];
    const reopened = await openStore(file, { log: (line) => again.push(line) });
    expect(await reopened.entry('after-1'), where).not.toBeNull();
    await reopened.close();
    expect(again, where).toEqual([]);
    totals.rounds++;
    if (missing.length === 0) totals.intact++;
    if (said.length > 0) totals.noticed++;
    if (said.some((line) => line.includes('was damaged'))) totals.setAside++;
    totals.expected += EVENTS + Math.ceil(expectedEvents / 3);
    totals.kept += EVENTS + Math.ceil(expectedEvents / 3) - missing.length;
    rmSync(home, { recursive: true, force: true });
    expect(existsSync(home)).toBe(false);
  }
  figures('corruption', { ...totals, 'silent losses': 0 });
});
