// A hook's input from a file or standard input, for commands that only look at it.
import { readFile, stat } from 'node:fs/promises';
import { INPUT_LIMIT } from '../../ipc/envelope.ts';
import { EXIT, UserError } from '../../model/errors.ts';

/** Its bytes; "-" is standard input. */
export async function readHookInput(file: string): Promise<Buffer> {
  return file === '-' ? standardInput() : fileBytes(file);
}

async function fileBytes(path: string): Promise<Buffer> {
  try {
    if ((await stat(path)).size > INPUT_LIMIT)
      throw new UserError(`${path} is too large: a hook's input is at most 16 MiB`, EXIT.usage);
    return await readFile(path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT')
      throw new UserError(`${path} does not exist: give the path of a hook's input`, EXIT.notFound);
    throw new UserError(`cannot read ${path} (${code})`, EXIT.usage);
  }
}

async function standardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer); // no encoding is set
    size += (chunk as Buffer).length;
    if (size > INPUT_LIMIT)
      throw new UserError("standard input is too large: a hook's input is at most 16 MiB", EXIT.usage);
  }
  return Buffer.concat(chunks);
}
