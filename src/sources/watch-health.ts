// How each watch stands: its failures in a row and its last poll, kept beside its cursor.
import type { Store } from '../store/contract.ts';

/** Kind of the timer rows. */
export const WATCH_TIMER = 'watch';

export const timerId = (name: string): string => `${WATCH_TIMER}:${name}`;

/** How often a watch has failed in a row, and how its last poll went. */
export interface WatchHealth {
  readonly faults: number;
  readonly reported: boolean;
  /** Unix ms; null: not polled yet. */
  readonly polledAt: number | null;
  readonly error: string | null;
}

/** How a watch stands, for `belfry status`. Unix ms. */
export interface WatchStatus {
  readonly name: string;
  /** Null: not polled yet. */
  readonly polledAt: number | null;
  /** Of the last poll; null: it worked. */
  readonly error: string | null;
  /** Null: not scheduled. */
  readonly next: number | null;
}

/** How each of these watches stands. */
export async function watchStatus(
  store: Pick<Store, 'cursor' | 'timers'>,
  names: readonly string[],
): Promise<readonly WatchStatus[]> {
  const timers = await store.timers(names.map(timerId));
  return Promise.all(
    names.map(async (name) => {
      const { polledAt, error } = await watchHealth(store, name);
      return { name, polledAt, error, next: timers.find(({ id }) => id === timerId(name))?.due ?? null };
    }),
  );
}

/** As it was kept. */
export async function watchHealth(store: Pick<Store, 'cursor'>, name: string): Promise<WatchHealth> {
  return healthOf(await store.cursor(healthKey(name)));
}

export function keepWatchHealth(store: Pick<Store, 'setCursor'>, name: string, health: WatchHealth): Promise<void> {
  return store.setCursor(healthKey(name), health);
}

const healthKey = (name: string): string => `watch-health:${name}`;

function healthOf(value: unknown): WatchHealth {
  const { faults, reported, polledAt, error } = (value ?? {}) as Partial<WatchHealth>;
  return {
    faults: typeof faults === 'number' ? faults : 0,
    reported: reported === true,
    polledAt: typeof polledAt === 'number' ? polledAt : null,
    error: typeof error === 'string' ? error : null,
  };
}
