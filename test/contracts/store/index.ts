// All that an engine of the store passes: a suite for each role.
import { testChanges } from './changes.ts';
import { testDecisions } from './decisions.ts';
import type { StoreDriver } from './driver.ts';
import { testJournal } from './journal.ts';
import { testOutbox } from './outbox.ts';
import { testQuestions } from './questions.ts';
import { testReader } from './reader.ts';
import { testState } from './state.ts';
import { testTimers } from './timers.ts';
import { testUpkeep } from './upkeep.ts';

export type { StoreDriver } from './driver.ts';

/** The suites. */
export function testStore(driver: StoreDriver): void {
  for (const testRole of [
    testJournal,
    testDecisions,
    testOutbox,
    testTimers,
    testQuestions,
    testReader,
    testChanges,
    testState,
    testUpkeep,
  ])
    testRole(driver);
}
