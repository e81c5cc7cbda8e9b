// SQLite passes the suites of every store.
import { testStore } from '../contracts/store/index.ts';
import { sqlite } from '../support/sqlite-driver.ts';

testStore(sqlite('sqlite'));
