// The sessions as they change, for a channel that shows their state elsewhere.
import type { SessionRecord } from './session.ts';

/** Some sessions as they are now. */
export interface SessionBatch {
  readonly sessions: readonly SessionRecord[];
  /** These are all: what is not among them is gone. */
  readonly whole: boolean;
}

/** Begins with all of them; then those that changed, and all again once an hour. */
export interface SessionFeed {
  readonly follow: (signal: AbortSignal) => AsyncIterable<SessionBatch>;
}
