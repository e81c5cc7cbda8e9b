// What came in, before anything is decided about it.
import type { ClaimOptions, JournalEntry, Lease, LeasedEntry } from '../records.ts';

/** Of ingest: what it appends is safe, and decided in order. */
export interface Journal {
  /** Durable when it resolves. `known`: an entry of this id was there already, nothing is written. */
  append(entry: JournalEntry): Promise<'new' | 'known'>;
  /** Entries with no decision yet, in order of `startedAt`; fewer than `limit` where they are large, but at least one. `isAll`: there are no more. */
  pendingEntries(limit: number): Promise<{ readonly entries: readonly JournalEntry[]; readonly isAll: boolean }>;
  entry(id: string): Promise<JournalEntry | null>;
  /** Leases undecided entries in order of `startedAt`, passing over keys of which another owner has one. */
  claimEntries(claim: ClaimOptions): Promise<readonly LeasedEntry[]>;
  /** Gives entries back undecided; returns how many were still leased with these tokens. */
  releaseEntries(leases: readonly Lease[]): Promise<number>;
}
