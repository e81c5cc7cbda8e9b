// What just happened inside the daemon, for those who wait for it: a decision written, an attempt made.
import type { Attempt, Delivery } from '../model/delivery.ts';
import type { Decision } from '../store/contract.ts';

/** One thing that happened. */
export type DaemonEvent =
  | { readonly type: 'taken'; readonly what: 'accepted' | 'repeated' | 'unreadable'; readonly source: string }
  | { readonly type: 'decided'; readonly decision: Decision }
  | { readonly type: 'settled'; readonly delivery: Delivery; readonly attempt: Attempt };

/** Publishes to every subscriber. */
export interface EventBus {
  publish(event: DaemonEvent): void;
  /** The returned function ends it. */
  subscribe(listener: (event: DaemonEvent) => void): () => void;
}

/** A bus without subscribers. */
export function createEventBus(): EventBus {
  const listeners = new Set<(event: DaemonEvent) => void>();
  return {
    publish: (event) => {
      for (const listener of listeners) listener(event);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
