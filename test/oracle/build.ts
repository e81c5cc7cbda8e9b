// Builds the program that lets days happen, beside the packages that it needs.
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');

/** Resolves with the path of the program. */
export async function buildOracle(): Promise<string> {
  const outfile = join(ROOT, 'node_modules', '.cache', 'belfry-oracle.mjs');
  await build({
    ...{ entryPoints: [join(import.meta.dirname, 'main.ts')], outfile, bundle: true, platform: 'node', format: 'esm' },
    ...{ packages: 'external', logLevel: 'warning' },
  });
  return outfile;
}
