// One address that is listened on: tried again while it is taken, given up without cutting off requests under way.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { formatAddress, type ListenAddress } from '../lib/listen-address.ts';
import { rawProblem } from './problem.ts';

/** Bounds of connections. */
export interface ConnectionLimits {
  readonly connections: number;
  /** Longest time to send the headers, and a whole request, ms. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often those are looked at, ms. */
  readonly checkMs: number;
  /** How long a request under way may go on when its address is given up, ms. */
  readonly graceMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 128,
  headersMs: 5_000,
  requestMs: 60_000,
  checkMs: 2_000,
  graceMs: 5_000,
};

/** Ms until a port that was taken is tried again. */
const RETRY = 5_000;

/** Answers one request that came in `at` this address. */
export type ServeOne = (
  request: IncomingMessage,
  response: ServerResponse,
  from: { readonly at: ListenAddress; readonly closing: AbortSignal; readonly expects: boolean },
) => Promise<void>;

/** An address, listened on or waited for. */
export interface Listener {
  /** As it is bound, with the real port; null while it is not. */
  address(): string | null;
  /** Resolves when the first try is over, whatever came of it. */
  readonly tried: Promise<void>;
  /** Takes no more connections and lets what is under way end. */
  close(): Promise<void>;
}

export interface ListenerDeps {
  readonly serve: ServeOne;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly limits: ConnectionLimits;
  /** What {@link Listener.address} says has changed. */
  readonly changed: () => void;
}

/** Begins to listen. Never throws: what is in the way is logged, and tried again. */
export function openListener(wanted: ListenAddress, { serve, clock, log, limits, changed }: ListenerDeps): Listener {
  let server: Server | null = null;
  let bound: ListenAddress | null = null;
  const closing = new AbortController();
  let cancelRetry = (): void => undefined;
  const address = formatAddress(wanted);

  function start(again: boolean): Promise<void> {
    const { connections, headersMs, requestMs, checkMs } = limits;
    // A missing Host is refused like a wrong one.
    const made = createServer({ connectionsCheckingInterval: checkMs, requireHostHeader: false });
    server = made;
    made.maxConnections = connections;
    made.headersTimeout = headersMs;
    made.requestTimeout = requestMs;
    made.timeout = requestMs; // who does not read its answer is cut off too
    const from = (expects: boolean) => ({ at: bound ?? wanted, closing: closing.signal, expects });
    made.on('request', (request, response) => void serve(request, response, from(false)));
    made.on('checkContinue', (request, response) => void serve(request, response, from(true)));
    made.on('clientError', refuseUnparsed);
    return new Promise((resolve) => {
      made.on('listening', () => {
        if (closing.signal.aborted) {
          made.close();
          return resolve();
        }
        // Bound to a port, not a pipe: it has an address of this form.
        bound = { host: wanted.host, port: (made.address() as AddressInfo).port };
        if (again) log('the HTTP interface listens after all', { address });
        changed();
        resolve();
      });
      made.on('error', (error) => {
        if (bound !== null || !again)
          log('the HTTP interface cannot listen: is the port taken?', { address, error: error.message });
        if (bound === null && !closing.signal.aborted) cancelRetry = clock.setTimer(RETRY, () => void start(true));
        resolve();
      });
      made.listen(wanted.port, wanted.host);
    });
  }

  const tried = start(false);
  return {
    address: () => (bound === null ? null : formatAddress(bound)),
    tried,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        cancelRetry();
        const open = bound === null ? null : server;
        bound = null;
        if (open === null) return resolve();
        const cancel = clock.setTimer(limits.graceMs, () => open.closeAllConnections());
        open.close(() => {
          cancel();
          resolve();
        });
        open.closeIdleConnections();
      }),
  };
}

/** What is no HTTP, too long or too slow; nothing was answered on this connection yet for it. */
function refuseUnparsed(
  error: Error & { readonly code?: string },
  socket: Socket & { readonly _httpMessage?: unknown },
) {
  if (socket.writable && !socket._httpMessage) {
    if (error.code === 'HPE_HEADER_OVERFLOW') socket.write(rawProblem(431, 'the headers are too long'));
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
      socket.write(rawProblem(408, 'the request did not arrive in time'));
    else socket.write(rawProblem(400, 'this is not a request'));
  }
  socket.destroySoon();
}
