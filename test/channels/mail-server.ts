// A mail server on a free port, which keeps what it is handed, and refuses or breaks off where a test says so; and a reader of mails.
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { until } from '../support/wait.ts';

export const USER = 'me@example.com';
export const PASSWORD = 'correct horse "battery" staple';

/** Where a session can be refused. */
export type Step = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data';

export interface KeptMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly isSecure: boolean;
  readonly raw: string;
}

export interface MailServerCase {
  /** The code of its refusal, for a step; or for one recipient. */
  readonly refuse?: { readonly at: Step; readonly code: number; readonly text?: string; readonly only?: string };
  /** After it was handed the whole mail: never answers, or closes the connection. */
  readonly ending?: 'hang' | 'close';
  readonly options?: SMTPServerOptions;
}

const refusal = (code: number, text = 'no'): Error => Object.assign(new Error(text), { responseCode: code });

/** It wants no sign-in and offers no encryption unless `options` say so; any password but PASSWORD is refused. */
export async function startMailServer({ refuse, ending, options = {} }: MailServerCase = {}) {
  const mails: KeptMail[] = [];
  let handed = 0;
  const at = (step: Step, address?: string): Error | null =>
    refuse?.at === step && (refuse.only === undefined || refuse.only === address)
      ? refusal(refuse.code, refuse.text)
      : null;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    disableReverseLookup: true,
    onConnect: (_session, done) => done(at('connect')),
    onAuth: ({ username, password }, _session, done) => {
      const refused =
        at('auth') ?? (username === USER && password === PASSWORD ? null : refusal(535, `no ${String(password)}`));
      if (refused) return done(refused);
      done(null, { user: username });
    },
    onMailFrom: ({ address }, _session, done) => done(at('mail', address)),
    onRcptTo: ({ address }, _session, done) => done(at('rcpt', address)),
    onData: (stream, { envelope, user, secure }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        handed++;
        if (ending === 'hang') return;
        if (ending === 'close') {
          for (const connection of server.connections) connection.close();
          return;
        }
        const refused = at('data');
        if (refused) return done(refused);
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({
          from,
          to,
          user: user as string | undefined,
          isSecure: secure,
          raw: Buffer.concat(chunks).toString('utf8'),
        });
        done(null, 'queued');
      });
    },
    ...options,
  });
  server.on('error', () => undefined); // a client that closes early is what is tested
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      for (const connection of server.connections) connection.close();
      server.close(() => resolve());
    });
  onTestFinished(close);
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, arrived: () => until(() => handed > 0, 'a mail') };
}

/** Accepts everything, at once: for hundreds of mails, since the other one waits with each greeting. */
export async function startAcceptingServer() {
  let mails = 0;
  const server = createServer((socket) => {
    let text = '';
    let inMail = false;
    socket.setNoDelay(true);
    socket.on('error', () => undefined); // a client that closes early is what is tested
    socket.write('220 ready\r\n');
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf(inMail ? '\r\n.\r\n' : '\r\n'); end >= 0; ) {
        const line = text.slice(0, end);
        text = text.slice(end + (inMail ? 5 : 2));
        if (inMail) mails++;
        inMail = !inMail && /^DATA/i.test(line);
        socket.write(inMail ? '354 go on\r\n' : /^QUIT/i.test(line) ? '221 bye\r\n' : '250 fine\r\n');
        end = text.indexOf(inMail ? '\r\n.\r\n' : '\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, arrived: () => until(() => mails > 0, 'a mail') };
}

/** A mail as a mailbox shows it. */
export interface ReadMail {
  /** By name in lower case, unfolded, encoded words decoded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
}

/** Reads what nodemailer makes: two parts, one text and one HTML. */
export function readMail(raw: string): ReadMail {
  const [head = '', ...rest] = raw.replaceAll('\r\n', '\n').split('\n\n');
  const headers = headersOf(head);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = rest.join('\n\n').split(`--${boundary}`).slice(1, -1).map(partOf);
  const part = (type: string): string => parts.find(([name]) => name.startsWith(type))?.[1] ?? '';
  return { headers, text: part('text/plain'), html: part('text/html') };
}

function headersOf(head: string): Record<string, string> {
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n');
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      wordsOf(line.slice(line.indexOf(':') + 1).trim()),
    ]),
  );
}

/** RFC 2047. */
function wordsOf(text: string): string {
  const joined = text.replace(/\?=\s+=\?/g, '?==?');
  const runs = joined.replace(/(?:=\?UTF-8\?[BQ]\?[^?]*\?=)+/gi, (run) => {
    const bytes = [...run.matchAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi)].map(([, how, word = '']) =>
      how?.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : quotedPrintable(word.replaceAll('_', ' ')),
    );
    return Buffer.concat(bytes).toString('utf8');
  });
  return runs;
}

function partOf(part: string): [string, string] {
  const [, head = '', body = ''] = /^\n?([\s\S]*?)\n\n([\s\S]*)$/.exec(part) ?? [];
  const headers = headersOf(head);
  const how = headers['content-transfer-encoding'];
  const bytes =
    how === 'base64'
      ? Buffer.from(body, 'base64')
      : how === 'quoted-printable'
        ? quotedPrintable(body)
        : Buffer.from(body);
  return [headers['content-type'] ?? '', bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd()];
}

function quotedPrintable(text: string): Buffer {
  const joined = text.replace(/=\n/g, '');
  return Buffer.from(
    joined.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
