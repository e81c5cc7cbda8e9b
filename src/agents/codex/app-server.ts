// A connection to the server in the background that holds Codex's sessions: JSON-RPC over a WebSocket over its unix socket. Seen with 0.169.0.
import { lstatSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { asObject, isObject, type JsonObject, parseJson } from '../../lib/json/json.ts';
import { VERSION } from '../../lib/version.ts';

/** Ms until it is connected, and until a request is answered. */
const PATIENCE = 5_000;
/** A message may carry all that a command printed. */
const LARGEST_MESSAGE = 16 * 1024 * 1024;

/** What the server says by itself. */
export interface ServerListener {
  /** It wants an answer to `id`. Whoever does not know the method says nothing: another client will answer. */
  request(id: string | number, method: string, params: JsonObject): void;
  notification(method: string, params: JsonObject): void;
  /** The connection is over. */
  closed(): void;
}

/** A connection that was greeted. */
export interface AppServer {
  /** The result of a call; null: it failed, or was not answered in time. Never rejects. */
  call(method: string, params: JsonObject): Promise<JsonObject | null>;
  /** The same where it matters which: `refused`: the server said no; null: it said nothing in time. */
  ask(method: string, params: JsonObject): Promise<JsonObject | 'refused' | null>;
  /** False: it cannot be sent any more. */
  respond(id: string | number, result: JsonObject): boolean;
  close(): void;
}

/** The socket to connect to: where the path of the control folder leads. Nobody but this user can have put either there; a text says why it is not so, null: nobody listens. */
export function trustedTarget(path: string): { readonly socket: string } | string | null {
  try {
    const socket = realpathSync(path);
    const folders = [...new Set([dirname(path), dirname(socket)])];
    return folders.map(openTo).find((why) => why !== null) ?? socketFault(socket) ?? { socket };
  } catch {
    return null; // no such file
  }
}

/** Who else can write to a folder. */
function openTo(folder: string): string | null {
  const found = lstatSync(folder);
  if (!found.isDirectory()) return `${folder} is a link`;
  if (found.uid !== process.getuid?.()) return `${folder} belongs to another user`;
  return found.mode & 0o077 ? `${folder} is open to other users` : null;
}

function socketFault(socket: string): string | null {
  const found = lstatSync(socket);
  if (!found.isSocket()) return `${socket} is no socket`;
  return found.uid === process.getuid?.() ? null : `${socket} belongs to another user`;
}

/** Connects and greets; a text says why it could not. Never rejects, starts nothing. */
export async function openAppServer(path: string, listener: ServerListener): Promise<AppServer | string> {
  const target = trustedTarget(path);
  if (target === null || typeof target === 'string') return target ?? 'its server does not run';
  const { WebSocket } = await import('ws');
  const socket = new WebSocket('ws://localhost/', {
    createConnection: () => connect({ path: target.socket }),
    handshakeTimeout: PATIENCE,
    followRedirects: false,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
  });
  const opened = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.once('close', () => resolve(false));
    socket.on('error', () => undefined); // a close follows, which says it
  });
  if (!opened) return 'nobody listens at the socket of its server';
  const calls = createCalls((text) => socket.send(text, () => undefined)); // a close says what was not sent
  socket.on('close', () => {
    calls.end();
    listener.closed();
  });
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? {} : asObject(parseJson(String(data)));
    const { id, method, params } = message;
    const known = typeof id === 'string' || typeof id === 'number';
    if (typeof method !== 'string') calls.answered(message);
    else if (known) listener.request(id, method, asObject(params));
    else listener.notification(method, asObject(params));
  });
  const send = (message: JsonObject): boolean => {
    if (socket.readyState !== socket.OPEN) return false;
    socket.send(JSON.stringify(message), () => undefined);
    return true;
  };
  const close = (): void => socket.terminate();
  const clientInfo = { name: 'belfry', title: 'Belfry', version: VERSION };
  const greeted = await calls.call('initialize', { clientInfo, capabilities: { experimentalApi: true } });
  if (greeted === null || !send({ method: 'initialized' })) {
    close();
    return 'its server does not take part in the greeting';
  }
  return { call: calls.call, ask: calls.ask, respond: (id, result) => send({ id, result }), close };
}

/** Calls that wait for their result. */
function createCalls(send: (text: string) => void) {
  type End = JsonObject | 'refused' | null;
  const open = new Map<number, (end: End) => void>();
  let last = 0;
  const ask = (method: string, params: JsonObject): Promise<End> =>
    new Promise((resolve) => {
      const id = ++last;
      const settle = (end: End): void => {
        clearTimeout(late);
        open.delete(id);
        resolve(end);
      };
      const late = setTimeout(() => settle(null), PATIENCE);
      open.set(id, settle);
      send(JSON.stringify({ id, method, params }));
    });
  return {
    ask,
    call: async (method: string, params: JsonObject): Promise<JsonObject | null> => {
      const end = await ask(method, params);
      return end === 'refused' ? null : end;
    },
    /** A message without a method. */
    answered: ({ id, result }: JsonObject): void => {
      if (typeof id === 'number') open.get(id)?.(isObject(result) ? result : 'refused');
    },
    end: (): void => {
      for (const settle of [...open.values()]) settle(null);
    },
  };
}
