// The file that leads a browser to the page: readable by its owner only, so that the code is in no argument of a process.
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes it, and answers with its path. */
export async function writeRedirect(folder: string, url: string): Promise<string> {
  const file = join(folder, `page-${randomBytes(8).toString('hex')}.html`);
  const text = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}"><title>Belfry</title>\n`;
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return file;
}

/** Nobody needs it any more. */
export async function removeRedirect(file: string): Promise<void> {
  await rm(file, { force: true });
}
