// A receiver behind TLS with a certificate of its own for the names given; programs trust it by NODE_EXTRA_CA_CERTS.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './home.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export interface TlsReceiver {
  readonly receiver: Receiver;
  readonly port: number;
  /** The file of its certificate. */
  readonly cert: string;
}

export async function startTlsReceiver(names: readonly string[]): Promise<TlsReceiver> {
  const folder = temporaryFolder();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = [
    '-subj',
    `/CN=${names[0]}`,
    '-addext',
    `subjectAltName=${names.map((name) => `DNS:${name}`).join()}`,
  ];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject];
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const receiver = await startReceiver();
  const inner = Number(new URL(receiver.url).port);
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (socket) => {
    const onward = connect(inner, '127.0.0.1');
    for (const end of [socket, onward]) end.on('error', () => undefined); // the client may break off
    socket.pipe(onward).pipe(socket);
    socket.on('close', () => onward.destroy());
  });
  server.on('tlsClientError', () => undefined); // one that does not trust it
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { receiver, port: (server.address() as AddressInfo).port, cert };
}
