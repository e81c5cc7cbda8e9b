// A real HTTP receiver on a free loopback port that records what it gets and answers as scripted.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { until } from './wait.ts';

/** One request as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Its bytes. */
  readonly raw: Buffer;
  /** Unix ms. */
  readonly at: number;
}

/** A status, or a function that answers for itself (hang, reset, lie). */
export type Answer =
  | number
  | { status: number; headers?: Record<string, string>; body?: string }
  | ((request: Received, response: ServerResponse) => void);

export interface Receiver {
  readonly url: string;
  readonly requests: Received[];
  /** Decides the answer to each request; 200 unless set. */
  answer: (request: Received, index: number) => Answer;
  /** Takes a request for a WebSocket; refused unless set. */
  upgrade: ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) | null;
  /** Waits until `count` requests have come. */
  waitFor(count: number, limit?: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** Outside of a test call `close` yourself: `{ owned: false }`. */
export async function startReceiver(options: { owned?: boolean; port?: number } = {}): Promise<Receiver> {
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received: Received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        raw: Buffer.concat(chunks),
        at: Date.now(),
      };
      const index = requests.push(received) - 1;
      const answer = receiver.answer(received, index);
      if (typeof answer === 'function') return answer(received, response);
      const { status, headers = {}, body = '' } = typeof answer === 'number' ? { status: answer } : answer;
      response.writeHead(status, headers).end(body);
    });
  });
  server.on('upgrade', (request, socket, head) =>
    receiver.upgrade === null ? void socket.destroy() : receiver.upgrade(request, socket, head),
  );
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: () => 200,
    upgrade: null,
    waitFor: async (count, limit) => {
      await until(() => requests.length >= count, `${count} requests (${requests.length} came)`, limit);
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  if (options.owned !== false) onTestFinished(() => receiver.close());
  return receiver;
}
