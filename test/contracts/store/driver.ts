// How the suites of the store get at an engine, and what several of them write.
import { type Attempt, type DeliveryState, NO_RETRIES } from '../../../src/model/delivery/delivery.ts';
import { HERE } from '../../../src/model/session/whereabouts.ts';
import type { SharedStore, Store } from '../../../src/store/contract.ts';
import { NOON } from '../../support/made.ts';
import type { Ended } from '../../support/store-writes.ts';

/** An engine, with the roles that it has. */
export interface StoreDriver<S extends SharedStore = SharedStore> {
  readonly name: string;
  /** An empty database that the test's end disposes of; it is opened as often as a test likes, each time by another owner of leases. */
  readonly database: () => (owner: string) => Promise<S>;
}

/** Of machines that nothing is known of: their leases run out. */
export const OWNERS = ['elsewhere:1:1', 'elsewhere:2:2'] as const;
/** A process of this machine that has ended; its pid is that of another one now. */
export const GONE = `${HERE.host}:${process.pid}:1`;

/** One opener of a database. */
export const alone = <S extends SharedStore>({ database }: StoreDriver<S>): Promise<S> => database()(OWNERS[0]);

/** Two openers of the same database. */
export async function both<S extends SharedStore>({ database }: StoreDriver<S>): Promise<[S, S]> {
  const open = database();
  return [await open(OWNERS[0]), await open(OWNERS[1])];
}

/** Two openers of the same database, the first of which is gone. */
export async function withGone({ database }: StoreDriver<Store>): Promise<[gone: Store, here: Store]> {
  const open = database();
  return [await open(GONE), await open(OWNERS[1])];
}

export const CLAIM = { now: NOON, leaseMs: 1_000, limit: 10 } as const;

/** An attempt that ended so. */
export const ended = (
  state: DeliveryState,
  more: Partial<Omit<Ended, 'attempt'>> = {},
): Ended & { readonly attempt: Attempt } => ({
  attempt: {
    deliveryId: 'd',
    number: 1,
    at: NOON,
    ms: 1,
    ok: state === 'sent',
    next: state,
    reason: null,
    error: null,
    answer: null,
    status: null,
  },
  state,
  due: NOON,
  lastReason: null,
  lastError: null,
  counters: NO_RETRIES,
  ...more,
});

/** Texts that must come back as they are. */
export const HOSTILE = [
  'plain',
  'a\0b',
  '\u0001x',
  'lone \ud800 surrogate',
  '\udc00',
  "'; DROP TABLE events; --",
  '',
  '🙂 עברית',
];
