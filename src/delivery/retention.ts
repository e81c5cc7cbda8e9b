// Keeps the store within its bounds: at the start and every hour.
import type { Clock } from '../lib/clock.ts';
import type { Store } from '../store/contract.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A delivery that could not be sent for this long becomes a dead letter, listed and replayable; what waits for its time does not. */
const EXPIRE = 7 * DAY;
/** Raw hook input is kept this long, or as long as its event when that is shorter. */
const RAW = 7 * DAY;

export interface RetentionDeps {
  readonly store: Pick<Store, 'prune' | 'transition' | 'expireNotifications'>;
  readonly clock: Clock;
  /** Asked each time, so that changed settings take effect. */
  readonly retention: () => { readonly days: number; readonly size: number };
  /** Called when notifications have expired. */
  readonly expired: () => Promise<void>;
  /** Applies the same limits to the files beside the store; returns how many were changed. */
  readonly tidyFiles: (rules: {
    readonly now: number;
    readonly rawAgeMs: number;
    readonly maxAgeMs: number;
    readonly maxBytes: number;
  }) => number;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** What time alone ends: notifications that nothing waits for, and deliveries that could not be sent for a week; how many of each. `now`: Unix ms. */
export async function endOverdue(
  store: Pick<Store, 'transition' | 'expireNotifications'>,
  now: number,
): Promise<{ readonly notifications: number; readonly deliveries: number }> {
  const notifications = await store.expireNotifications(now);
  const before = now - EXPIRE;
  const overdue = { from: ['pending', 'paused'], createdBefore: before, dueBefore: before } as const;
  return { notifications, deliveries: await store.transition(overdue, 'dead', now) };
}

/** Starts; the returned function stops it and waits for what is running. */
export function startRetention(deps: RetentionDeps): () => Promise<void> {
  const { store, clock, retention, expired, tidyFiles, log } = deps;
  let stopped = false;
  let cancel = (): void => undefined;
  const tick = async (): Promise<void> => {
    try {
      const now = clock.now();
      const { days, size } = retention();
      const maxAgeMs = days * DAY;
      const over = await endOverdue(store, now);
      if (over.notifications > 0) await expired();
      const rules = { now, maxAgeMs, maxBytes: size, rawAgeMs: Math.min(RAW, maxAgeMs) };
      const gone = await store.prune({ ...rules, deadAgeMs: maxAgeMs });
      const files = tidyFiles(rules);
      const { excess, ...deleted } = gone;
      if (excess > 0) log('store: what is unfinished, open or recent is larger than [retention] size', { excess });
      const { deliveries } = over;
      if (deliveries + gone.events + gone.raws + gone.dead + files > 0)
        log('store: tidied', { expired: deliveries, ...deleted, files });
    } catch (error) {
      log('store: tidying broke off, again in an hour', { error: String(error) });
    }
    if (!stopped) cancel = clock.setTimer(HOUR, () => (under = tick()));
  };
  let under = tick();
  return () => {
    stopped = true;
    cancel();
    return under;
  };
}
