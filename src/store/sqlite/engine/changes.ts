// What changed, numbered: whoever follows asks for what came after a number, and is called in the process that wrote.
import type { Change, Changes, StoreReader } from '../../contract.ts';
import type { Database } from './database.ts';
import { decode, encode } from '../../encoding.ts';

/** Notes changes within the transaction that makes them. */
export interface ChangeLog {
  note(type: Change['type'], id: string): void;
  /** Runs what a transaction is to do, and writes what it noted with it. */
  within<T>(work: () => T): T;
  /** To be called after each commit. */
  committed(): void;
  watch(listener: () => void): () => void;
}

/** All that one transaction noted, in its order. */
const INSERT = `INSERT INTO changes (at, type, id) SELECT ?1, value ->> 0, value ->> 1 FROM json_each(?2) ORDER BY key`;

/** The log of one connection; `now`: Unix ms. */
export function createChangeLog(db: Database, now: () => number): ChangeLog {
  const listeners = new Set<() => void>();
  let noted: [type: Change['type'], id: string][] = [];
  let isWritten = false;
  return {
    note: (type, id) => void noted.push([type, encode(id)]),
    within: (work) => {
      noted = [];
      const result = work();
      if (noted.length === 0) return result;
      db.run(INSERT, now(), JSON.stringify(noted));
      isWritten = true;
      return result;
    },
    committed: () => {
      if (!isWritten) return;
      isWritten = false;
      for (const listener of listeners) listener();
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

type ChangeRow = Change & { readonly seq: number };

/** The number of the latest change that was read, which is never given twice. */
const CURSOR = /^\d{1,15}$/;

/** The read of changes. */
export function changeReads(db: Database): Pick<StoreReader, 'changesSince' | 'isCursor'> {
  /** The table's own counter goes on where all rows are deleted. */
  const latest = (): number =>
    db.get<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'changes'`)?.seq ?? 0;
  const oldest = (): number | null =>
    db.get<{ seq: number | null }>('SELECT min(seq) AS seq FROM changes')?.seq ?? null;
  return {
    isCursor: (text) => CURSOR.test(text),
    changesSince: async (cursor, limit): Promise<Changes> => {
      if (cursor === null) return { changes: [], reset: false, cursor: String(latest()) };
      const since = CURSOR.test(cursor) ? Number(cursor) : Number.POSITIVE_INFINITY;
      const rows = db.all<ChangeRow>(
        'SELECT seq, at, type, id FROM changes WHERE seq > ? ORDER BY seq LIMIT ?',
        since,
        limit,
      );
      const last = latest();
      const first = rows[0]?.seq ?? oldest() ?? last + 1;
      if (since > last || (since < last && first > since + 1))
        return { changes: [], reset: true, cursor: String(last) };
      const changes = rows.map(({ at, type, id }) => ({ at, type, id: decode(id) }));
      return { changes, reset: false, cursor: String(rows.at(-1)?.seq ?? since) };
    },
  };
}
