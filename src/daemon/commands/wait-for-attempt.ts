// Waits for the first attempt of each delivery, or until its channel is known not to accept any now.
import { type Clock, sleep } from '../../lib/clock.ts';
import type { Delivery } from '../../model/delivery/delivery.ts';
import type { DeliveryFilter, Store } from '../../store/contract.ts';

/** A delivery's state, for the caller. */
export interface DeliveryResult {
  readonly id: string;
  readonly event_id: string;
  readonly channel: string;
  readonly state: Delivery['state'];
  readonly reason: string | null;
  readonly error: string | null;
}

/** Longest wait for the receivers, ms. */
const TIMEOUT_MS = 15_000;
/** Somebody waits at a terminal: polled often, for a short time, ms. */
const POLL_MS = 30;

/** The deliveries once each was tried, or as they are when the wait ends. `ready`: whether all of them exist yet. */
export async function waitForFirstAttempt(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  filter: DeliveryFilter,
  wanted: (delivery: Delivery) => boolean,
  ready: () => Promise<boolean>,
): Promise<DeliveryResult[]> {
  const end = clock.now() + TIMEOUT_MS;
  for (;;) {
    const complete = await ready();
    const found = (await store.deliveries(filter)).filter(wanted);
    if ((complete && found.every(wasAttempted)) || clock.now() >= end) return found.map(firstOf);
    await sleep(POLL_MS, clock);
  }
}

/** With many rows the poll is slower: ms for each. */
const POLL_MS_PER_ROW = 0.1;

/** How the next attempt at each of these ended, in their order, or as they are when the wait ends. `before`: attempts made earlier. */
export async function waitForNextAttempt(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  ids: readonly string[],
  before: (id: string) => number,
): Promise<DeliveryResult[]> {
  const end = clock.now() + TIMEOUT_MS;
  const made = ({ id, attempts }: Delivery): boolean => attempts > before(id);
  const ended = new Map<string, DeliveryResult>();
  for (let open = ids; open.length > 0; ) {
    const found = await store.deliveries({ ids: open, limit: open.length });
    const late = clock.now() >= end;
    for (const delivery of found) {
      if (made(delivery)) ended.set(delivery.id, toResult(delivery));
      else if (late || (delivery.state !== 'pending' && delivery.state !== 'leased'))
        ended.set(delivery.id, { ...toResult(delivery), reason: null, error: NOT_ATTEMPTED[delivery.state] ?? null });
    }
    open = late ? [] : open.filter((id) => !ended.has(id));
    const pause = POLL_MS + open.length * POLL_MS_PER_ROW;
    if (open.length > 0) await sleep(pause, clock);
  }
  return ids.flatMap((id) => ended.get(id) ?? []);
}

/** The text where this attempt was not made: an earlier error would mislead. */
const NOT_ATTEMPTED: Partial<Record<Delivery['state'], string>> = {
  pending: 'others are sent first',
  leased: 'no answer yet',
  paused: 'its channel is failing',
};

/** What is planned for later is not waited for. */
function wasAttempted({ state, scheduled, lastReason }: Delivery): boolean {
  return scheduled || (state !== 'pending' && state !== 'leased') || lastReason !== null;
}

/** A first message to a channel that is failing waits for it; its sender hears why. */
const firstOf = (delivery: Delivery): DeliveryResult => {
  const result = toResult(delivery);
  return delivery.state === 'paused' ? { ...result, error: result.error ?? WAITS_FOR_CHANNEL } : result;
};

const WAITS_FOR_CHANNEL = 'its channel is failing; it is sent when that takes messages again';

/** The form of a row. */
export function toResult({ id, eventId, channel, state, lastReason, lastError }: Delivery): DeliveryResult {
  return { id, event_id: eventId, channel, state, reason: lastReason, error: lastError };
}
