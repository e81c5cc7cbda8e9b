// Reads one request from a connection of the local socket: a first line, and the bytes it announces (ipc/frames.ts).
import type { Socket } from 'node:net';
import { decodeHeader, type Envelope, type EnvelopeHeader } from '../../ipc/envelope.ts';
import { type Command, LINE_LIMIT } from '../../ipc/frames.ts';

/** What a connection wants. */
export type Request =
  | { readonly envelope: Envelope }
  | { readonly command: Command }
  /** Why it cannot be served. */
  | { readonly refused: string };

/** `admit` says why an announced body is not wanted, or null. */
export async function readRequest(socket: Socket, admit: (header: EnvelopeHeader) => string | null): Promise<Request> {
  const chunks: AsyncIterator<Buffer> = socket.iterator({ destroyOnReturn: false });
  const first = await readLine(chunks);
  if (typeof first === 'string') return { refused: first };
  const request = readFirst(first.line);
  if (!('header' in request)) {
    await chunks.return?.(); // what comes later is for whoever serves the command
    return request;
  }
  const refused = admit(request.header);
  if (refused !== null) return { refused };
  const { v: _v, length, ...rest } = request.header;
  const held = [first.rest];
  for (let size = first.rest.length; size < length; ) {
    const { value, done } = await chunks.next();
    if (done) return { refused: 'the input ended early' };
    held.push(value);
    size += value.length;
  }
  return { envelope: { ...rest, raw: Buffer.concat(held).subarray(0, length) } };
}

/** A string says why there is no line. */
async function readLine(chunks: AsyncIterator<Buffer>): Promise<{ line: string; rest: Buffer } | string> {
  const held: Buffer[] = [];
  for (let size = 0; size <= LINE_LIMIT; ) {
    const { value, done } = await chunks.next();
    if (done) return 'the first line ended early';
    held.push(value);
    size += value.length;
    if (!value.includes(10)) continue;
    const all = Buffer.concat(held);
    const end = all.indexOf(10);
    if (end <= LINE_LIMIT) return { line: all.subarray(0, end).toString('utf8'), rest: all.subarray(end + 1) };
  }
  return 'the first line is too long';
}

function readFirst(line: string): { header: EnvelopeHeader } | { command: Command } | { refused: string } {
  const command = readCommand(line);
  if (command) return { command };
  const header = decodeHeader(line);
  return typeof header === 'string' ? { refused: header } : { header };
}

function readCommand(line: string): Command | null {
  try {
    const value = JSON.parse(line) as Partial<Command> | null;
    if (value?.v !== 1 || typeof value.op !== 'string') return null;
    const args = typeof value.args === 'object' && value.args !== null ? value.args : {};
    const { pid } = value;
    return {
      v: 1,
      op: value.op,
      args,
      ...(typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 && { pid }),
    };
  } catch {
    return null; // decodeHeader says what is wrong
  }
}
