// All that an engine of the store passes: a suite for each role.
import type { Store } from '../../../src/store/contract.ts';
import { testChanges } from './changes.ts';
import { testDecisions } from './decisions.ts';
import type { StoreDriver } from './driver.ts';
import { testJournal } from './journal.ts';
import { testMachine } from './machine.ts';
import { testOutbox } from './outbox.ts';
import { testQuestions } from './questions.ts';
import { testReader } from './reader.ts';
import { testState } from './state.ts';
import { testTimers } from './timers.ts';
import { testUpkeep } from './upkeep.ts';

export type { StoreDriver } from './driver.ts';

/** The suites of the roles that every engine has. */
export function testSharedStore(driver: StoreDriver): void {
  for (const testRole of [testDecisions, testOutbox, testTimers, testQuestions, testReader, testChanges, testState])
    testRole(driver);
}

/** The suites of an engine that has all roles. */
export function testStore(driver: StoreDriver<Store>): void {
  testSharedStore(driver);
  for (const testRole of [testJournal, testMachine, testUpkeep]) testRole(driver);
}
