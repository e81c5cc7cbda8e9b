// A TCP proxy whose connections can be cut, or stand still while both ends believe in them.
import { Transform } from 'node:stream';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface BreakingProxy {
  readonly port: number;
  /** Connections so far. */
  readonly connections: () => number;
  /** Ends what is connected: by a reset. */
  cut(): void;
  /** Nothing passes any more on what is connected, or only one way, and nobody is told; what is connected later passes. */
  freeze(way?: 'both' | 'there' | 'back'): void;
  /** What is connected from now on takes so many ms longer for a round trip. */
  slow(roundTrip: number): void;
  /** Refuses what comes, until it is called with false. */
  refuse(refuses: boolean): void;
}

/** In front of this port of this machine; ended when the running test has finished. */
export async function startBreakingProxy(target: number): Promise<BreakingProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let connections = 0;
  let refuses = false;
  let roundTrip = 0;
  const server = createServer((client) => {
    if (refuses) return client.destroy();
    connections++;
    const upstream = connect(target, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    if (roundTrip === 0) client.pipe(upstream).pipe(client);
    else {
      client.pipe(late(roundTrip / 2)).pipe(upstream);
      upstream.pipe(late(roundTrip / 2)).pipe(client);
    }
    for (const socket of pair) {
      socket.on('error', () => undefined); // a close follows
      socket.on('close', () => {
        pairs.delete(pair);
        for (const one of pair) one.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    cut,
    freeze: (way = 'both') => {
      for (const [client, upstream] of pairs) {
        if (way !== 'back') client.unpipe(upstream).pause();
        if (way !== 'there') upstream.unpipe(client).pause();
      }
    },
    slow: (given) => {
      roundTrip = given;
    },
    refuse: (given) => {
      refuses = given;
    },
  };
}

/** Passes each piece on after so many ms, in their order. */
function late(ms: number): Transform {
  const passing: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      passing.push(chunk);
      setTimeout(() => this.push(passing.shift()), ms);
      next();
    },
    flush(end) {
      setTimeout(end, ms);
    },
  });
}
