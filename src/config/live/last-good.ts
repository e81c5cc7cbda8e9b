// Copies of the last valid settings: one's own for an automatic start while the file is broken, the machine's for as long as theirs is.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../lib/files/replace-file.ts';

const ownCopy = (state: string): string => join(state, 'config.last-good.toml');
const machineCopy = (state: string): string => join(state, 'machine.last-good.toml');

/** Keeps the texts that are in force, 0600; null (no such file) removes the copy. */
export async function keepLastGood(state: string, own: string | null, machine: string | null): Promise<void> {
  await keep(ownCopy(state), own);
  await keep(machineCopy(state), machine);
}

async function keep(file: string, text: string | null): Promise<void> {
  if (text === null) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, text);
}

/** The kept text; null when there is none. */
export const lastGood = (state: string): Promise<string | null> => kept(ownCopy(state));

/** That of the machine-wide file. */
export const lastGoodMachine = (state: string): Promise<string | null> => kept(machineCopy(state));

function kept(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}
