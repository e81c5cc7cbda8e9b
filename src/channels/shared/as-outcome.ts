// Putting a message into a channel's form: a mistake in that concerns this message only, and is an outcome.
import type { Outcome } from '../../model/delivery/delivery.ts';

/** What `make` returns; a failure, without its words, where it throws. */
export function asOutcome<T>(make: () => T): T | Extract<Outcome, { ok: false }> {
  try {
    return make();
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    return { ok: false, reason: 'client', error: `could not be put into this channel's form: ${name}` };
  }
}
