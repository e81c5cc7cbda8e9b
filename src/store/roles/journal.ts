// What came in, before anything is decided about it.
import type { JournalEntry } from '../records.ts';

/** Of ingest: what it appends is safe, and decided in order. */
export interface Journal {
  /** Durable when it resolves. `known`: an entry of this id was there already, nothing is written. */
  append(entry: JournalEntry): Promise<'new' | 'known'>;
  /**
   * Entries with no decision yet whose ids are not `known`, in order of `startedAt`; fewer than `limit` where they are large, but at
   * least one. `isAll`: there are no more.
   */
  pendingEntries(
    limit: number,
    known?: ReadonlySet<string>,
  ): Promise<{ readonly entries: readonly JournalEntry[]; readonly isAll: boolean }>;
  entry(id: string): Promise<JournalEntry | null>;
}
