// Keeps the database within its bounds: what is too old goes, then of each table what is beyond its share, and the file gives the pages back.
import { nextTurn } from '../../../lib/clock.ts';
import { CHANGES_KEPT, type Store } from '../../contract.ts';
import { number, undecided, used } from './counts.ts';
import { BUSY, type Database } from '../engine/database.ts';
import {
  type Batch,
  deadLetters,
  journalEntries,
  oldChanges,
  pastChanges,
  pastEvents,
  pastNotifications,
  pastQuestions,
  pastSessions,
  rawInputs,
} from './prune-tables.ts';

type Rules = Parameters<Store['prune']>[0];

/** Repeats a batch until it is through, yielding to other work in between; returns how many went. */
async function all(batch: Batch, olderThan: number, go: () => boolean = () => true): Promise<number> {
  for (let total = 0; ; await nextTurn()) {
    const gone = go() ? batch(olderThan) : null;
    if (gone === null) return total;
    total += gone;
  }
}

/** Tables that share the bound. What one cannot delete, since it is unfinished or open, costs the others nothing of theirs. */
interface Share {
  /** `bytes`: of a row, with its entries in indexes. */
  readonly tables: readonly (readonly [table: string, count: string, bytes: string])[];
  /** Of the bound; all together are one. */
  readonly part: number;
  readonly batch: (olderThan: number) => Promise<number | null>;
}

/** However little room there is, entries are kept so long, ms: what is repeated comes soon after. */
const REPEATS = 3_600_000;

/** Rows of which the size is looked at. */
const SAMPLE = 200;

/** About how many bytes a share has, from the number of its rows and the size of its latest ones. */
function estimated(db: Database, { tables }: Pick<Share, 'tables'>): number {
  return tables.reduce((sum, [table, count, bytes]) => {
    const sample = `SELECT ${bytes} AS n FROM ${table} ORDER BY rowid DESC LIMIT ${SAMPLE}`;
    return sum + number(db, count) * number(db, `SELECT coalesce(avg(n), 0) FROM (${sample})`);
  }, 0);
}

function shares(db: Database, now: number, deleted: (events: number) => void): readonly Share[] {
  let came = 0;
  const events = pastEvents(db, (at) => {
    came = at;
  });
  const journal = journalEntries(db);
  const notifications = pastNotifications(db);
  const questions = pastQuestions(db);
  const sessions = pastSessions(db, now);
  const changes = pastChanges(db);
  return [
    {
      part: 0.7,
      tables: [
        ['events', 'SELECT count(*) FROM events INDEXED BY events_at', '250 + length(event) + length(verdicts)'],
        ['deliveries', 'SELECT count(*) FROM deliveries INDEXED BY deliveries_state', '600 + length(content)'],
        ['journal', 'SELECT count(*) FROM journal', '200 + length(header)'],
      ],
      // Entries go with the events of their time: they are only needed to know a repeat. Without events that may go, all but the latest do.
      batch: async (olderThan) => {
        const gone = events(olderThan);
        deleted(gone ?? 0);
        const entries = await all(journal, gone === null ? olderThan - REPEATS : came);
        return gone === null && entries === 0 ? null : (gone ?? 0) + entries;
      },
    },
    {
      part: 0.15,
      tables: [
        [
          'notifications',
          'SELECT count(*) FROM notifications INDEXED BY notifications_state',
          '350 + length(notification)',
        ],
        ['questions', 'SELECT count(*) FROM questions', '150 + length(question)'],
      ],
      batch: async (olderThan) => notifications(olderThan) ?? questions(olderThan),
    },
    {
      part: 0.1,
      tables: [['sessions', 'SELECT count(*) FROM sessions INDEXED BY sessions_last', '300 + length(record)']],
      batch: async (olderThan) => sessions(olderThan),
    },
    {
      part: 0.05,
      tables: [['changes', 'SELECT count(*) FROM changes', '80 + length(id)']],
      batch: async (olderThan) => changes(olderThan),
    },
  ];
}

/** Inputs that wait to be decided: they stay. */
const waitingInputs = (db: Database): number =>
  undecided(db) *
  number(db, `SELECT coalesce(avg(n), 0) FROM (SELECT length(bytes) AS n FROM raws ORDER BY row DESC LIMIT ${SAMPLE})`);

/** Takes from whichever is furthest beyond its share until the bound is kept, or nothing beyond a share may go. */
async function keepShares(db: Database, { now, maxBytes }: Rules, deleted: (events: number) => void): Promise<void> {
  if (used(db) <= maxBytes) return;
  const estimates = shares(db, now, deleted).map((share) => [share, estimated(db, share)] as const);
  // They are made to fit the file.
  const scale = used(db) / estimates.reduce((sum, [, size]) => sum + size, waitingInputs(db));
  // Tables are counted once: after that a share is smaller by the pages that a batch of it has freed.
  const sizes = new Map(estimates.map(([share, size]) => [share, size * scale]));
  for (let before = used(db); before > maxBytes; await nextTurn(), before = used(db)) {
    const [first] = [...sizes]
      .map(([share, size]) => ({ share, size, ratio: size / (share.part * maxBytes) }))
      .filter(({ ratio }) => ratio > 1)
      .sort((a, b) => b.ratio - a.ratio);
    if (first === undefined) return;
    const { share, size } = first;
    if ((await share.batch(now)) === null) sizes.delete(share);
    else sizes.set(share, size - (before - used(db)));
  }
}

/** Without waiting for readers: what they still read stays in the log until the next time. */
function shortenLog(db: Database): void {
  db.exec('PRAGMA busy_timeout = 0');
  try {
    db.all('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY}`);
  }
}

/** Retention. */
export function retention(db: Database): Pick<Store, 'prune'> {
  return {
    prune: async (rules) => {
      const { now, maxAgeMs, maxBytes, rawAgeMs, deadAgeMs } = rules;
      const limit = now - maxAgeMs;
      const raws = await all(rawInputs(db), now - rawAgeMs);
      const dead = await all(deadLetters(db), now - deadAgeMs);
      let events = await all(pastEvents(db), limit);
      for (const batch of [journalEntries(db), pastNotifications(db), pastQuestions(db), pastSessions(db, now)])
        await all(batch, limit);
      await all(oldChanges(db), now - CHANGES_KEPT);
      db.run('DELETE FROM silences WHERE until < ?', now);
      // Raw inputs take most space and are needed least.
      await all(rawInputs(db), now, () => used(db) > maxBytes);
      await keepShares(db, rules, (gone) => {
        events += gone;
      });
      for (let free = -1; free !== number(db, 'PRAGMA freelist_count'); await nextTurn()) {
        free = number(db, 'PRAGMA freelist_count');
        db.exec('PRAGMA incremental_vacuum(250)');
      }
      shortenLog(db);
      return { events, raws, dead, excess: Math.max(0, used(db) - maxBytes) };
    },
  };
}
