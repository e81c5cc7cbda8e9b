// SQLite passes the suite of every store.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { testStore } from '../contracts/store.ts';
import { testStoreExpiry } from '../contracts/store-expiry.ts';
import { testFacts } from '../contracts/store-facts.ts';
import { testStoreGroups } from '../contracts/store-groups.ts';
import { testStoreLists } from '../contracts/store-lists.ts';
import { testStoreRetention } from '../contracts/store-retention.ts';
import { testSharedStore } from '../contracts/store-shared.ts';
import { testUndecided } from '../contracts/store-undecided.ts';
import { temporaryFolder } from '../support/home.ts';

testStore('sqlite', async () => {
  const store = await openStore(join(temporaryFolder(), 'state', 'belfry.db'));
  onTestFinished(() => store.close());
  return store;
});

testStoreGroups('sqlite', async () => {
  const store = await openStore(join(temporaryFolder(), 'state', 'belfry.db'));
  onTestFinished(() => store.close());
  return store;
});

testFacts('sqlite', async () => {
  const store = await openStore(join(temporaryFolder(), 'state', 'belfry.db'));
  onTestFinished(() => store.close());
  return store;
});

testStoreExpiry('sqlite', async () => {
  const store = await openStore(join(temporaryFolder(), 'state', 'belfry.db'));
  onTestFinished(() => store.close());
  return store;
});

testStoreLists('sqlite', async () => {
  const store = await openStore(join(temporaryFolder(), 'state', 'belfry.db'));
  onTestFinished(() => store.close());
  return store;
});

testUndecided('sqlite', async () => {
  const store = await openStore(join(temporaryFolder(), 'state', 'belfry.db'));
  onTestFinished(() => store.close());
  return store;
});

testStoreRetention('sqlite', async () => {
  const store = await openStore(join(temporaryFolder(), 'state', 'belfry.db'));
  onTestFinished(() => store.close());
  return store;
});

testSharedStore('sqlite', () => {
  const file = join(temporaryFolder(), 'state', 'belfry.db');
  return async (owner) => {
    const store = await openStore(file, { owner });
    onTestFinished(() => store.close());
    return store;
  };
});
