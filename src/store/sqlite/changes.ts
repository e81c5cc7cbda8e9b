// What changed, numbered: whoever follows asks for what came after a number, and is called in the process that wrote.
import type { Change, Changes, StoreReader } from '../contract.ts';
import type { Database } from './database.ts';
import { decode, encode } from './encoding.ts';

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

type ChangeRow = Omit<Change, 'id'> & { readonly id: string };

/** The read of changes. */
export function changeReads(db: Database): Pick<StoreReader, 'changesSince'> {
  return {
    changesSince: async (seq, limit): Promise<Changes> => {
      const rows = db.all<ChangeRow>(
        'SELECT seq, at, type, id FROM changes WHERE seq > ? ORDER BY seq LIMIT ?',
        seq,
        limit,
      );
      // The table's own counter goes on where all rows are deleted.
      const last = db.get<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'changes'`)?.seq ?? 0;
      const first =
        rows[0]?.seq ?? db.get<{ seq: number | null }>('SELECT min(seq) AS seq FROM changes')?.seq ?? last + 1;
      const reset = seq > last || (seq < last && first > seq + 1);
      return { changes: rows.map((row) => ({ ...row, id: decode(row.id) })), reset, last };
    },
  };
}
