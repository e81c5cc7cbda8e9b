// Packs the package, checks its content, installs the tarball into an empty prefix and runs both programs from there.
import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderPlugins } from './agent-docs.ts';
import { programsBelow } from './helper-programs.ts';

interface Manifest extends Readonly<Record<string, unknown>> {
  readonly scripts: Readonly<Record<string, string>>;
}

/** Relative links of the pages that people read first which lead to nothing in the package. */
function brokenLinks(packed: readonly string[]): string[] {
  return ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'CONTRIBUTING.md'].flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!\w+:|#)([^)#\s]{1,300})/g)]
      .map(([, target = '']) => target)
      .filter((target) => !packed.includes(target))
      .map((target) => `${page} links to ${target}, which is not in the package`),
  );
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly object[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

/** Programs that npm has installed beside belfry and that its bill of materials does not name with version and licence, and those it names that are not there. */
async function billProblems(installed: string): Promise<string[]> {
  const bill = JSON.parse(readFileSync(join(installed, 'dist/sbom.cdx.json'), 'utf8')) as { components: Component[] };
  const named = bill.components.flatMap(({ name, version, licenses, properties }) => {
    const files = properties.find((one) => one.name === 'belfry:files')?.value;
    return files === undefined ? [] : [{ name, files, isWhole: version !== '' && licenses.length > 0 }];
  });
  const modules = join(installed, 'node_modules');
  const packages = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  const present = await Promise.all(
    packages
      .filter((name) => !name.startsWith('.'))
      .map(async (name) => (await programsBelow(join(modules, name))).map((path) => `${name}/${path}`)),
  );
  const programs = present.flat();
  return [
    ...programs
      .filter((path) => !named.some(({ files, isWhole }) => isWhole && path.startsWith(`${files}/`)))
      .map((path) => `the bill of materials does not name ${path}`),
    ...named
      .filter(({ files }) => !programs.some((path) => path.startsWith(`${files}/`)))
      .map(({ name, files }) => `the bill of materials names ${name}, and ${files} has no program`),
  ];
}

const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'belfry-package-'));
const problems: string[] = [];
const quiet: ExecFileSyncOptionsWithStringEncoding = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };

try {
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: root, ...quiet }),
  );
  const [{ filename, files, unpackedSize }] = packed as [
    { filename: string; files: { path: string }[]; unpackedSize: number },
  ];
  const allowed =
    /^(dist\/|docs\/|installers\/plugins\/|(package\.json|README\.md|ARCHITECTURE\.md|CHANGELOG\.md|CONTRIBUTING\.md|SECURITY\.md|LICENSE)$)/;
  for (const { path } of files)
    if (!allowed.test(path)) problems.push(`the package contains ${path}, which nothing needs at run time`);
  problems.push(...brokenLinks(files.map(({ path }) => path)));
  for (const path of [
    'dist/belfry.js',
    'dist/belfry-hook.cjs',
    'dist/belfry-ask.cjs',
    'dist/belfry-ask.mjs',
    'dist/daemon.js',
    'dist/api.js',
    'dist/web/index.html',
    'dist/THIRD-PARTY-NOTICES.txt',
    'dist/sbom.cdx.json',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    ...Object.keys(renderPlugins('')).map((path) => `installers/plugins/${path}`),
  ]) {
    if (!files.some((file) => file.path === path)) problems.push(`the package lacks ${path}`);
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const unset = ['repository', 'homepage', 'bugs'].filter((key) => manifest[key] === undefined);
  if (unset.length > 0)
    console.log(
      `note: package.json has no ${unset.join(', ')}; set them before publishing (docs/contributing/publishing.md)`,
    );
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
    if (manifest.scripts[script] !== undefined) problems.push(`package.json has the install script ${script}`);
  }

  const tarball = join(folder, filename);
  execFileSync(join(root, 'node_modules/.bin/publint'), [tarball, '--strict'], { cwd: root, ...quiet });
  execFileSync(join(root, 'node_modules/.bin/attw'), [tarball, '--profile', 'esm-only', '--quiet'], {
    cwd: root,
    ...quiet,
  });

  const prefix = join(folder, 'prefix');
  const home = join(folder, 'home');
  mkdirSync(prefix);
  mkdirSync(home);
  execFileSync('npm', ['install', '--prefix', prefix, '--global', '--ignore-scripts', tarball], {
    cwd: folder,
    ...quiet,
  });
  problems.push(...(await billProblems(join(prefix, 'lib/node_modules/belfry'))));
  const bin = join(prefix, 'bin');
  const env = { PATH: process.env['PATH'], HOME: home, BELFRY_HOME: home, BELFRY_NO_AUTOSTART: '1' };
  const version = execFileSync(join(bin, 'belfry'), ['--version'], { env, ...quiet }).trim();
  if (!version.includes((packed as [{ version: string }])[0].version))
    problems.push(`belfry --version says ${version}`);
  const out = execFileSync(join(bin, 'belfry-hook'), ['--agent', 'generic'], {
    env,
    input: '{"hook_event_name":"Stop","session_id":"s"}',
    encoding: 'utf8',
  });
  if (out !== '') problems.push(`belfry-hook printed ${JSON.stringify(out)}`);
  const asked = execFileSync(join(bin, 'belfry-ask'), ['--agent', 'generic'], { env, input: '{}', encoding: 'utf8' });
  if (asked !== '') problems.push(`belfry-ask printed ${JSON.stringify(asked)} without a daemon`);
  if (!existsSync(join(home, 'spool'))) problems.push('belfry-hook left nothing in the spool');

  const consumer = join(folder, 'consumer');
  mkdirSync(consumer);
  writeFileSync(join(consumer, 'package.json'), '{"type":"module"}');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-save', tarball], { cwd: consumer, ...quiet });
  writeFileSync(
    join(consumer, 'use.mjs'),
    "import { createClient } from 'belfry/api'; console.log(typeof createClient({ baseUrl: 'http://127.0.0.1:9', appUrl: 'http://127.0.0.1:9', key: 'k' }));",
  );
  const type = execFileSync(process.execPath, ['use.mjs'], { cwd: consumer, ...quiet }).trim();
  if (type !== 'object') problems.push(`createClient of belfry/api gave ${type}`);
  console.log(
    `${files.length} files, ${Math.round(unpackedSize / 1000)} kB unpacked, installed and run from the tarball, ${problems.length} problems`,
  );
} catch (error) {
  const { stdout, stderr, message } = error as { stdout?: string; stderr?: string; message: string };
  problems.push([message, stdout, stderr].filter(Boolean).join('\n'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
