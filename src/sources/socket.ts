// The local socket: hooks hand envelopes over, the command line asks. 0600 in a 0700 folder; a named pipe on Windows.
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import type { Paths } from '../runtime/paths.ts';
import { makePrivateFolder } from '../runtime/private-folder.ts';
import { type ByteBudget, type ConnectionHandlers, serveConnection } from './connection.ts';
import { acquireInstance } from './single-instance.ts';

/** Connections at once; a hook that does not get in uses the spool. */
const CONNECTIONS = 512;
/** Bytes of inputs that may be on their way in at once: 64 MiB. */
const ALLOWANCE = 64 * 1024 * 1024;
/** How long a stop waits for requests in flight, ms. */
const GRACE = 5_000;

/** What came of the wish to listen. */
export type ListenResult =
  | {
      readonly state: 'listening';
      /** Takes no more, finishes what is in flight, removes the socket and gives the instance back. */
      readonly close: () => Promise<void>;
    }
  | { readonly state: 'running'; readonly pid: number | null }
  | { readonly state: 'failed'; readonly error: string };

/** Listens on `paths.socket`. Another daemon there is a value, not an exception; a dead one's socket is replaced. */
export async function listenSocket(options: ConnectionHandlers & { readonly paths: Paths }): Promise<ListenResult> {
  const { paths, log } = options;
  const claim = await acquireInstance(paths);
  if (claim.state !== 'ours') return claim;
  const pipe = paths.socket.startsWith('\\\\.\\pipe\\');
  const trouble = pipe ? null : (makePrivateFolder(dirname(paths.socket)) ?? removeStale(paths.socket));
  if (trouble) {
    claim.release();
    return { state: 'failed', error: trouble };
  }
  const allowance: ByteBudget = { left: ALLOWANCE };
  const inHand = new Set<() => void>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const hangUp = (): void => void socket.destroy();
    inHand.add(hangUp);
    serveConnection(socket, options, allowance, () => inHand.delete(hangUp));
  });
  server.maxConnections = CONNECTIONS;
  const error = await listen(server, paths.socket, pipe);
  if (error) {
    claim.release();
    return { state: 'failed', error: `${paths.socket}: ${error}` };
  }
  server.on('error', (fault) => log('the local socket has a fault', { error: fault.message }));
  return {
    state: 'listening',
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve)); // removes the socket's file
      const limit = setTimeout(() => {
        for (const hangUp of inHand) hangUp();
      }, GRACE);
      await closed;
      clearTimeout(limit);
      claim.release();
    },
  };
}

/** Resolves with an error's text, or null once it listens. */
function listen(server: Server, path: string, pipe: boolean): Promise<string | null> {
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve(error.message);
    server.once('error', fail);
    const umask = pipe ? null : process.umask(0o177); // bound at once, in this turn of the loop
    server.listen(path, () => {
      server.off('error', fail);
      resolve(null);
    });
    if (umask === null) return;
    process.umask(umask);
    try {
      chmodSync(path, 0o600);
    } catch {
      // not bound: the error event says why
    }
  });
}

function removeStale(path: string): string | null {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return null;
    if (!found.isSocket()) return `${path} is no socket; remove it`;
    unlinkSync(path);
    return null;
  } catch (error) {
    return `${path}: ${(error as Error).message}`;
  }
}
