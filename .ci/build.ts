// Bundles dist/: the command line's first file, its commands and the daemon as ESM with shared chunks, the client as one file, each hook as one CommonJS file, the notifying one also as a shell script.
// What has native parts or back-end programs of its own stays a dependency; everything else is in the bundle.
import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { apiTypes } from './api-types.ts';
import { buildPage } from './build-page.ts';
import { writeNotices } from './notices.ts';

const root = new URL('..', import.meta.url).pathname;
const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { version: string };
const external = ['@photostructure/sqlite', 'node-notifier'];
// Bundled CommonJS packages call require() for Node's own modules.
const banner = {
  js: "import { createRequire as __belfryRequire } from 'node:module'; const require = __belfryRequire(import.meta.url);",
};
const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external,
  // Its main file is UMD, whose inner require() a bundler cannot follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  define: { BELFRY_VERSION: JSON.stringify(version) },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
} as const;

/** What `status` loads where a daemon's answer is not all: files of their own, which share their chunks with the commands. */
const LATER: Readonly<Record<string, string>> = {
  'hooked-agents': 'src/cli/commands/install/hooked-agents.ts',
  'open-reader': 'src/store/open-reader.ts',
};

/** What the first file loads later is in run.js, which has the table of commands once more, with the way to their code; or in a file of its own. */
const laterFromRun: Plugin = {
  name: 'later-from-run',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      if (path.startsWith('./')) return { path: './run.js', external: true };
      const file = relative(root, join(resolveDir, path));
      const name = Object.keys(LATER).find((one) => LATER[one] === file);
      if (name === undefined) throw new Error(`${file} would be in the first file: it needs a place in LATER`);
      return { path: `./${name}.js`, external: true };
    }),
};

/** The hook asks for each of Node's modules once, and not once for each of its files that imports from it: that is time and bytes. */
const askOnce: Plugin = {
  name: 'ask-once',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path, namespace }) =>
      namespace === 'once' ? { path, external: true } : { path, namespace: 'once', sideEffects: false },
    );
    onLoad({ filter: /^/, namespace: 'once' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== 'default');
      const each = names.map((name) => `${name} = /* @__PURE__ */ (() => all.${name})()`);
      return { contents: `const all = require('${path}');\nexport const ${each.join(', ')};` };
    });
  },
};

/** The daemon's log writes to a file of its own: what pino has to write through threads and streams is left out. */
const logWithoutThreads: Plugin = {
  name: 'log-without-threads',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(thread-stream|sonic-boom|worker_threads)$/ }, ({ path, importer }) =>
      importer.includes('/pino/') ? { path, namespace: 'left-out' } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'left-out' }, () => ({
      contents: 'module.exports = class LeftOut {}; module.exports.isMainThread = true;',
    }));
  },
};

await rm(`${root}dist`, { recursive: true, force: true });
await mkdir(`${root}dist`);
/** The files of which something is in a bundle. */
const inBundle = ({ outputs }: Metafile): string[] =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
const bundle = async (options: BuildOptions): Promise<Metafile> => {
  const { metafile } = await build({ ...options, metafile: true });
  return metafile;
};
const bundles = await Promise.all([
  // One file, since each more costs a start half a millisecond: `--help` and `status` need no other.
  bundle({
    ...shared,
    entryPoints: { belfry: 'src/cli/main.ts' },
    outdir: 'dist',
    format: 'esm',
    plugins: [laterFromRun],
  }),
  bundle({
    ...shared,
    entryPoints: { run: 'src/cli/run.ts', ...LATER },
    outdir: 'dist',
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    banner,
  }),
  bundle({ ...shared, entryPoints: { api: 'src/api/index.ts' }, outdir: 'dist', format: 'esm' }),
  // On its own: what it shares with the command line would otherwise be cut into many chunks, and 4 MB of memory at rest.
  bundle({
    ...shared,
    entryPoints: { daemon: 'src/daemon/main.ts' },
    outdir: 'dist',
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/daemon-[name]-[hash]',
    banner,
    plugins: [logWithoutThreads],
    minifyIdentifiers: true, // the engine keeps the text of all it has loaded: a MB at rest
  }),
  // A thread of the daemon, with no more than it needs.
  bundle({
    ...shared,
    entryPoints: { 'page-reader': 'src/daemon/http/reader-thread.ts' },
    outdir: 'dist',
    format: 'esm',
    banner,
  }),
  // A process of its own, begun while somebody may wait.
  bundle({ ...shared, entryPoints: { 'file-reader': 'src/files/reader-process.ts' }, outdir: 'dist', format: 'esm' }),
  bundle({
    ...shared,
    entryPoints: { 'belfry-hook': 'hooks/belfry-hook.ts', 'belfry-ask': 'hooks/belfry-ask.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    plugins: [askOnce],
  }),
  // For code inside clients, whose engines are not all Node's.
  bundle({
    ...shared,
    entryPoints: { 'belfry-ask': 'hooks/belfry-ask-inside.ts', 'belfry-ask-there': 'hooks/belfry-ask-there.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    minify: true,
  }),
  buildPage(root),
]);
await writeFile(`${root}dist/api.d.ts`, apiTypes());
await writeNotices(root, version, bundles.flat().flatMap(inBundle));
// One character beyond Latin 1, as regular expressions keep theirs, and the engine holds two bytes for each of a file.
for (const file of await readdir(`${root}dist`, { recursive: true, withFileTypes: true }))
  if (/^daemon.*\.js$/.test(file.name)) {
    const path = `${file.parentPath}/${file.name}`;
    const code = await readFile(path, 'utf8');
    const plain = code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    if (plain !== code) await writeFile(path, plain);
  }
// Sourced by a shell, so they need no mode of their own; they stay readable as they are written.
await copyFile(`${root}hooks/fast.sh`, `${root}dist/belfry-hook.sh`);
await copyFile(`${root}hooks/fallback.sh`, `${root}dist/belfry-fallback.sh`);
// Copied to machines elsewhere, or run there.
await copyFile(`${root}hooks/relay.sh`, `${root}dist/relay.sh`);
await copyFile(`${root}hooks/look-far.sh`, `${root}dist/look-far.sh`);
await copyFile(`${root}hooks/ask-far.sh`, `${root}dist/belfry-ask.sh`);
await copyFile(`${root}hooks/setup-far.sh`, `${root}dist/setup-far.sh`);
await Promise.all(
  ['belfry.js', 'belfry-hook.cjs', 'belfry-ask.cjs'].map((file) => chmod(`${root}dist/${file}`, 0o755)),
);

// Last: which build this is (src/runtime/build-id.ts). SOURCE_DATE_EPOCH, in seconds, makes two builds of the same sources the same.
const built = (await readdir(`${root}dist`, { recursive: true, withFileTypes: true }))
  .filter((file) => file.isFile())
  .map((file) => `${file.parentPath}/${file.name}`)
  .sort();
const whole = createHash('sha256');
for (const path of built) whole.update(`${path.slice(root.length)}\0`).update(await readFile(path));
const at = Number(process.env['SOURCE_DATE_EPOCH']) * 1_000 || Date.now();
await writeFile(`${root}dist/build.json`, `${JSON.stringify({ id: whole.digest('hex').slice(0, 16), at })}\n`);
