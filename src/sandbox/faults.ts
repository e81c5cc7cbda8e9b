// Injected faults: delays, failures and a rate limit.
import { type Clock, sleep } from '../lib/clock.ts';
import { type Draw, seeded } from './random.ts';
import { Refusal } from './service.ts';

/** The faults to inject. */
export interface Faults {
  /** Ms before each answer. */
  readonly latencyMs: number;
  /** Share of requests answered with 500, 0 to 1. */
  readonly failRate: number;
  /** Most requests in ten seconds; beyond it 429 with Retry-After. */
  readonly rateLimit: number | null;
}

const WINDOW_MS = 10_000;

/** Called before each request is served; waits, or throws the failure to answer with. */
export function troubled(faults: Faults, seed: string, clock: Clock): () => Promise<void> {
  const draw: Draw = seeded(seed, 'faults');
  let window = { start: 0, count: 0 };
  return async () => {
    if (faults.latencyMs > 0) await sleep(faults.latencyMs, clock);
    const now = clock.now();
    if (now >= window.start + WINDOW_MS) window = { start: now, count: 0 };
    window.count++;
    if (faults.rateLimit !== null && window.count > faults.rateLimit) {
      const seconds = Math.ceil((window.start + WINDOW_MS - now) / 1000);
      throw new Refusal(429, 'Too Many Requests', `more than ${faults.rateLimit} requests in 10 seconds`, {
        'retry-after': String(seconds),
      });
    }
    if (draw() < faults.failRate)
      throw new Refusal(500, 'Internal Server Error', 'a failure made on request (--fail-rate)');
  };
}
