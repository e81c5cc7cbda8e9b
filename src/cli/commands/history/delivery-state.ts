// How a delivery stands, in words for people.
import type { Delivery, DeliveryState } from '../../../model/delivery/delivery.ts';
import { holderWords, isGroupHold, STORM_HOLD } from '../../../model/delivery/holds.ts';
import { formatDuration } from '../../../model/quantities.ts';

const count = (attempts: number): string => (attempts === 1 ? '1 attempt' : `${attempts} attempts`);

/** "sent", "retry in 5 min", "given up after 12 attempts"; `now`: Unix ms. */
export function stateWords(
  {
    state,
    attempts,
    due,
    heldBy = null,
  }: Pick<Delivery, 'state' | 'attempts' | 'due'> & { readonly heldBy?: string | null },
  now: number,
): string {
  switch (state) {
    case 'dead':
      return attempts === 0 ? 'given up' : `given up after ${count(attempts)}`;
    case 'paused':
      return 'paused';
    case 'superseded':
      return 'replaced';
    case 'leased':
      return 'sending';
    case 'pending': {
      if (heldBy !== null && isGroupHold(heldBy))
        return `waits for ${heldBy.startsWith(STORM_HOLD) ? 'more of its session' : 'its group'}`;
      if (heldBy !== null) return `held by ${holderWords(heldBy)}`;
      const later = due - now >= 1_500;
      if (attempts === 0) return later ? `queued for ${formatDuration(due - now)}` : 'queued';
      return later ? `retry in ${formatDuration(due - now)}` : 'retrying';
    }
    default:
      return state;
  }
}

/** The same where only the state is known, as in an answer of the daemon. */
export function outcomeWords(state: string): string {
  const words: Readonly<Record<string, string>> = {
    sent: 'delivered',
    dead: 'given up',
    paused: 'paused',
    superseded: 'replaced',
    cancelled: 'cancelled',
    leased: 'sending',
    pending: 'queued',
  } satisfies Record<DeliveryState, string>;
  return words[state] ?? state;
}
