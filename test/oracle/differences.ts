// Where people are told something else now than was recorded, on purpose: each with the finding that it comes from.
// `compare.ts` shows what differs; who adds a row here writes down what is told now with `record.ts differences`.
import type { RecordName } from './recorded.ts';

export interface Difference {
  readonly record: RecordName;
  /** Of the list of findings: A3, A4, A9, D4, F4, F6 or F7. */
  readonly finding: string;
  readonly why: string;
  /** The accounts that differ for it. */
  readonly names: readonly string[];
}

export const DIFFERENCES: readonly Difference[] = [];
