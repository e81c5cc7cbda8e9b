// The journal: every envelope as it came, before anything is decided.
import type { JournalEntry, Store } from '../contract.ts';
import type { WriteContext } from './engine/context.ts';
import type { Database } from './engine/database.ts';
import { encode, decode } from '../encoding.ts';

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
const MOST_BYTES = 32 * 1024 * 1024;

interface Sized {
  readonly row: number;
  readonly id: string;
  readonly size: number;
}

/** As many as fit, at least one. */
function fitting(rows: readonly Sized[]): readonly Sized[] {
  let bytes = 0;
  return rows.filter(({ size }, i) => {
    bytes += size;
    return i === 0 || bytes <= MOST_BYTES;
  });
}

/** The journal's part of the store. */
export function journal({ db, writer }: WriteContext): Pick<Store, 'append' | 'pendingEntries' | 'entry'> {
  return {
    append: (entry) => writer.write(() => insert(db, entry)),
    pendingEntries: async (limit, known = new Set()) => {
      const most = limit + known.size;
      const rows = db.all<Sized>(
        `SELECT j.row, j.id, coalesce(length(r.bytes), 0) AS size FROM journal j LEFT JOIN raws r ON r.row = j.row
         WHERE j.decided_at IS NULL ORDER BY j.started_at, j.row LIMIT ?`,
        most,
      );
      const others = rows.filter(({ id }) => !known.has(decode(id)));
      const taken = fitting(others.slice(0, limit));
      const entries = taken.flatMap(({ row }) => {
        const found = db.get<EntryRow>(`${SELECT} WHERE j.row = ?`, row);
        return found ? [entryOf(found)] : [];
      });
      return { entries, isAll: rows.length < most && taken.length === others.length };
    },
    entry: async (id) => {
      const row = db.get<EntryRow>(`${SELECT} WHERE j.id = ?`, encode(id));
      return row ? entryOf(row) : null;
    },
  };
}
