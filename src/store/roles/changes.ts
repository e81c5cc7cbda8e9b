// What changed, for those who follow.
import type { Changes } from '../records.ts';

/** Reads that the command line may do beside a running daemon. */
export interface ChangeReader {
  /** What changed after number `seq`, in order; kept for 24 hours. */
  changesSince(seq: number, limit: number): Promise<Changes>;
}

/** Within the process that writes. */
export interface ChangeFeed {
  /** Called after every commit of this process that changed something that `changesSince` tells; the returned function ends it. */
  watchChanges(listener: () => void): () => void;
}
