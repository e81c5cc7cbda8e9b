// Sends bytes to an HTTP port as they are, and reads what comes back until the connection ends or answers whole.
import { connect } from 'node:net';

/** What came back; status 0: the connection ended without an answer. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `bytes`: parts sent one after the other. Resolves with the first final answer. */
export function sendRaw(port: number, bytes: string | Buffer | readonly (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const settle = (): void => {
      const answer = parsed(Buffer.concat(chunks).toString('latin1'));
      socket.destroy();
      resolve(answer ?? { status: 0, headers: {}, body: '' });
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (parsed(Buffer.concat(chunks).toString('latin1')) !== null) settle();
    });
    socket.on('error', settle).on('close', settle);
    for (const part of typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes) socket.write(part);
  });
}

/** A request as text: its line, headers by name, body. */
export function rawRequest(line: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line}\r\n${lines.join('')}\r\n${body}`;
}

function parsed(text: string): RawAnswer | null {
  if (text.startsWith('HTTP/1.1 100')) return parsed(text.slice(text.indexOf('\r\n\r\n') + 4));
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = text.slice(end + 4);
  if (body.length < Number(headers['content-length'] ?? 0)) return null;
  return { status: Number(first.split(' ')[1]), headers, body };
}
