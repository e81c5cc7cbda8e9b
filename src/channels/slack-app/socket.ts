// One connection of Socket Mode (docs.slack.dev, "Using Socket Mode"): greeted, watched by pings, every envelope acknowledged before it is looked at.
import { WebSocket } from 'ws';
import { asObject, type JsonObject, parseJson } from '../../lib/json/json.ts';
import { webSocketAgent } from '../../lib/net/http-connections.ts';
import { guardedLookup, parseOutboundUrl } from '../../lib/net/outbound-url.ts';
import { ProxyError } from '../../lib/net/proxy.ts';

/** Why a connection is of no more use: Slack wants it replaced, it broke, or Socket Mode is switched off. */
export type SocketEnd = 'refresh' | 'closed' | 'disabled';

/** One that was greeted. */
export interface SlackSocket {
  /** Resolves at the first of them; after `refresh` it still hands over envelopes, until it is closed. */
  readonly ended: Promise<SocketEnd>;
  readonly close: () => void;
}

/** What it is given. */
export interface SocketOptions {
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  /** An interaction's payload; it has been acknowledged. */
  readonly onInteraction: (payload: JsonObject) => void;
}

/** Ms until the greeting. */
const GREETING = 15_000;
/** Ms between two looks at whether anything was heard. */
const PULSE = 30_000;
const LARGEST_FRAME = 1024 * 1024;

/** Connects; a text says why it could not. Never rejects. */
export function openSocket(address: string, options: SocketOptions): Promise<SlackSocket | string> {
  const { allowPrivate, signal } = options;
  const refusal = refusalOf(address, allowPrivate);
  if (refusal !== null) return Promise.resolve(refusal);
  if (signal.aborted) return Promise.resolve('cancelled');
  const agent = webSocketAgent(address, allowPrivate);
  if (typeof agent === 'string') return Promise.resolve(agent);
  return new Promise((resolve) => {
    const socket = new WebSocket(address, {
      handshakeTimeout: GREETING,
      followRedirects: false,
      maxPayload: LARGEST_FRAME,
      perMessageDeflate: false,
      lookup: guardedLookup(allowPrivate),
      agent,
    });
    let end = (_why: SocketEnd): void => undefined;
    const ended = new Promise<SocketEnd>((settle) => (end = settle));
    const close = (): void => socket.terminate();
    const late = setTimeout(close, GREETING);
    const stopPulse = watchPulse(socket);
    signal.addEventListener('abort', close, { once: true });
    let why = 'the connection was closed before it was greeted';
    socket.on('error', (error) => {
      if (error instanceof ProxyError) why = error.message; // a close follows, which says it
    });
    socket.on('close', () => {
      clearTimeout(late);
      stopPulse();
      signal.removeEventListener('abort', close);
      resolve(why); // nothing, when it was
      end('closed');
    });
    socket.on('message', (data, isBinary) => {
      const frame = isBinary ? {} : asObject(parseJson(String(data)));
      const { type, reason, envelope_id: envelope, payload } = frame;
      if (type === 'hello') {
        clearTimeout(late);
        resolve({ ended, close });
      } else if (type === 'disconnect') end(reason === 'link_disabled' ? 'disabled' : 'refresh');
      else if (typeof envelope === 'string') {
        // Within three seconds, or Slack shows the person an error.
        socket.send(JSON.stringify({ envelope_id: envelope }), () => undefined); // one that is not sent comes again
        if (type === 'interactive') options.onInteraction(asObject(payload));
      }
    });
  });
}

/** The address comes from the answer of the Web API: the same rules hold for it as for those of the settings. */
function refusalOf(address: string, allowPrivate: boolean): string | null {
  if (!/^wss?:\/\//.test(address)) return 'Slack named no address to connect to';
  if (address.startsWith('ws:') && !allowPrivate) return 'the connection would not be encrypted';
  const url = parseOutboundUrl(address.replace(/^ws/, 'http'), allowPrivate);
  return typeof url === 'string' ? url : null;
}

/** Ends a connection on which nothing was heard for two looks, not even the answer to a ping. */
function watchPulse(socket: WebSocket): () => void {
  let heard = true;
  const hear = (): void => {
    heard = true;
  };
  for (const sign of ['message', 'ping', 'pong', 'open']) socket.on(sign, hear);
  const timer = setInterval(() => {
    if (!heard) return socket.terminate();
    heard = false;
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  }, PULSE);
  return () => clearInterval(timer);
}
