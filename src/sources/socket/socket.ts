// The local socket: hooks hand envelopes over, the command line asks. 0600 in a 0700 folder; a named pipe on Windows.
import { chmodSync, lstatSync, mkdtempSync, rmdirSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { readDaemonFile } from '../../runtime/daemon-file.ts';
import type { Paths } from '../../runtime/paths.ts';
import { checkPrivateFolder, makePrivateFolder } from '../../runtime/private-folder.ts';
import type { MayPrecede } from '../may-still-arrive.ts';
import { type ByteBudget, type ConnectionHandlers, type Reading, serveConnection } from './connection.ts';
import { acquireInstance } from './single-instance.ts';

/** Connections at once; a hook that does not get in uses the spool. */
const CONNECTIONS = 512;
/** Bytes of inputs that may be on their way in at once: 64 MiB. */
const ALLOWANCE = 64 * 1024 * 1024;
/** An input that is read for longer holds up no decision, ms: its hook leaves it in the spool by then. */
const LONGEST_READ = 250;
/** How long a stop waits for requests in flight, ms. */
const GRACE = 5_000;

/** The result of listening. */
export type ListenResult =
  | {
      readonly state: 'listening';
      /** Where: `paths.socket`, unless its place is another user's. */
      readonly socket: string;
      /** Of inputs whose first line was read, and the rest not yet. */
      readonly precedes: MayPrecede;
      /** Accepts no more, finishes what is in flight, removes the socket and releases the instance. */
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
  const place = pipe ? { path: paths.socket } : placeFor(paths);
  const trouble = 'error' in place ? place.error : pipe ? null : removeStale(place.path);
  if ('error' in place || trouble) {
    claim.release();
    return { state: 'failed', error: trouble ?? '' };
  }
  const { path } = place;
  if (path !== paths.socket) log('the place for the socket is not ours; another one is used', { path });
  const allowance: ByteBudget = { left: ALLOWANCE };
  const inFlight = new Set<() => void>();
  const reading = new Map<Socket, Reading>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const hangUp = (): void => void socket.destroy();
    inFlight.add(hangUp);
    serveConnection(socket, options, { allowance, reading }, () => inFlight.delete(hangUp));
  });
  server.maxConnections = CONNECTIONS;
  const error = await listen(server, path, pipe);
  if (error) {
    claim.release();
    return { state: 'failed', error: `${path}: ${error}` };
  }
  server.on('error', (fault) => log('the local socket has a fault', { error: fault.message }));
  return {
    state: 'listening',
    socket: path,
    precedes: ({ startedAt }) => {
      const now = performance.now();
      return [...reading.values()].some(({ begun, since }) => begun < startedAt && now - since < LONGEST_READ);
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve)); // removes the socket's file
      const limit = setTimeout(() => {
        for (const hangUp of inFlight) hangUp();
      }, GRACE);
      await closed;
      clearTimeout(limit);
      if (path !== paths.socket) removeFolder(dirname(path));
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

/** Another user can take the place below the folder for temporary files, but not one that nobody can foresee; daemon.json names it. */
function placeFor(paths: Paths): { path: string } | { error: string } {
  const folder = dirname(paths.socket);
  const error = makePrivateFolder(folder);
  if (error === null) return { path: paths.socket };
  if (folder === paths.run) return { error };
  const last = readDaemonFile(paths)?.socket ?? '';
  if (last.startsWith(`${folder}-`) && checkPrivateFolder(dirname(last)) === null) return { path: last };
  try {
    return { path: join(mkdtempSync(`${folder}-`), 'belfry.sock') };
  } catch {
    return { error };
  }
}

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // the system has tidied up
  }
}

function removeStale(path: string): string | null {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return null;
    if (!found.isSocket() && !found.isSymbolicLink()) return `${path} is no socket; remove it`;
    unlinkSync(path);
    return null;
  } catch (error) {
    return `${path}: ${(error as Error).message}`;
  }
}
