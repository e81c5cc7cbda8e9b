// A secret, or several lines of them, from a prompt or standard input: bounded.
import { EXIT, UserError } from '../../model/errors.ts';
import type { Io } from '../io.ts';

/** All of standard input; UserError beyond `limit` bytes. `what`: it is, in words. */
export async function pipedText(limit: number, what = 'the secret'): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > limit) throw new UserError(`${what} is larger than ${limit} bytes; nothing was stored`, EXIT.usage);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Typed unseen at a prompt, or else all of standard input. `what`: it is, in words. UserError where it is cancelled, or nobody can be asked. */
export async function unseenText(io: Io, message: string, limit: number, what: string): Promise<string> {
  if (!process.stdin.isTTY) return await pipedText(limit, what);
  if (!io.tty || io.json) throw new UserError(`send ${what} to standard input`, EXIT.usage);
  const { isCancel, password } = await import('@clack/prompts');
  const typed = await password({ message });
  if (isCancel(typed)) throw new UserError('cancelled; nothing was stored');
  return typed;
}
