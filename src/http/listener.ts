// One address that is listened on: tried again while it is taken, given up without cutting off requests under way.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { formatAddress, type ListenAddress } from '../lib/net/listen-address.ts';
import { rawProblem } from './problem.ts';

/** Bounds of one connection. */
export interface ConnectionLimits {
  /** Longest time to send the headers, and a whole request, ms. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often those are looked at, ms. */
  readonly checkMs: number;
  /** How long a request under way may go on when its address is given up, ms. */
  readonly graceMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 5_000,
  requestMs: 60_000,
  checkMs: 2_000,
  graceMs: 5_000,
};

/** Ms until a port that was taken is tried again. */
const RETRY = 5_000;

/** Answers one request that came in `at` this address. `serving`: as a request's place says it. */
export type ServeOne = (
  request: IncomingMessage,
  response: ServerResponse,
  from: {
    readonly at: ListenAddress;
    readonly serving: string;
    readonly closing: AbortSignal;
    readonly expects: boolean;
  },
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
  readonly connected: (socket: Socket) => void;
  /** What {@link Listener.address} says has changed. */
  readonly changed: () => void;
}

/** Begins to listen. Never throws: what is in the way is logged, and tried again. */
export function openListener(wanted: ListenAddress, deps: ListenerDeps): Listener {
  return new ListeningAddress(wanted, deps);
}

type State =
  | { readonly name: 'trying'; readonly cancel: () => void }
  /** With the real port. */
  | { readonly name: 'bound'; readonly server: Server; readonly at: ListenAddress }
  | { readonly name: 'closing' };

class ListeningAddress implements Listener {
  readonly #wanted: ListenAddress;
  readonly #deps: ListenerDeps;
  readonly tried: Promise<void>;
  /** Ends the streams that are open. */
  readonly #closing = new AbortController();
  readonly #serving = randomBytes(16).toString('hex');
  #state: State = { name: 'trying', cancel: () => undefined };

  constructor(wanted: ListenAddress, deps: ListenerDeps) {
    this.#wanted = wanted;
    this.#deps = deps;
    this.tried = this.#try(false);
  }

  address(): string | null {
    return this.#state.name === 'bound' ? formatAddress(this.#state.at) : null;
  }

  async close(): Promise<void> {
    const { clock, limits } = this.#deps;
    const before = this.#state;
    this.#state = { name: 'closing' };
    this.#closing.abort();
    if (before.name === 'trying') before.cancel();
    if (before.name !== 'bound') return;
    const { server } = before;
    const cancel = clock.setTimer(limits.graceMs, () => server.closeAllConnections());
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await closed;
    cancel();
  }

  /** Resolves when it is listened on, or why not is logged. */
  #try(again: boolean): Promise<void> {
    const server = this.#createServer();
    return new Promise((resolve) => {
      server.on('listening', () => {
        this.#listening(server, again);
        resolve();
      });
      server.on('error', (error) => {
        this.#failed(error, again);
        resolve();
      });
      server.listen(this.#wanted.port, this.#wanted.host);
    });
  }

  #listening(server: Server, again: boolean): void {
    if (this.#state.name === 'closing') {
      server.close();
      return;
    }
    // Bound to a port, not a pipe: it has an address of this form.
    const { port } = server.address() as AddressInfo;
    this.#state = { name: 'bound', server, at: { host: this.#wanted.host, port } };
    if (again) this.#deps.log('the HTTP interface listens after all', { address: formatAddress(this.#wanted) });
    this.#deps.changed();
  }

  #failed(error: Error, again: boolean): void {
    const { log, clock } = this.#deps;
    if (this.#state.name === 'bound' || !again)
      log('the HTTP interface cannot listen: is the port taken?', {
        address: formatAddress(this.#wanted),
        error: error.message,
      });
    if (this.#state.name === 'trying')
      this.#state = { name: 'trying', cancel: clock.setTimer(RETRY, () => void this.#try(true)) };
  }

  #createServer(): Server {
    const { serve, limits, connected } = this.#deps;
    const { headersMs, requestMs, checkMs } = limits;
    // A missing Host is refused like a wrong one.
    const server = createServer({ connectionsCheckingInterval: checkMs, requireHostHeader: false });
    server.on('connection', connected);
    server.headersTimeout = headersMs;
    server.requestTimeout = requestMs;
    server.timeout = requestMs; // who does not read its answer is cut off too
    const closing = this.#closing.signal;
    const at = (): ListenAddress => (this.#state.name === 'bound' ? this.#state.at : this.#wanted);
    const answer = (request: IncomingMessage, response: ServerResponse, expects: boolean): void =>
      void serve(request, response, { at: at(), serving: this.#serving, closing, expects });
    server.on('request', (request, response) => answer(request, response, false));
    server.on('checkContinue', (request, response) => answer(request, response, true));
    server.on('clientError', refuseUnparsed);
    return server;
  }
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
