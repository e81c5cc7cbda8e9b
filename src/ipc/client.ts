// Asks the running daemon over the local socket; for the command line.
import type { Socket } from 'node:net';
import type { Command, Reply } from './frames.ts';
import type { Paths } from '../runtime/paths.ts';
import { openProof, type Proof } from './caller-proof.ts';
import { trustedSocket } from '../runtime/trusted-socket.ts';

/** `silent`: somebody listens but did not answer in time; the daemon hangs. */
export type AskResult =
  | { readonly state: 'answered'; readonly replies: AsyncIterable<Reply>; readonly close: () => void }
  | { readonly state: 'not-running' }
  | { readonly state: 'silent' };

/** Default time to the first line of an answer, ms. */
const PATIENCE = 10_000;

/** Sends a command, and shows who gives it where that is asked. The replies end after the line with `done`, or when the daemon goes away (then without such a line). */
export async function sendCommand(
  paths: Pick<Paths, 'socket' | 'daemonFile' | 'run'>,
  op: string,
  args: Readonly<Record<string, unknown>> = {},
  patience = PATIENCE,
): Promise<AskResult> {
  const path = trustedSocket(paths);
  if (path === null) return { state: 'not-running' };
  // Loaded only here, since the command line's own file has this in it; and lines are cut by hand, for node:readline is slow to load.
  const socket = process.getBuiltinModule('node:net').connect(path).setEncoding('utf8');
  let proof: Proof | null = null;
  const close = (): void => {
    socket.destroy();
    proof?.close();
    proof = null;
  };
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  if (!connected) return { state: 'not-running' };
  socket.on('error', close);
  socket.write(`${JSON.stringify({ v: 1, op, args, pid: process.pid } satisfies Command)}\n`);
  const lines = linesOf(socket);
  const limit = setTimeout(close, patience);
  let first = await lines.next();
  proof = first.done ? null : openProof(paths.run, first.value);
  if (proof !== null) {
    socket.write(`${proof.content}\n`);
    first = await lines.next();
  }
  clearTimeout(limit);
  if (first.done) return { state: 'silent' };
  return { state: 'answered', replies: replies(first.value, lines, close), close };
}

/** Whole lines, until the other side ends or the socket is closed here. */
async function* linesOf(socket: Socket): AsyncGenerator<string, undefined> {
  let rest = '';
  try {
    for await (const chunk of socket) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch {
    // reset, or destroyed at the time limit: there is no more
  }
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
