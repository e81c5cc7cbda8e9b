// Hands one mail to a mail server over a connection of its own, to an address that is allowed.
import { connect, type Socket } from 'node:net';
import type { NodemailerError, SendMailOptions } from 'nodemailer';
import { connectionFault } from '../../lib/net/connection-fault.ts';
import { bareHost, guardedLookup, parseOutboundUrl } from '../../lib/net/outbound-url.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { smtpFailure } from './outcome.ts';

/** Where to, and as whom. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly tls: 'starttls' | 'tls' | 'none';
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly allow_private: boolean;
}

/** Longest answer of a server that is read, bytes. */
const ANSWER_LIMIT = 64 * 1024;

/** The address as a URL, for the checks that all outgoing connections have. */
export function serverUrl({ host, port }: Pick<MailServer, 'host' | 'port'>): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}/`;
}

/** `timeout`: ms for everything. Never throws. */
export async function sendMail(
  server: MailServer,
  mail: SendMailOptions,
  timeout: number,
  cancel: AbortSignal,
): Promise<Outcome> {
  const url = parseOutboundUrl(serverUrl(server), server.allow_private);
  if (typeof url === 'string') return { ok: false, reason: 'invalid-config', error: url };
  if (server.tls === 'none' && server.password !== undefined && !server.allow_private) {
    const error = 'the password would be sent unencrypted: set `tls` to "starttls" or "tls"';
    return { ok: false, reason: 'invalid-config', error };
  }
  const limit = AbortSignal.timeout(timeout);
  const end = AbortSignal.any([limit, cancel]);
  const host = bareHost(url);
  const late = (written: boolean): Outcome => {
    const error = limit.aborted
      ? `${host} did not answer within ${timeout / 1_000} s`
      : 'cancelled while it was being sent';
    if (!written) return { ok: false, reason: 'timeout', error };
    return { ok: false, reason: 'timeout', error: `${error}; it may have arrived all the same`, unknown: true };
  };
  let socket: Socket;
  try {
    socket = await connected(host, server, end);
  } catch (error) {
    if (end.aborted) return late(false);
    const fault = connectionFault(error as NodeJS.ErrnoException, host);
    return { ok: false, reason: fault.kind === 'refused' ? 'invalid-config' : fault.kind, error: fault.error };
  }
  const stop = (): void => void socket.destroy();
  end.addEventListener('abort', stop, { once: true });
  if (end.aborted) stop();
  let written = false;
  try {
    const accepted = await hand(socket, { ...server, host }, mail, timeout, () => (written = true));
    return { ok: true, answer: accepted };
  } catch (error) {
    return end.aborted ? late(written) : smtpFailure(error as NodemailerError, { host, written });
  } finally {
    end.removeEventListener('abort', stop);
    socket.destroy();
  }
}

/** The address that is checked is the one connected to. */
function connected(host: string, { port, allow_private }: MailServer, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: guardedLookup(allow_private), autoSelectFamily: true, noDelay: true });
    const stop = (): void => void socket.destroy(new Error('cancelled'));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    socket.once('error', reject);
    socket.once('close', () => signal.removeEventListener('abort', stop));
    socket.once('connect', () => {
      signal.removeEventListener('abort', stop);
      socket.removeListener('error', reject);
      socket.on('error', () => undefined); // nodemailer reports it
      resolve(socket);
    });
  });
}

/** Resolves with the server's answer, and the recipients it refused. Rejects as nodemailer does. */
async function hand(
  connection: Socket,
  { host, port, tls, user, password }: MailServer,
  mail: SendMailOptions,
  timeout: number,
  onWritten: () => void,
): Promise<string> {
  const { createTransport } = await import('nodemailer');
  const ignore = (): void => undefined;
  const note = (entry: unknown): void => {
    if ((entry as { readonly tnx?: string } | null)?.tnx === 'message') onWritten(); // said once the last byte was written
  };
  const mailer = createTransport({
    connection,
    host,
    port,
    maxResponseSize: ANSWER_LIMIT,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    socketCloseTimeout: 0,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    logger: { level: ignore, trace: ignore, debug: ignore, info: note, warn: ignore, error: ignore, fatal: ignore },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { response, rejectedErrors = [] } = await mailer.sendMail(mail);
  const refused = rejectedErrors.map(
    ({ recipient, response: why }) => `${recipient ?? 'a recipient'}: ${why ?? 'refused'}`,
  );
  return [...refused.map((each) => `not accepted for ${each}`), response].join('; ');
}
