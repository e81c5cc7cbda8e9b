// One connection of the local socket: reads an envelope or a command within bounds, and answers it.
import type { Socket } from 'node:net';
import { decodeHeader, type Envelope, type EnvelopeHeader, INPUT_LIMIT } from '../../ipc/envelope.ts';
import { type Acknowledgement, type Command, LINE_LIMIT, type ProofRequest, type Reply } from '../../ipc/frames.ts';
import { withAncestors } from '../hook-ancestors.ts';

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

/** Sends one line of an answer; resolves when the receiver has read it or has left. */
export type SendReply = (reply: Reply | ProofRequest) => Promise<void>;

/** The client's next line; null: it has left, said too much, or says nothing within five seconds. */
export type NextLine = () => Promise<string | null>;

/** Who answers. Neither may throw for expected trouble. */
export interface ConnectionHandlers {
  /** Resolves once the envelope is kept for good, or with why it is not. */
  readonly accept: (envelope: Envelope) => Promise<Acknowledgement>;
  /** Resolves when the last line was sent; `gone` aborts when the client leaves, with its last word. */
  readonly command: (command: Command, reply: SendReply, gone: AbortSignal, next: NextLine) => Promise<void>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Bytes of bodies that all connections together may hold; more is sent to the spool by its hook. */
export interface ByteBudget {
  left: number;
}

/** An input that is not in the journal yet. */
export interface Reading {
  /** Unix ms. */
  readonly begun: number;
  /** On the monotonic clock, ms. */
  readonly since: number;
}

/** What all connections share. */
export interface Shared {
  readonly allowance: ByteBudget;
  readonly reading: Map<Socket, Reading>;
}

/** Of what a client says as it leaves, at most so many characters are read. */
const LONGEST_WORD = 100;
/** Longest time to send a whole request, ms. */
const READ_LIMIT = 10_000;
/** Longest time to say one line when it is asked for, ms. */
const LINE_WAIT = 5_000;

/** Serves the connection to its end; `served` is called when it is closed. */
export function serveConnection(
  socket: Socket,
  handlers: ConnectionHandlers,
  { allowance: budget, reading }: Shared,
  served: () => void,
): void {
  const gone = new AbortController();
  let reserved = 0;
  const limit = setTimeout(() => socket.destroy(), READ_LIMIT);
  socket.on('error', () => socket.destroy()); // a hook may be killed at any moment
  socket.on('close', () => {
    clearTimeout(limit);
    budget.left += reserved;
    gone.abort();
    reading.delete(socket);
    served();
  });
  const send = (value: Acknowledgement | Reply | ProofRequest): Promise<void> =>
    new Promise((resolve) => {
      if (socket.destroyed) return resolve();
      const done = (): void => {
        gone.signal.removeEventListener('abort', done);
        resolve();
      };
      gone.signal.addEventListener('abort', done);
      socket.write(`${JSON.stringify(value)}\n`, done);
    });
  const admit = ({ length, startedAt }: EnvelopeHeader): string | null => {
    if (length > INPUT_LIMIT) return 'the input is too large';
    if (length > budget.left) return 'too much at once';
    reserved = length;
    budget.left -= length;
    reading.set(socket, { begun: startedAt, since: performance.now() });
    return null;
  };
  const serve = async (): Promise<void> => {
    const request = await readRequest(socket, admit);
    clearTimeout(limit);
    socket.resume(); // what comes now is not read, but for a last word, and its end must be noticed
    if ('command' in request) {
      const said = listen(socket, gone);
      await handlers.command(request.command, send, gone.signal, said);
    }
    if ('envelope' in request) {
      const answer = await handlers.accept(withAncestors(request.envelope));
      reading.delete(socket);
      await send(answer);
    }
    if ('refused' in request) await send({ ok: false, error: request.refused });
  };
  serve()
    .catch((error: unknown) => {
      handlers.log('a request on the local socket failed', { error: String(error) });
      return send({ error: 'the daemon failed at this; see daemon.log', exit: 1, done: true });
    })
    .then(() => socket.end(() => socket.destroy()));
}

/** Reads what a client says while it is served: a line, or a last word. One that leaves half-closes first; ours never does otherwise. */
function listen(socket: Socket, gone: AbortController): NextLine {
  let word = '';
  let look = (): void => undefined;
  socket.on('data', (chunk: Buffer) => {
    if (word.length < LONGEST_WORD) word += chunk.toString('latin1');
    look();
  });
  socket.on('end', () => gone.abort(word.trim()));
  return () =>
    new Promise((resolve) => {
      const end = (line: string | null): void => {
        clearTimeout(limit);
        resolve(line);
      };
      const limit = setTimeout(end, LINE_WAIT, null);
      look = () => {
        const at = word.indexOf('\n');
        if (at === -1) return word.length < LONGEST_WORD ? undefined : end(null);
        const line = word.slice(0, at);
        word = word.slice(at + 1);
        end(line);
      };
      gone.signal.addEventListener('abort', () => end(null), { once: true });
      if (gone.signal.aborted) end(null);
      else look();
    });
}
