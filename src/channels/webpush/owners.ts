// Who owns a browser's subscription: the page that it was made on, for as long as `belfry token list` shows it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../lib/json/json.ts';

/** What of the file of tokens (src/http/token-file.ts) says who is let in. */
const schema = z.object({ pages: z.array(z.object({ hash: z.string() })) });

/** None where the file cannot be read: nobody is sent to whom nobody let in. */
export async function currentOwners(folder: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(folder, 'tokens.json'), 'utf8').catch(() => '');
  const read = schema.safeParse(parseJson(text));
  return new Set(read.success ? read.data.pages.map(({ hash }) => hash) : []);
}
