// The contract of a watch: turns changes of the organization's service into events.
import type * as z from 'zod';
import type { Kind, Urgency } from './event.ts';

/** What a watch saw; the source makes an event of it. */
export interface Sighting {
  /** Stable id of the occurrence: the same change seen twice is one event. */
  readonly occurrence: string;
  readonly kind: Kind;
  readonly detail: string | null;
  readonly urgency: Urgency;
  readonly abnormal: boolean;
  readonly title: string;
  readonly body: string;
  readonly sessionId: string | null;
  readonly project: string | null;
  /** Unix ms. */
  readonly at: number;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** One look at the service. `C`: the client; `S`: settings; `K`: the state kept in the store between looks (JSON). */
export interface Watch<C = unknown, S = unknown, K = unknown> {
  readonly name: string;
  /** The keys below [watches.NAME]. */
  readonly schema: z.ZodType<S>;
  /** Ms after `now` of the next look. */
  readonly next: (settings: S, now: number) => number;
  /** `cursor` null on the first look: sets a baseline and sees nothing. Throws the client's errors. */
  readonly look: (
    client: C,
    settings: S,
    cursor: K | null,
    now: number,
    signal: AbortSignal,
  ) => Promise<{ sightings: readonly Sighting[]; cursor: K }>;
  readonly docs: { readonly summary: string; readonly example: string };
}

/** Declares a watch; the type is checked, nothing else happens. */
export function defineWatch<C, S, K>(watch: Watch<C, S, K>): Watch<C, S, K> {
  return watch;
}
