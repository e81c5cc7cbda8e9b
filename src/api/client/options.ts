// What callers of the client give it.
import type { Clock } from '../../lib/clock.ts';

/** What a client needs to know. */
export interface ClientOptions {
  /** Address of all /api/v0 and /api/v1 paths; a path prefix or trailing slash is fine. */
  readonly baseUrl: string;
  /** Address of the readiness reports. */
  readonly appUrl?: string | undefined;
  /** API key or JWT. */
  readonly key: string;
  /** Ms for one attempt, headers and body (default 30,000). */
  readonly timeoutMs?: number | undefined;
  /** Most bytes of an answer (default 32 MB). */
  readonly maxBytes?: number | undefined;
  /** Attempts after the first, where a request may be repeated (default 2). */
  readonly retries?: number | undefined;
  /** Called after each attempt; never gets the key. */
  readonly onRequest?: ((line: RequestLine) => void) | undefined;
  /** Called before the client waits to send a request again: for how long (ms), and after what. */
  readonly onWait?: ((ms: number, after: string) => void) | undefined;
  /** Called with one line when the pages of a list may be incomplete. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Another clock than the system's, for tests. */
  readonly clock?: Clock | undefined;
}

/** One attempt, for a log. */
export interface RequestLine {
  readonly method: string;
  readonly url: string;
  /** The status, or the kind of fault. */
  readonly outcome: string;
  readonly ms: number;
  readonly attempt: number;
}

/** For one call. */
export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
}
