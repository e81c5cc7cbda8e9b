// The journal: every envelope as it came, before anything is decided.
import type { JournalEntry, Store } from '../contract.ts';
import type { Database } from './database.ts';
import { encode, decode } from './encoding.ts';
import type { Writer } from './group-commit.ts';

interface EntryRow {
  readonly id: string;
  readonly source: string;
  readonly started_at: number;
  readonly received_at: number;
  readonly header: string;
  readonly bytes: Uint8Array | null;
}

const SELECT = `SELECT j.id, j.source, j.started_at, j.received_at, j.header, r.bytes
  FROM journal j LEFT JOIN raws r ON r.row = j.row`;

const entryOf = (row: EntryRow): JournalEntry => ({
  id: decode(row.id),
  source: row.source,
  startedAt: row.started_at,
  receivedAt: row.received_at,
  header: row.header,
  raw: row.bytes,
});

function insert(db: Database, e: JournalEntry): 'new' | 'known' {
  const added = db.get<{ row: number }>(
    `INSERT INTO journal (id, source, started_at, received_at, header) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING RETURNING row`,
    encode(e.id),
    encode(e.source),
    e.startedAt,
    e.receivedAt,
    e.header,
  );
  if (!added) return 'known';
  if (e.raw) db.run('INSERT INTO raws (row, received_at, bytes) VALUES (?, ?, ?)', added.row, e.receivedAt, e.raw);
  return 'new';
}

/** Most bytes of inputs taken up at once: a backlog of large ones must not fill the memory. */
const AT_ONCE = 32 * 1024 * 1024;

/** The journal's part of the store. */
export function journal(db: Database, writer: Writer): Pick<Store, 'append' | 'pendingEntries' | 'entry'> {
  return {
    append: (entry) => writer.write(() => insert(db, entry)),
    pendingEntries: async (limit) => {
      const rows = db.all<{ row: number; size: number }>(
        `SELECT j.row, coalesce(length(r.bytes), 0) AS size FROM journal j LEFT JOIN raws r ON r.row = j.row
         WHERE j.decided_at IS NULL ORDER BY j.started_at, j.row LIMIT ?`,
        limit,
      );
      let bytes = 0;
      const fitting = rows.filter(({ size }, i) => {
        bytes += size;
        return i === 0 || bytes <= AT_ONCE;
      });
      return fitting.flatMap(({ row }) => {
        const found = db.get<EntryRow>(`${SELECT} WHERE j.row = ?`, row);
        return found ? [entryOf(found)] : [];
      });
    },
    entry: async (id) => {
      const row = db.get<EntryRow>(`${SELECT} WHERE j.id = ?`, encode(id));
      return row ? entryOf(row) : null;
    },
  };
}
