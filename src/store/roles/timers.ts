// What is to be done later, as rows with a due time: a restart forgets none.
import type { Timer } from '../../model/event/verdict.ts';
import type { ClaimedTimers, ClaimOptions } from '../records.ts';

/** Of the scheduler. */
export interface Timers {
  /** `now` lets a clock set back be recognized later. */
  setTimer(timer: Timer, now: number): Promise<void>;
  clearTimer(id: string): Promise<void>;
  /**
   * Leases due timers that nobody handles, earliest first. `except`: ids of those that the caller still handles, whatever became of their
   * leases while the machine slept.
   */
  claimTimers(claim: ClaimOptions & { readonly except?: readonly string[] }): Promise<ClaimedTimers>;
  /** Clears a timer, or puts the next one in its place. False: it was replaced or claimed by another meanwhile, and nothing is changed. */
  settleTimer(id: string, token: string, next: Timer | null, now: number): Promise<boolean>;
}
