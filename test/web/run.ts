// `npm run test:web`: what measures time or memory, floods a daemon or is pushed takes the whole browser, and has the machine to itself. The others run two
// at a time in the browser's headless shell, where it is installed: it draws the same, and keeps no windows of its own ready, which took a processor.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const root = new URL('../..', import.meta.url).pathname;
/** In Debian's package of this name. */
const SHELL = '/usr/bin/chromium-headless-shell';
const ALONE = ['measured', 'push', 'scale'];
const others = readdirSync(new URL('.', import.meta.url))
  .flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? [])
  .filter((name) => !ALONE.includes(name));

/** Runs these files, so many at once; 0 when all passed. */
function run(files: readonly string[], atOnce: number, env: NodeJS.ProcessEnv = process.env): number {
  const how = ['--config', '.ci/vitest.slow.config.ts', `--fileParallelism=${atOnce > 1}`, `--maxWorkers=${atOnce}`];
  return spawnSync('npx', ['vitest', 'run', ...how, ...files], { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}

const fileOf = (name: string): string => `test/web/${name}.test.ts`;
process.exitCode = Math.max(
  run([...ALONE.map(fileOf), 'test/hostile/page.test.ts', 'test/hostile/load.test.ts'], 1),
  run(others.map(fileOf), 2, existsSync(SHELL) ? { ...process.env, BELFRY_BROWSER: SHELL } : process.env),
);
