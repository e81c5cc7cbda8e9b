// A connection to a broker's address, with or without TLS: the address that is checked is the one connected to.
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { guardedLookup } from '../../lib/net/outbound-url.ts';
import { inHome } from '../../lib/files/in-home.ts';
import type { BrokerAddress } from './address.ts';

/** What else counts. */
export interface SocketOptions {
  readonly allowPrivate: boolean;
  /** File with the certificate of an authority of one's own. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

/** Rejects with the error of the connection; one of an aborted signal has no meaning. */
export async function openSocket(address: BrokerAddress, options: SocketOptions): Promise<Socket> {
  const { host, port, tls } = address;
  const { ca: file, signal } = options;
  const where = { host, port, lookup: guardedLookup(options.allowPrivate), autoSelectFamily: true };
  if (!tls) return opened(connect({ ...where, noDelay: true }), 'connect', signal);
  // Besides the public ones, which a `ca` alone would put out of force.
  const { connect: connectTls, rootCertificates } = process.getBuiltinModule('node:tls');
  const ca = file === undefined ? {} : { ca: [...rootCertificates, await readFile(inHome(file), 'utf8')] };
  const name: ConnectionOptions = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  return opened(connectTls({ ...where, ...ca, ...name }), 'secureConnect', signal);
}

function opened<S extends Socket>(socket: S, ready: string, signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const stop = (): void => void socket.destroy(new Error('cancelled'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const end = (): void => signal.removeEventListener('abort', stop);
    socket.once('error', (error) => {
      end();
      reject(error);
    });
    socket.once(ready, () => {
      end();
      resolve(socket);
    });
  });
}
