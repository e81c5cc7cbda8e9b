// Where a terminal cannot be reached from here, the client that runs in it may write to it: a channel offers what it shows, and a hook that the client runs takes it.

/** What is on its way to clients. */
export interface ClientTerminals {
  /** Resolves with whether a hook took it within `ms`. A later offer for the same session takes the place of the earlier. */
  offer(threadKey: string, sequence: string, ms: number, signal: AbortSignal): Promise<boolean>;
  /** Resolves with what is offered for this session within `ms`; null: nothing. */
  take(threadKey: string, ms: number, signal: AbortSignal): Promise<string | null>;
}

/** A type of channels that offers something to clients. */
export interface OffersToClients<S> {
  readonly isWanted: (settings: S) => boolean;
  /** Nothing is on its way yet. `setTimer`: calls `wake` after `ms`; what it returns cancels that. */
  readonly open: (clock: { setTimer(ms: number, wake: () => void): () => void }) => ClientTerminals;
}
