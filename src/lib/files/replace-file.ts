// Replaces a file of this process's own in one step.
import { rename, writeFile } from 'node:fs/promises';

/**
 * Writes `text` as `FILE.part`, 0600, and gives it its name: no reader sees half a file, and what a killed process left is written over.
 * Only for a file that one process at a time writes, one text after the other. Rejects with the file system's error.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const part = `${file}.part`;
  await writeFile(part, text, { mode: 0o600 });
  await rename(part, file);
}
