// A JSON object given as an option: written out, or `@FILE`.
import { readFile } from 'node:fs/promises';
import { EXIT, UserError } from '../../model/errors.ts';

/** The object; anything else is refused with a line. */
export async function readJson(flag: string, given: string): Promise<object> {
  const text = given.startsWith('@') ? await contents(flag, given.slice(1)) : given;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, together with what is JSON but no object.
  }
  throw new UserError(`${flag} must be a JSON object or @FILE with one; nothing was sent`, EXIT.usage);
}

async function contents(flag: string, path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`${flag}: cannot read ${path} (${error.code ?? 'unknown'}); nothing was sent`, EXIT.usage);
  });
}
