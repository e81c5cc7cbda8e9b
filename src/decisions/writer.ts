// The one writer of decisions: whoever wants something decided reads facts and makes a decision of them; it is committed here, made again
// where others wrote meanwhile, and announced once.
import { createEmitter, type Emitter } from '../lib/emitter.ts';
import type { Decision, Store } from '../store/contract.ts';

/** `written`: it stands. `already`: its entry was decided before, and nothing is changed. `nothing`: there was nothing to write. */
export type Written =
  | { readonly result: 'written' | 'already'; readonly decision: Decision }
  | { readonly result: 'nothing' };

/** Writes decisions. */
export interface Writer {
  /**
   * `make` reads what it decides by and resolves with what is to be written; null: nothing is. It is called again, from its reads on,
   * when others wrote meanwhile. `what`: for the error, when they did each time; then, and when the store refuses, it rejects.
   */
  write(make: () => Promise<Decision | null>, what?: string): Promise<Written>;
  /** Every decision, once, as soon as it stands. */
  readonly onDecided: Emitter<Decision>['on'];
}

/** What it needs. */
export interface WriterDeps {
  readonly store: Pick<Store, 'commitDecision'>;
  /** Around each commit. */
  readonly around: (
    decision: Decision,
    commit: () => ReturnType<Store['commitDecision']>,
  ) => ReturnType<Store['commitDecision']>;
}

/** Times that a decision is made again. */
const MOST_CONFLICTS = 5;

/** Nobody hears of anything yet. */
export function createWriter({ store, around }: WriterDeps): Writer {
  const decided = createEmitter<Decision>();
  return {
    write: async (make, what = 'its session') => {
      for (let attempt = 1; attempt <= MOST_CONFLICTS; attempt++) {
        const decision = await make();
        if (decision === null) return { result: 'nothing' };
        const result = await around(decision, () => store.commitDecision(decision));
        if (result === 'written') decided.emit(decision);
        if (result !== 'conflict') return { result, decision };
      }
      throw new Error(`${what} was written by others ${MOST_CONFLICTS} times`);
    },
    onDecided: decided.on,
  };
}
