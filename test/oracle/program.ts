// The program that lets days happen: built beside the packages that it needs, and asked.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { removeFolder } from '../support/remove-folder.ts';
import type { Account, RecordName } from './recorded.ts';

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');
const MAIN = join(import.meta.dirname, 'main.ts');
/** Files that lie beside the sources are found from there. */
const PLACE = {
  'import.meta.dirname': JSON.stringify(import.meta.dirname),
  'import.meta.url': JSON.stringify(pathToFileURL(MAIN)),
};

/** What the code of now tells in these, one after the other. */
export async function* accounts(record: RecordName, names: readonly string[]): AsyncGenerator<Account> {
  const folder = mkdtempSync(join(MODULES, '.oracle-'));
  try {
    const outfile = join(folder, 'main.mjs');
    await build({
      entryPoints: [MAIN],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      define: PLACE,
      logLevel: 'warning',
    });
    const child = spawn(process.execPath, [outfile, record, ...names], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => child.once('close', resolve));
    try {
      for await (const line of createInterface(child.stdout)) yield JSON.parse(line) as Account;
      const code = await ended;
      if (code !== 0) throw new Error(`the program of the oracle ended with ${String(code)}`);
    } finally {
      child.kill();
    }
  } finally {
    await removeFolder(folder);
  }
}
