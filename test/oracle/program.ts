// The program that lets days happen: built beside the packages that it needs, and asked.
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { removeFolder } from '../support/remove-folder.ts';

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');
const MOST = 256 * 1024 * 1024;

/** Resolves with what it prints, a line each. */
export async function ask<T>(...words: readonly string[]): Promise<readonly T[]> {
  const folder = mkdtempSync(join(MODULES, '.oracle-'));
  onTestFinished(() => removeFolder(folder));
  const outfile = join(folder, 'main.mjs');
  await build({
    ...{ entryPoints: [join(import.meta.dirname, 'main.ts')], outfile, bundle: true, platform: 'node', format: 'esm' },
    ...{ packages: 'external', logLevel: 'warning' },
  });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile, ...words], { maxBuffer: MOST });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}
