// What is known of the person at the machine of a session. Unknown is never present, and neither is what came too late.
import type { Only } from '../delivery/delivery.ts';
import type { Event } from '../event/event.ts';

/** What there is evidence for. */
export type Evident = 'yes' | 'no' | 'unknown';

/** What was found out about the person, at the time it was asked. */
export interface Presence {
  /** They said so with `belfry away`; it counts more than whatever was detected. */
  readonly away: boolean;
  /** Whether they are looking at that very session. */
  readonly looking: Evident;
  /** Whether nothing was typed or moved for as long as `[presence] idle` says. */
  readonly idle: Evident;
  /** The last input at that session, on its desktop or else in its terminal, Unix ms: certainly not earlier. Null: none is known. */
  readonly input: number | null;
  /** `[presence] idle`, ms. */
  readonly idleAfter: number;
  /** What says so, for people, as a sentence without its full stop: "you said that you are away until 15:40". */
  readonly evidence: string;
}

/** Finds out about the person to be notified of an event; has its own deadline and never rejects: what fails is unknown. `only`: what it is asked for. */
export type PresenceReader = (event: Event, only: Only) => Promise<Presence>;

/** Nothing is known, so nothing is held back. */
export const UNKNOWN_PRESENCE: Presence = {
  away: false,
  looking: 'unknown',
  idle: 'unknown',
  input: null,
  idleAfter: 0,
  evidence: 'nothing shows that you are there',
};
