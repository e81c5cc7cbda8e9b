// Bundles src/web into dist/web: one document, one script and one style sheet whose names change with what is in them.
// What only some of its pages need is loaded by those.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { agents } from '../src/agents/index.ts';

/** Writes it below `root`, the project's folder. Answers what went into it. */
export async function buildPage(root: string): Promise<Metafile[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The registry itself has no place in a browser.
    define: { AGENT_TITLES: JSON.stringify(Object.fromEntries(agents.map(({ name, title }) => [name, title]))) },
    legalComments: 'none',
    logLevel: 'warning',
    entryPoints: { app: 'src/web/main.tsx', style: 'src/web/style/index.css' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: 'dist/web/assets',
  });
  // By itself, under a name that stays: browsers find a newer one there.
  const { metafile: worker } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    metafile: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    legalComments: 'none',
    logLevel: 'warning',
    entryPoints: { 'service-worker': 'src/web/service-worker.ts' },
    outdir: 'dist/web',
  });
  const nameOf = (entry: string): string => {
    const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
    if (found === undefined) throw new Error(`the bundle lacks ${entry}`);
    return basename(found[0]);
  };
  const document = await readFile(`${root}src/web/index.html`, 'utf8');
  await mkdir(`${root}dist/web`, { recursive: true });
  await writeFile(
    `${root}dist/web/index.html`,
    document
      .replace('/assets/STYLE', `/assets/${nameOf('src/web/style/index.css')}`)
      .replace('/assets/SCRIPT', `/assets/${nameOf('src/web/main.tsx')}`),
  );
  return [metafile, worker];
}
