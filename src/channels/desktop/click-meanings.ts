// What a click on each notification means, and a reply in it: the server says only which notification it was.
import type { Server } from './notification-server.ts';

/** Keys; null: it means nothing. */
export interface Meaning {
  readonly click: string | null;
  readonly reply: string | null;
}

/** Those of one run of a server. */
export interface Meanings {
  readonly remember: (server: Server, id: number, meaning: Meaning) => void;
  /** Of the notification with this id; null: it is none of ours. `sender`: who says so; nobody but the server itself is believed, as ids are easy to guess. */
  readonly of: (sender: string, id: unknown) => Meaning | null;
  /** Whether what is being written in the notification with this id would go to something else than `reply`. */
  readonly isTaken: (server: Server, id: number, reply: string | null) => boolean;
}

const MOST_REMEMBERED = 500;

/** Nothing is shown yet. */
export function createMeanings(): Meanings {
  const known = new Map<number, Meaning>();
  let of: Server | null = null;
  return {
    remember: (server, id, meaning) => {
      if (server.id !== of?.id) known.clear(); // another run gives out the same ids again
      of = server;
      known.delete(id);
      known.set(id, meaning);
      const [oldest] = known.keys();
      if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    },
    of: (sender, id) => (sender === of?.owner ? known.get(Number(id)) : undefined) ?? null,
    isTaken: (server, id, reply) => {
      const before = server.id === of?.id ? (known.get(id)?.reply ?? null) : null;
      return before !== null && reply !== null && before !== reply;
    },
  };
}
