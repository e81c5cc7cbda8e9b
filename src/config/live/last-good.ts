// A copy of the last valid settings, for an automatic start while the file is broken.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../lib/files/replace-file.ts';

const fileIn = (state: string): string => join(state, 'config.last-good.toml');

/** Keeps the text that is in force, 0600; null (no settings file) removes the copy. */
export async function keepLastGood(state: string, text: string | null): Promise<void> {
  const file = fileIn(state);
  if (text === null) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, text);
}

/** The kept text; null when there is none. */
export async function lastGood(state: string): Promise<string | null> {
  return readFile(fileIn(state), 'utf8').catch(() => null);
}
