// Waits for what comes of deliveries: the first attempt of each, or that its channel does not take any now.
import type { Clock } from '../../lib/clock.ts';
import type { Delivery } from '../../model/delivery.ts';
import type { DeliveryFilter, Store } from '../../store/contract.ts';

/** How a delivery stands, for the one who asked. */
export interface DeliveryResult {
  readonly id: string;
  readonly event_id: string;
  readonly channel: string;
  readonly state: Delivery['state'];
  readonly reason: string | null;
  readonly error: string | null;
}

/** Longest wait for the receivers, ms. */
const PATIENCE = 15_000;
/** Somebody waits at a terminal: looked at often, for a short while, ms. */
const LOOK = 30;

/** The deliveries once each was tried, or as they stand when patience ends. `ready`: whether all of them exist yet. */
export async function resultsOf(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  filter: DeliveryFilter,
  wanted: (delivery: Delivery) => boolean,
  ready: () => Promise<boolean>,
): Promise<DeliveryResult[]> {
  const end = clock.now() + PATIENCE;
  for (;;) {
    const complete = await ready();
    const found = (await store.deliveries(filter)).filter(wanted);
    if ((complete && found.every(tried)) || clock.now() >= end) return found.map(shown);
    await new Promise<void>((resolve) => void clock.after(LOOK, resolve));
  }
}

function tried({ state, lastReason }: Delivery): boolean {
  return (state !== 'pending' && state !== 'leased') || lastReason !== null;
}

function shown({ id, eventId, channel, state, lastReason, lastError }: Delivery): DeliveryResult {
  return { id, event_id: eventId, channel, state, reason: lastReason, error: lastError };
}
