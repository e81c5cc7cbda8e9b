// What keeps the store in order while nothing else happens: age, size, leases of the dead, a clock that was set back.

/** Of the daemon itself. */
export interface Upkeep {
  /**
   * Sets open and acknowledged notifications that are past their time to expired; returns how many. Never one of which a delivery is
   * unfinished, nor one that waits for its session while that lives, nor a group or a digest while one of its events' own is not over.
   */
  expireNotifications(now: number): Promise<number>;
  /**
   * Frees deliveries and timers of owners on this machine that have ended; with a channel, its deliveries only, and also those of
   * this process (a worker before). Returns how many.
   */
  reclaimLeases(of: { readonly now: number; readonly channel?: string }): Promise<number>;
  /** The clock was set back: due times written in what is now the future keep their distance from `now`. */
  compensateClock(now: number): Promise<number>;
  /**
   * Deletes what is older than allowed, then of each table what is beyond its share of the size, oldest first; never what is undelivered,
   * open, or of a session that lives. `excess`: bytes above the size that could not go.
   */
  prune(rules: {
    readonly now: number;
    readonly maxAgeMs: number;
    readonly maxBytes: number;
    readonly rawAgeMs: number;
    readonly deadAgeMs: number;
  }): Promise<{ readonly events: number; readonly raws: number; readonly dead: number; readonly excess: number }>;
}
