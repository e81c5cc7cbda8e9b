// The contract of a watch: turns changes of the organization's service into events.
import type * as z from 'zod';
import type { Kind, Urgency } from '../event/event.ts';

/** What a watch saw; the source makes an event of it. */
export interface Observation {
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
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What one poll is given. `C`: the client; `S`: settings; `K`: the state kept in the store between polls (JSON). */
export interface PollContext<C, S, K> {
  readonly client: C;
  readonly settings: S;
  /** Null on the first poll, which sets a baseline and reports nothing. */
  readonly cursor: K | null;
  /** Unix ms. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Ids of the sessions that `belfry api` created. */
  readonly created: readonly string[];
}

/** Polls the service. */
export interface Watch<C = unknown, S = unknown, K = unknown> {
  readonly name: string;
  /** The keys below [watches.NAME]. */
  readonly schema: z.ZodType<S>;
  /** Unix ms of the poll after one at `now`. */
  readonly next: (settings: S, now: number) => number;
  /** Observations in the order they happened. Throws the client's errors; then the cursor stays as it was. */
  readonly poll: (context: PollContext<C, S, K>) => Promise<{
    readonly observations: readonly Observation[];
    readonly cursor: K;
    /** Unix ms of an attributes poll before the regular one, when something was not there yet. */
    readonly again?: number;
  }>;
  readonly docs: { readonly summary: string; readonly example: string };
}

/** Declares a watch; the type is checked, nothing else happens. */
export function defineWatch<C, S, K>(watch: Watch<C, S, K>): Watch<C, S, K> {
  return watch;
}
