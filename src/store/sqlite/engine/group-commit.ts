// Group commit: writes that are asked for in one turn of the event loop share a transaction, and so its pages and its commit.
import type { ChangeLog } from './changes.ts';
import type { Database } from './database.ts';

/** The one way to write while the daemon runs. */
export interface Writer {
  /** Resolves when what `work` did is committed. `work` may run a second time after a failure of others, so it touches the database only. */
  write<T>(work: () => T): Promise<T>;
  /** Commits what waits. */
  flush(): void;
}

interface PendingWrite {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The writer of one connection; each transaction writes what it changed into `changes` as well. */
export function createWriter(db: Database, changes: Pick<ChangeLog, 'within' | 'committed'>): Writer {
  let queue: PendingWrite[] = [];

  const flush = (): void => {
    const batch = queue;
    queue = [];
    if (batch.length === 0) return;
    let values: unknown[];
    try {
      values = db.transaction(() => changes.within(() => batch.map(({ work }) => work())));
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const one of batch) alone(db, changes, one);
      changes.committed();
      return;
    }
    changes.committed();
    for (const [i, { resolve }] of batch.entries()) resolve(values[i]);
  };

  return {
    flush,
    write: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        // Resolved with the value of its own `work`.
        const settle = resolve as (value: unknown) => void;
        if (queue.push({ work, resolve: settle, reject }) === 1) setImmediate(flush);
      }),
  };
}

/** One write must not take the others down with it. */
function alone(db: Database, changes: Pick<ChangeLog, 'within'>, { work, resolve, reject }: PendingWrite): void {
  try {
    resolve(db.transaction(() => changes.within(work)));
  } catch (error) {
    reject(error);
  }
}
