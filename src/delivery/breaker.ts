// A channel's health: when it turns to failing, when it is probed, how long its receiver asked for silence.
import type { Clock } from '../lib/clock.ts';
import { RETRY_TABLE } from '../lib/retry.ts';
import type { Delivery, Outcome } from '../model/delivery.ts';
import type { ChannelHealth, Store } from '../store/contract.ts';
import { isTransient, needsOperator } from './retry-policy.ts';

/** Faults in a row that trip it, when they hit more than one session; a single session has to fail more often. */
const FAULTS = 5;
const FAULTS_ALONE = 8;
/** Ms between probes: a refusal needs an operator, a fault may be transient. */
const PROBES = RETRY_TABLE.slice(1, 5);
const PROBES_REFUSED = RETRY_TABLE.slice(3, 6);
/** Longest Retry-After that is believed, ms: lib/retry-after.ts. */
const LONGEST_HOLD = 7 * 24 * 3_600_000;

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
    probeAt: within(health.probeAt, PROBES_REFUSED.at(-1) ?? 0),
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

/** Begins with what the store remembers. */
export async function createBreaker(
  name: string,
  store: Pick<Store, 'health' | 'setHealth'>,
  clock: Clock,
): Promise<Breaker> {
  const kept = (await store.health()).find((h) => h.channel === name);
  let health = kept ? clampFuture(kept, clock.now()) : healthy(name, clock.now());
  let faults = 0;
  let probes = 0;
  let probing = (health.pausedUntil ?? 0) > clock.now();
  const hit = new Set<string>();
  const put = async (change: Partial<ChannelHealth>): Promise<void> => {
    health = { ...health, ...change };
    await store.setHealth(health);
  };
  const forget = (): void => {
    faults = 0;
    hit.clear();
  };
  const trips = (outcome: Outcome): boolean =>
    !outcome.ok && (needsOperator(outcome.reason) || faults >= FAULTS_ALONE || (faults >= FAULTS && hit.size > 1));
  const nextProbe = (): number => {
    const table = health.reason && needsOperator(health.reason) ? PROBES_REFUSED : PROBES;
    return clock.now() + (table[Math.min(probes, table.length - 1)] ?? 0);
  };

  return {
    get health() {
      return health;
    },
    get failing() {
      return health.state === 'failing';
    },
    get probing() {
      return probing;
    },
    record: async (outcome, delivery, probe) => {
      probing = !outcome.ok && outcome.reason === 'rate-limited';
      const asked = outcome.ok ? undefined : outcome.retryAfter;
      if (asked !== undefined || (!outcome.ok && outcome.reason === 'rate-limited'))
        await put({ pausedUntil: clock.now() + Math.max(1_000, asked ?? 1_000) });
      if (!outcome.ok && isTransient(outcome.reason)) {
        faults++;
        hit.add(delivery.threadKey);
      } else forget();
      const works = outcome.ok || outcome.reason === 'client' || outcome.reason === 'rate-limited';
      if (health.state === 'failing') {
        if (!probe) return 'none';
        if (works) {
          probes = 0;
          await put({ ...healthy(name, clock.now()), pausedUntil: health.pausedUntil });
          return 'recovered';
        }
        probes++;
        const { reason, error } = outcome;
        await put({ reason, error, faults: health.faults + 1, probeAt: nextProbe() });
        return 'none';
      }
      if (outcome.ok || !trips(outcome)) return 'none';
      probes = 0;
      const { reason, error } = outcome;
      health = { ...health, reason };
      await put({
        state: 'failing',
        since: clock.now(),
        faults: Math.max(1, faults),
        reason,
        error,
        probeAt: nextProbe(),
      });
      forget();
      return 'tripped';
    },
    probeAt: (at) => put({ probeAt: at }),
    shiftClock: async (ms) => {
      const back = (at: number | null): number | null => (at === null ? null : at - ms);
      await put({ probeAt: back(health.probeAt), pausedUntil: back(health.pausedUntil) });
    },
  };
}

/** What happened to a channel that was failing before or not, and is now or not. */
export function changeBetween(before: boolean, after: boolean): BreakerChange {
  if (after === before) return 'none';
  return after ? 'tripped' : 'recovered';
}
