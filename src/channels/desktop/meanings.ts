// What a click on each notification does: the server says only which one was clicked.
import type { DesktopReceipt } from './shown.ts';

/** Those of one run of a server. */
export interface Clicks {
  readonly remember: (receipt: DesktopReceipt, key: string | null) => void;
  /** The key of the notification with this id; null: a click on it does nothing. */
  readonly of: (id: number) => string | null;
}

const MOST_REMEMBERED = 500;

/** Nothing is shown yet. */
export function createClicks(): Clicks {
  const keys = new Map<number, string>();
  let of = '';
  return {
    remember: ({ id, server }, key) => {
      if (server !== of) keys.clear(); // another run gives out the same ids again
      of = server;
      keys.delete(id);
      if (key !== null) keys.set(id, key);
      const [oldest] = keys.keys();
      if (keys.size > MOST_REMEMBERED && oldest !== undefined) keys.delete(oldest);
    },
    of: (id) => keys.get(id) ?? null,
  };
}
