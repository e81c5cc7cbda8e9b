// SQLite for the suites of the store: a database is a file.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Store } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/open.ts';
import type { StoreDriver } from '../contracts/store/index.ts';
import { temporaryFolder } from './home.ts';

type Open = (file: string, owner: string) => Promise<Store>;

/** `open`: each time that a database is opened. */
export function sqlite(name: string, open: Open = (file, owner) => openStore(file, { owner })): StoreDriver<Store> {
  return {
    name,
    database: () => {
      const file = join(temporaryFolder(), 'state', 'belfry.db');
      return async (owner) => {
        const store = await open(file, owner);
        onTestFinished(() => store.close());
        return store;
      };
    },
  };
}
