// What changed, for those who follow.
import type { Change, Changes } from '../records.ts';

/** Reads that the command line may do beside a running daemon. */
export interface ChangeReader {
  /** What changed after this cursor of an earlier answer, in order; kept for 24 hours. Null: from now on, nothing yet. */
  changesSince(cursor: string | null, limit: number): Promise<Changes>;
  /** Whether a text from elsewhere may be a cursor. */
  isCursor(text: string): boolean;
}

/** Within the process that writes. */
export interface ChangeFeed {
  /** Rows that are shown with what is kept elsewhere count as changed, too. */
  touch(rows: readonly Pick<Change, 'type' | 'id' | 'machine'>[]): Promise<void>;
  /** Called after every commit of this process that changed something that `changesSince` tells; the returned function ends it. */
  watchChanges(listener: () => void): () => void;
}
