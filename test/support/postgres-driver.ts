// PostgreSQL for the suites of the store: a database from a template, and each opener a replica with a pool of its own.
import { onTestFinished } from 'vitest';
import type { SharedStore } from '../../src/store/contract.ts';
import { openHubStore } from '../../src/store/postgres/open.ts';
import type { StoreDriver } from '../contracts/store/index.ts';
import { NOON } from './made.ts';
import type { Postgres } from './postgres.ts';

/** The roles of a hub, as one store of all that it has. */
export async function openShared(url: string, owner: string, org = 1): Promise<SharedStore> {
  const store = await openHubStore({ url, owner, org, max: 4, now: () => NOON });
  onTestFinished(() => store.close());
  return { ...store, ...store.questions(''), ...store.reader({ scope: 'all', machine: '' }) };
}

/** `way`: how the database is reached. Tests share it, each as an organization of its own, which sees nothing of the others. */
export function postgresDriver(name: string, postgres: Postgres, way: (database: string) => string): StoreDriver {
  let org = 0;
  return {
    name,
    database: () => {
      const own = ++org;
      return (owner) => openShared(way(postgres.shared), owner, own);
    },
  };
}
