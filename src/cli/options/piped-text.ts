// A secret, or several lines of them, from standard input: bounded.
import { EXIT, UserError } from '../../model/errors.ts';

/** All of standard input; UserError beyond `limit` bytes. */
export async function pipedText(limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > limit) throw new UserError(`the secret is larger than ${limit} bytes; nothing was stored`, EXIT.usage);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
