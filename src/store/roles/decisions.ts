// What a decision reads, and its commit.
import type { Decision, DecisionFacts, FactsKey } from '../records.ts';

/** What became of a decision. */
export type Committed = 'written' | 'already' | 'conflict';

/** Of the writer of decisions, and of no other. */
export interface Decisions {
  /** What each of these decisions needs. `commit` refuses a decision of which a row has changed since. */
  factsFor(keys: readonly FactsKey[]): Promise<readonly DecisionFacts[]>;
  /**
   * Each all or nothing, in this order, and durable when it resolves; what became of each. A decision for an entry decided before changes
   * nothing and says so. An id that was never journaled (a timer's own decision) counts as an entry from then on. An event written before
   * keeps its row; its verdicts grow.
   * A planned update or retract of a message (a step) that its channel neither was sent nor is about to be, once the cancellations are made, is not written;
   * one whose send is planned for later, and nothing holds, follows it.
   * conflict: a session or notification was written since it was read; nothing is changed, whoever decided reads and decides again.
   */
  commit(decisions: readonly Decision[]): Promise<readonly Committed[]>;
}
