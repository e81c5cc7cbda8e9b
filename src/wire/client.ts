// Asks the running daemon over the local socket; for the command line.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Command, Reply } from './frames.ts';
import type { Paths } from './paths.ts';

/** `silent`: somebody listens but did not answer in time; the daemon hangs. */
export type Asked =
  | { readonly state: 'answered'; readonly replies: AsyncIterable<Reply>; readonly close: () => void }
  | { readonly state: 'not-running' }
  | { readonly state: 'silent' };

/** Time to the first line of an answer, ms, unless told otherwise. */
const PATIENCE = 10_000;

/** Sends a command. The replies end after the line with `done`, or when the daemon goes away (then without such a line). */
export async function sendCommand(
  paths: Pick<Paths, 'socket'>,
  op: string,
  args: Readonly<Record<string, unknown>> = {},
  patience = PATIENCE,
): Promise<Asked> {
  const socket = connect(paths.socket);
  const close = (): void => void socket.destroy();
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  if (!connected) return { state: 'not-running' };
  socket.on('error', close);
  socket.write(`${JSON.stringify({ v: 1, op, args } satisfies Command)}\n`);
  const reader = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
  socket.on('close', () => reader.close());
  const lines = reader[Symbol.asyncIterator]();
  const limit = setTimeout(close, patience);
  const first = await lines.next();
  clearTimeout(limit);
  if (first.done) return { state: 'silent' };
  return { state: 'answered', replies: replies(first.value, lines, close), close };
}

async function* replies(first: string, rest: AsyncIterator<string>, close: () => void): AsyncGenerator<Reply> {
  try {
    for (let line: IteratorResult<string> = { value: first }; !line.done; line = await rest.next()) {
      const reply = JSON.parse(line.value) as Reply; // the daemon is ours
      yield reply;
      if (reply.done) return;
    }
  } finally {
    close();
  }
}
