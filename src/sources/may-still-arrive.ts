// What may still arrive: whoever decides about a session waits for what began before.

/** An input's place in the order of its session. */
export interface Place {
  /** Its ordering key, and that of the session that it belongs to. */
  readonly keys: readonly string[];
  /** Unix ms. */
  readonly startedAt: number;
}

/** Asked of a source: whether something of these keys that began before is on its way into the journal. It answers yes for a few seconds at most. */
export type MayPrecede = (place: Place) => boolean;

/** A source waits for one input at most so long, ms: until then nothing that began later is decided. */
export const LONGEST_ARRIVAL = 2_000;
