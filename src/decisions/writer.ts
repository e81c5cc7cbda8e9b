// The one writer of decisions: whoever wants something decided reads facts and plans; that is committed here, planned again where others
// wrote meanwhile, and announced once.
import { createEmitter, type Emitter } from '../lib/async/emitter.ts';
import type { Resolved } from '../pipeline/index.ts';
import type { Committed, Decision, Store } from '../store/contract.ts';
import { buildChanges } from './build-changes.ts';

/** What is to be written; what is left away is nothing. */
export interface Plan extends Pick<Decision, 'entryId' | 'at'>, Partial<Omit<Decision, 'entryId' | 'at' | 'timers'>> {
  readonly timers?: Partial<Decision['timers']>;
  /** Notifications that are changed on their channels as well. */
  readonly changed?: readonly Resolved[];
}

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
  write(make: () => Promise<Plan | null>, what?: string): Promise<Written>;
  /** Every decision, once, as soon as it stands. */
  readonly onDecided: Emitter<Decision>['on'];
}

/** What it needs. */
export interface WriterDeps {
  readonly store: Pick<Store, 'commit' | 'deliveries'>;
  /** Around each commit. */
  readonly around: (decision: Decision, commit: () => Promise<Committed>) => Promise<Committed>;
}

/** Times that a decision is made again. */
const MOST_CONFLICTS = 5;

/** Changes go first: what is over is cleared away before the next thing is shown. */
async function decisionOf({ changed = [], timers, ...plan }: Plan, store: WriterDeps['store']): Promise<Decision> {
  const rows = await Promise.all(changed.map((one) => buildChanges(one.notification, one.plan, store, plan.at)));
  return {
    events: [],
    cancel: [],
    sessions: [],
    ...plan,
    notifications: [...changed.map(({ notification }) => notification), ...(plan.notifications ?? [])],
    deliveries: [...rows.flat(), ...(plan.deliveries ?? [])],
    timers: { set: [], clear: [], ...timers },
  };
}

/** Nobody hears of anything yet. */
export function createWriter({ store, around }: WriterDeps): Writer {
  const decided = createEmitter<Decision>();
  return {
    write: async (make, what = 'its session') => {
      for (let attempt = 1; attempt <= MOST_CONFLICTS; attempt++) {
        const plan = await make();
        if (plan === null) return { result: 'nothing' };
        const decision = await decisionOf(plan, store);
        const result = await around(decision, async () => {
          const [committed = 'conflict'] = await store.commit([decision]);
          return committed;
        });
        if (result === 'written') decided.emit(decision);
        if (result !== 'conflict') return { result, decision };
      }
      throw new Error(`${what} was written by others ${MOST_CONFLICTS} times`);
    },
    onDecided: decided.on,
  };
}
