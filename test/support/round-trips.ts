// A proxy in front of a server that counts how often a client sent something and then waited for what comes back.
import { type AddressInfo, connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** In front of this port of this machine; ended when the running test has finished. */
export async function countRoundTrips(
  target: number,
): Promise<{ readonly port: number; readonly count: () => number }> {
  let count = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    let isAsking = false;
    client.on('data', (chunk) => {
      if (!isAsking) count++;
      isAsking = true;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      isAsking = false;
      client.write(chunk);
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined); // a close follows
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, count: () => count };
}
