// The connections that are open, by who asked on them last. Too many: of whoever has most, the one that waits for longest goes.
import type { Socket } from 'node:net';
import { callerOf } from './admission.ts';

/** Connections at once. */
export const MOST_CONNECTIONS = 256;

interface Connection {
  key: string;
  /** Requests on it that were let in. */
  busy: number;
}

/** In the order of their last request. Without a token nobody's connection is kept against others of the same address. */
export class Connections {
  readonly #most: number;
  readonly #known = new Map<Socket, Connection>();

  constructor(most = MOST_CONNECTIONS) {
    this.#most = most;
  }

  opened(socket: Socket): void {
    this.#known.set(socket, { key: callerOf(null, socket.remoteAddress ?? '').key, busy: 0 });
    socket.once('close', () => this.#known.delete(socket));
    if (this.#known.size > this.#most) (this.#spare() ?? socket).destroy();
  }

  /** A request of this caller is under way, until the returned function is called. */
  asks(socket: Socket, key: string): () => void {
    const connection = this.#known.get(socket);
    if (connection === undefined) return () => undefined; // it has closed
    this.#known.delete(socket);
    this.#known.set(socket, connection);
    connection.key = key;
    connection.busy += 1;
    return () => {
      connection.busy -= 1;
    };
  }

  #spare(): Socket | null {
    const counts = new Map<string, number>();
    for (const { key } of this.#known.values()) counts.set(key, (counts.get(key) ?? 0) + 1);
    let found: Socket | null = null;
    let most = 0;
    for (const [socket, { key, busy }] of this.#known) {
      const count = counts.get(key) ?? 0;
      if (busy > 0 || count <= most) continue; // of as many the first has waited for longest
      [found, most] = [socket, count];
    }
    return found;
  }
}
