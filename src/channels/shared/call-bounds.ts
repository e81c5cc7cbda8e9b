// The time of one operation, shared by its calls.

/** Within which bounds a call is made. */
export interface CallBounds {
  /** Ms. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Unix ms. */
  readonly now: () => number;
  /** Most bytes of the answer; 64 KiB unless given. */
  readonly limit?: number;
}

/** From now on: each call gets what the ones before have left of `timeoutMs`. */
export function callBounds(timeoutMs: number, signal: AbortSignal, now: () => number): CallBounds {
  const end = performance.now() + timeoutMs;
  return {
    signal,
    now,
    get timeout() {
      return Math.max(1, Math.round(end - performance.now()));
    },
  };
}
