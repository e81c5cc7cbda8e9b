// A secret, or several lines of them, from standard input: bounded.
import { EXIT, UserError } from '../../model/errors.ts';

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
