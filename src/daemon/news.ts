// What just happened inside the daemon, for those who wait for it: a decision written, an attempt made.
import type { Attempt, Delivery } from '../model/delivery.ts';
import type { Decision } from '../store/contract.ts';

/** One thing that happened. */
export type News =
  | { readonly type: 'taken'; readonly what: 'accepted' | 'repeated' | 'unreadable'; readonly source: string }
  | { readonly type: 'decided'; readonly decision: Decision }
  | { readonly type: 'settled'; readonly delivery: Delivery; readonly attempt: Attempt };

/** Tells everyone who listens. */
export interface NewsDesk {
  tell(news: News): void;
  /** The returned function ends it. */
  listen(listener: (news: News) => void): () => void;
}

/** A desk with nobody listening yet. */
export function newsDesk(): NewsDesk {
  const listeners = new Set<(news: News) => void>();
  return {
    tell: (news) => {
      for (const listener of listeners) listener(news);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
