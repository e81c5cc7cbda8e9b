// The journal: every envelope as it came, before anything is decided.
import type { JournalEntry, Store } from '../contract.ts';
import { NEW_TOKEN, type WriteContext } from './context.ts';
import type { Database } from './database.ts';
import { encode, decode } from './encoding.ts';

interface EntryRow {
  readonly id: string;
  readonly source: string;
  readonly started_at: number;
  readonly received_at: number;
  readonly header: string;
  readonly bytes: Uint8Array | null;
  readonly ordering_key: string | null;
}

const SELECT = `SELECT j.id, j.source, j.started_at, j.received_at, j.header, j.ordering_key, r.bytes
  FROM journal j LEFT JOIN raws r ON r.row = j.row`;

const entryOf = (row: EntryRow): JournalEntry => ({
  id: decode(row.id),
  source: row.source,
  startedAt: row.started_at,
  receivedAt: row.received_at,
  header: row.header,
  raw: row.bytes,
  orderingKey: row.ordering_key === null ? null : decode(row.ordering_key),
});

function insert(db: Database, e: JournalEntry): 'new' | 'known' {
  const added = db.get<{ row: number }>(
    `INSERT INTO journal (id, source, started_at, received_at, header, ordering_key) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING RETURNING row`,
    encode(e.id),
    encode(e.source),
    e.startedAt,
    e.receivedAt,
    e.header,
    e.orderingKey === null ? null : encode(e.orderingKey),
  );
  if (!added) return 'known';
  if (e.raw) db.run('INSERT INTO raws (row, received_at, bytes) VALUES (?, ?, ?)', added.row, e.receivedAt, e.raw);
  return 'new';
}

/** Most bytes of inputs taken up at once: a backlog of large ones must not fill the memory. */
const AT_ONCE = 32 * 1024 * 1024;

interface Sized {
  readonly row: number;
  readonly size: number;
}

/** As many as fit, at least one. */
function fitting(rows: readonly Sized[]): readonly Sized[] {
  let bytes = 0;
  return rows.filter(({ size }, i) => {
    bytes += size;
    return i === 0 || bytes <= AT_ONCE;
  });
}

/** Undecided, leased by nobody, and nothing of its key is leased by another owner; entries without a key share one. */
const CLAIMABLE = `SELECT j.row, coalesce(length(r.bytes), 0) AS size FROM journal j LEFT JOIN raws r ON r.row = j.row
  WHERE j.decided_at IS NULL AND coalesce(j.lease_until, ?1) <= ?1 AND NOT EXISTS (
    SELECT 1 FROM journal o WHERE o.decided_at IS NULL AND o.token IS NOT NULL AND o.lease_until > ?1
      AND o.owner <> ?2 AND o.ordering_key IS j.ordering_key)
  ORDER BY j.started_at, j.row LIMIT ?3`;

/** The journal's part of the store. */
export function journal({
  db,
  writer,
  owner,
}: WriteContext): Pick<Store, 'append' | 'pendingEntries' | 'entry' | 'claimEntries' | 'releaseEntries'> {
  return {
    append: (entry) => writer.write(() => insert(db, entry)),
    pendingEntries: async (limit) => {
      const rows = db.all<{ row: number; size: number }>(
        `SELECT j.row, coalesce(length(r.bytes), 0) AS size FROM journal j LEFT JOIN raws r ON r.row = j.row
         WHERE j.decided_at IS NULL ORDER BY j.started_at, j.row LIMIT ?`,
        limit,
      );
      const taken = fitting(rows);
      const entries = taken.flatMap(({ row }) => {
        const found = db.get<EntryRow>(`${SELECT} WHERE j.row = ?`, row);
        return found ? [entryOf(found)] : [];
      });
      return { entries, isAll: taken.length < limit && taken.length === rows.length };
    },
    claimEntries: ({ now, leaseMs, limit }) =>
      writer.write(() =>
        fitting(db.all<Sized>(CLAIMABLE, now, owner, limit)).flatMap(({ row }) => {
          const leased = db.get<{ token: string }>(
            `UPDATE journal SET owner = ?, token = ${NEW_TOKEN}, lease_until = ? WHERE row = ? RETURNING token`,
            owner,
            now + leaseMs,
            row,
          );
          const found = db.get<EntryRow>(`${SELECT} WHERE j.row = ?`, row);
          return found && leased ? [{ entry: entryOf(found), token: leased.token }] : [];
        }),
      ),
    releaseEntries: (leases) =>
      writer.write(() =>
        leases.reduce(
          (sum, { id, token }) =>
            sum +
            db.run(
              `UPDATE journal SET owner = NULL, token = NULL, lease_until = NULL
               WHERE id = ? AND token = ? AND decided_at IS NULL`,
              encode(id),
              token,
            ),
          0,
        ),
      ),
    entry: async (id) => {
      const row = db.get<EntryRow>(`${SELECT} WHERE j.id = ?`, encode(id));
      return row ? entryOf(row) : null;
    },
  };
}
