// What the workers ask about a send that is due, and what follows from what they hear.
import { askGate, type GateDeps } from '../../decisions/ask-gate.ts';
import type { DecidingDeps } from '../../decisions/deciding-deps.ts';
import { resolveSeen } from '../../decisions/resolve-notification.ts';
import { endStaleMutes } from '../../decisions/batch/stale-holds.ts';
import type { DueJudge } from '../../delivery/index.ts';
import { releaseTimer } from '../../dispatch/batch-plan.ts';
import type { Store } from '../../store/contract.ts';

interface JudgeDeps extends Omit<GateDeps, 'store'> {
  readonly store: Store;
  readonly deciding: DecidingDeps;
  readonly wakeTimers: () => void;
}

/** Builds it. */
export function createDueJudge(deps: JudgeDeps): DueJudge {
  return {
    ask: (delivery) => askGate(delivery, deps),
    timerOf: releaseTimer,
    held: async (hold) => {
      await endStaleMutes([hold], deps.store, deps.now());
      deps.wakeTimers();
    },
    seen: (delivery, why) => resolveSeen(delivery.notificationId, why, deps.deciding),
  };
}
