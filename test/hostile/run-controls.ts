// `npm run test:controls [-- --short] [-- NAME ...]`: takes each check out of a copy of the project and sees that the hostile cases which it stops fail, and no others.
// The short form takes one control of three of the files, others with each commit.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Control } from './control.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const HERE = join(ROOT, 'test/hostile');
/** What building and testing need; packages are shared. */
const COPIED = ['package.json', 'tsconfig.json', 'src', 'hooks', 'installers', 'test', '.ci', 'docs', 'README.md'];

const words = process.argv.slice(2).filter((word) => word !== '--');
const wanted = words.filter((word) => word !== '--short');
const files = readdirSync(HERE).filter((file) => file.endsWith('.controls.ts'));
const found = await Promise.all(
  files.map(async (file) => ((await import(join(HERE, file))) as { readonly CONTROLS: readonly Control[] }).CONTROLS),
);
const chosen = found.map((all) =>
  all.filter(
    ({ without, tests }) => wanted.length === 0 || wanted.some((name) => `${tests} ${without}`.includes(name)),
  ),
);
/** Files that the short form takes one control of: each builds the project and runs a file of tests. */
const FILES = 3;
const controls = words.includes('--short') ? few(chosen.filter((all) => all.length > 0)) : chosen.flat();

/** Which ones the commit decides; where there is none, the first. */
function few(all: readonly (readonly Control[])[]): readonly Control[] {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  const at = Number.parseInt((stdout ?? '').slice(0, 8), 16) || 0;
  const from = at % all.length;
  return [...all.slice(from), ...all.slice(0, from)]
    .slice(0, FILES)
    .flatMap((file) => file.slice(Math.floor(at / all.length) % file.length).slice(0, 1));
}

/** Names of the tests that failed and that passed; null: they did not run. */
function run(folder: string, tests: string): { readonly failed: Set<string>; readonly passed: Set<string> } | null {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const config = /(?:^|\/)(?:page|load)\./.test(tests) ? '.ci/vitest.slow.config.ts' : '.ci/vitest.config.ts';
  const reporter = ['--reporter=json', `--outputFile=${report}`];
  spawnSync('npx', ['vitest', 'run', '--config', config, ...reporter, tests], { cwd: folder, stdio: 'ignore' });
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      readonly testResults: readonly {
        readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
      }[];
    };
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    const named = (status: string): Set<string> =>
      new Set(all.filter((one) => one.status === status).map(({ title }) => title));
    return { failed: named('failed'), passed: named('passed') };
  } catch {
    return null;
  }
}

/** What is wrong with a control; null: it shows what it says. */
function fault(folder: string, { file, find, replace, tests, fail }: Control): string | null {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2) return `${file} does not hold the text to be replaced once`;
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  try {
    const built = spawnSync('npm', ['run', '--silent', 'build'], { cwd: folder, encoding: 'utf8' });
    if (built.status !== 0) return `it does not build: ${built.stderr.slice(-500)}`;
    const result = run(folder, tests);
    if (result === null) return 'its tests did not run';
    const missing = fail.filter((name) => !result.failed.has(name));
    const more = [...result.failed].filter((name) => !fail.includes(name));
    if (missing.length > 0) return `passes without the check: ${missing.join('; ')}`;
    return more.length > 0 ? `fails besides: ${more.join('; ')}` : null;
  } finally {
    writeFileSync(path, source);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'belfry-controls-'));
let wrong = 0;
try {
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const control of controls) {
    const why = fault(folder, control);
    if (why !== null) wrong += 1;
    process.stdout.write(
      `${why === null ? 'ok  ' : 'FAIL'} without ${control.without}${why === null ? '' : `: ${why}`}\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(` Tests  ${controls.length - wrong} passed${wrong > 0 ? ` | ${wrong} failed` : ''}\n`);
process.exitCode = wrong === 0 && controls.length > 0 ? 0 : 1;
