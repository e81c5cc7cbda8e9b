// A relay in front of a service, on a port of its own: it can be down, and it can lose the service's answers after the service has acted.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { until } from './wait.ts';

/** open: as if it were not there; lost: connections end once the service has taken the whole request and begins its answer. */
export type Passing = 'open' | 'lost';

export interface Relay {
  readonly port: number;
  /** What it does with connections from now on. */
  passing: Passing;
  /** Nobody listens on the port any more, and what was connected is not. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Answers that were lost. */
  readonly lost: () => number;
  /** All that was sent to the service so far, a character a byte. */
  readonly sent: () => string;
}

/** What the service says last before it is certain that it acted: `answers` is given its bytes of one connection. */
type Acted = (answers: string) => boolean;

/** Up, to the service on this port. `acted`: whether the service has acted by what it answers; any answer unless given. */
export async function startRelay(service: number, acted: Acted = () => true): Promise<Relay> {
  const sockets = new Set<Socket>();
  let lost = 0;
  let sent = '';
  const serve = (client: Socket): void => {
    const upstream = connect(service, '127.0.0.1');
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined); // a close follows
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on('data', (chunk) => {
      sent += chunk.toString('latin1');
      upstream.write(chunk);
    });
    let answers = '';
    upstream.on('data', (chunk) => {
      answers += chunk.toString('latin1');
      if (relay.passing === 'open') return void client.write(chunk);
      if (!acted(answers)) return void client.write(chunk);
      lost++;
      end();
    });
  };
  const listen = (port: number): Promise<Server> =>
    new Promise((resolve) => {
      const made = createServer(serve);
      made.listen(port, '127.0.0.1', () => resolve(made));
    });
  let server: Server | null = await listen(0);
  const relay: Relay = {
    port: (server.address() as AddressInfo).port,
    passing: 'open',
    lost: () => lost,
    sent: () => sent,
    down: async () => {
      const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
      server = null;
      for (const socket of sockets) socket.destroy();
      await closed;
      await until(() => sockets.size === 0, 'the connections to end');
    },
    up: async () => {
      server ??= await listen(relay.port);
    },
  };
  onTestFinished(() => relay.down());
  return relay;
}
