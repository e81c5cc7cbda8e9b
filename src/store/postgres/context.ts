// What the parts of the store of a hub share.
import type { Connection } from './connection.ts';

export interface Context {
  readonly db: Connection;
  /** Whose rows these are. */
  readonly org: number;
  /** Of the leases taken here: a replica's name. */
  readonly owner: string;
  /** Unix ms. */
  readonly now: () => number;
  /** To be called after each commit that changed something that `changesSince` tells. */
  readonly committed: () => void;
}

/** For columns that hold a lease's token. */
export const NEW_TOKEN = `replace(gen_random_uuid()::text, '-', '')`;
