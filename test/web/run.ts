// `npm run test:web`: what measures time or memory, or floods a daemon, has the machine to itself; two others at a time.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const root = new URL('../..', import.meta.url).pathname;
const ALONE = ['measured', 'scale'];
const others = readdirSync(new URL('.', import.meta.url))
  .flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? [])
  .filter((name) => !ALONE.includes(name));

/** Runs these files, so many at once; 0 when all passed. */
function run(files: readonly string[], atOnce: number): number {
  const how = ['--config', '.ci/vitest.slow.config.ts', `--fileParallelism=${atOnce > 1}`, `--maxWorkers=${atOnce}`];
  return spawnSync('npx', ['vitest', 'run', ...how, ...files], { cwd: root, stdio: 'inherit' }).status ?? 1;
}

const fileOf = (name: string): string => `test/web/${name}.test.ts`;
process.exitCode = Math.max(
  run([...ALONE.map(fileOf), 'test/hostile/page.test.ts', 'test/hostile/load.test.ts'], 1),
  run(others.map(fileOf), 2),
);
