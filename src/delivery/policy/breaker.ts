// A channel's health: when it turns to failing, when it is probed, how long its receiver asked for silence.
import type { Clock } from '../../lib/clock.ts';
import { RETRY_TABLE } from '../../lib/retry.ts';
import type { Delivery, Outcome, Reason } from '../../model/delivery/delivery.ts';
import type { ChannelHealth, Store } from '../../store/contract.ts';
import { isTransient, stopsChannel } from './record-outcome.ts';

/** Faults in a row that trip it, when they hit more than one session; a single session has to fail more often. */
const FAULTS = 5;
const FAULTS_ALONE = 8;
/** Ms between probes: a refusal needs an operator, a fault may be transient. */
const PROBES = RETRY_TABLE.slice(1, 5);
const PROBES_REFUSED = RETRY_TABLE.slice(3, 6);
type Failure = Extract<Outcome, { readonly ok: false }>;

/** Longest Retry-After that is believed, ms: lib/net/retry-after.ts. */
export const LONGEST_HOLD = 7 * 24 * 3_600_000;
/** Ms to wait after "not now": at least a second. */
export const pauseMs = (retryAfter = 1_000): number => Math.max(1_000, retryAfter);

/** A channel without trouble. */
export const healthy = (channel: string, now: number): ChannelHealth => ({
  channel,
  state: 'ok',
  since: now,
  faults: 0,
  reason: null,
  error: null,
  probeAt: null,
  pausedUntil: null,
});

/** Without times that a clock, since set back, wrote too far ahead. */
function clampFuture(health: ChannelHealth, now: number): ChannelHealth {
  const within = (at: number | null, ms: number): number | null => (at === null ? null : Math.min(at, now + ms));
  return {
    ...health,
    probeAt: within(health.probeAt, health.reason === 'quota' ? LONGEST_HOLD : (PROBES_REFUSED.at(-1) ?? 0)),
    pausedUntil: within(health.pausedUntil, health.since > now ? 0 : LONGEST_HOLD),
  };
}

/** What an outcome did to the channel. */
export type BreakerChange = 'none' | 'tripped' | 'recovered';

export interface Breaker {
  readonly health: ChannelHealth;
  readonly failing: boolean;
  /** The last answer was "not now". */
  readonly probing: boolean;
  /** Records an outcome; only a probe can show that a failing channel works again. */
  record(outcome: Outcome, delivery: Pick<Delivery, 'threadKey'>, probe: boolean): Promise<BreakerChange>;
  /** Unix ms of the next probe from now on. */
  probeAt(at: number): Promise<void>;
  /** The clock went back by `ms`. */
  shiftClock(ms: number): Promise<void>;
}

/** Counts faults in a row and keeps the health in the store. */
class StoredBreaker implements Breaker {
  readonly #store: Pick<Store, 'setHealth'>;
  readonly #clock: Clock;
  #health: ChannelHealth;
  #faults = 0;
  /** Probes in a row that failed. */
  #probes = 0;
  #probing: boolean;
  /** Threads that the faults hit. */
  readonly #hit = new Set<string>();

  constructor(health: ChannelHealth, store: Pick<Store, 'setHealth'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#health = health;
    this.#probing = (health.pausedUntil ?? 0) > clock.now();
  }

  get health(): ChannelHealth {
    return this.#health;
  }

  get failing(): boolean {
    return this.#health.state === 'failing';
  }

  get probing(): boolean {
    return this.#probing;
  }

  async record(outcome: Outcome, delivery: Pick<Delivery, 'threadKey'>, probe: boolean): Promise<BreakerChange> {
    await this.#recordPause(outcome);
    if (!outcome.ok && isTransient(outcome.reason)) {
      this.#faults++;
      this.#hit.add(delivery.threadKey);
    } else this.#forget();
    if (this.failing) return probe ? this.#recordProbe(outcome) : 'none';
    return outcome.ok || !this.#trips(outcome.reason) ? 'none' : this.#trip(outcome);
  }

  probeAt(at: number): Promise<void> {
    return this.#put({ probeAt: at });
  }

  async shiftClock(ms: number): Promise<void> {
    const back = (at: number | null): number | null => (at === null ? null : at - ms);
    await this.#put({ probeAt: back(this.#health.probeAt), pausedUntil: back(this.#health.pausedUntil) });
  }

  async #recordPause(outcome: Outcome): Promise<void> {
    const deferred = !outcome.ok && outcome.reason === 'rate-limited';
    this.#probing = deferred;
    // A quota that renews is waited for as a failing channel: a test may find it renewed, or enlarged, before.
    const asked = outcome.ok || outcome.reason === 'quota' ? undefined : outcome.retryAfter;
    if (asked !== undefined || deferred) await this.#put({ pausedUntil: this.#clock.now() + pauseMs(asked) });
  }

  async #recordProbe(outcome: Outcome): Promise<BreakerChange> {
    if (outcome.ok || outcome.reason === 'client' || outcome.reason === 'rate-limited') {
      this.#probes = 0;
      const { channel, pausedUntil } = this.#health;
      await this.#put({ ...healthy(channel, this.#clock.now()), pausedUntil });
      return 'recovered';
    }
    this.#probes++;
    const { reason, error } = outcome;
    const probeAt = this.#nextProbe(outcome, this.#health.reason);
    await this.#put({ reason, error, faults: this.#health.faults + 1, probeAt });
    return 'none';
  }

  #trips(reason: Reason): boolean {
    return stopsChannel(reason) || this.#faults >= FAULTS_ALONE || (this.#faults >= FAULTS && this.#hit.size > 1);
  }

  async #trip(outcome: Failure): Promise<BreakerChange> {
    this.#probes = 0;
    const { reason, error } = outcome;
    const faults = Math.max(1, this.#faults);
    const probeAt = this.#nextProbe(outcome, reason);
    await this.#put({ state: 'failing', since: this.#clock.now(), faults, reason, error, probeAt });
    this.#forget();
    return 'tripped';
  }

  /** Unix ms of the probe that follows such an outcome, for a channel that fails for this reason. */
  #nextProbe({ reason, retryAfter }: Failure, since: Reason | null): number {
    const now = this.#clock.now();
    if (reason === 'quota' && retryAfter !== undefined) return now + Math.min(retryAfter, LONGEST_HOLD);
    const table = since && stopsChannel(since) ? PROBES_REFUSED : PROBES;
    return now + (table[Math.min(this.#probes, table.length - 1)] ?? 0);
  }

  #forget(): void {
    this.#faults = 0;
    this.#hit.clear();
  }

  async #put(change: Partial<ChannelHealth>): Promise<void> {
    this.#health = { ...this.#health, ...change };
    await this.#store.setHealth(this.#health);
  }
}

/** Begins with what the store remembers. */
export async function createBreaker(
  name: string,
  store: Pick<Store, 'health' | 'setHealth'>,
  clock: Clock,
): Promise<Breaker> {
  const kept = (await store.health()).find((h) => h.channel === name);
  return new StoredBreaker(kept ? clampFuture(kept, clock.now()) : healthy(name, clock.now()), store, clock);
}

/** What happened to a channel that was failing before or not, and is now or not. */
export function changeBetween(before: boolean, after: boolean): BreakerChange {
  if (after === before) return 'none';
  return after ? 'tripped' : 'recovered';
}
