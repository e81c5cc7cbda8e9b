// What is to be done later, as rows with a due time: a restart forgets none.
import type { LeasedTimer, Timer } from '../../model/event/verdict.ts';
import type { ClaimOptions } from '../records.ts';

/** Of the scheduler. */
export interface Timers {
  timersDue(now: number, limit: number): Promise<readonly Timer[]>;
  nextTimer(): Promise<number | null>;
  /** `now` lets a clock set back be recognized later. */
  setTimer(timer: Timer, now: number): Promise<void>;
  clearTimer(id: string): Promise<void>;
  /** Leases due timers that nobody handles, earliest first. */
  claimTimers(claim: ClaimOptions): Promise<readonly LeasedTimer[]>;
  /** Clears a timer, or puts the next one in its place. False: it was replaced or claimed by another meanwhile, and nothing is changed. */
  settleTimer(id: string, token: string, next: Timer | null, now: number): Promise<boolean>;
}
