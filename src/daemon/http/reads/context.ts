// What a read is given.
import type { StoreReader } from '../../../store/contract.ts';
import type { WhyRules } from '../../processing/why.ts';

export interface ReadContext {
  readonly store: StoreReader;
  /** Unix ms. */
  readonly now: number;
  /** An agent's name as it is shown to people. */
  readonly displayName: (agent: string) => string;
  /** The settings in force, as far as a read depends on them. */
  readonly rules: WhyRules;
  /** Machines elsewhere that are not reachable, with since when, Unix ms. */
  readonly lost: ReadonlyMap<string, number>;
}
