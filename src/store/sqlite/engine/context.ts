// What the writing parts of the store share.
import type { ChangeLog } from './changes.ts';
import type { Database } from './database.ts';
import type { Writer } from './group-commit.ts';

export interface WriteContext {
  readonly db: Database;
  readonly writer: Writer;
  readonly changes: ChangeLog;
  /** Of the leases taken here: see owner.ts. */
  readonly owner: string;
  /** Unix ms. */
  readonly now: () => number;
}

/** For columns that hold a lease's token. */
export const NEW_TOKEN = 'lower(hex(randomblob(12)))';
