// `npm run torture [-- --short] [-- CASE...]`: each case is a file here. The soak only waits, so it runs beside the others.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';

const root = new URL('../..', import.meta.url).pathname;
const words = process.argv.slice(2).filter((word) => word !== '--');
const short = words.includes('--short') || process.env['BELFRY_TORTURE'] === 'short';
const wanted = words.filter((word) => !word.startsWith('--'));
const cases = readdirSync(new URL('.', import.meta.url))
  .flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? [])
  .sort();
const unknown = wanted.filter((name) => !cases.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no case ${unknown.join(', ')}; there are: ${cases.join(', ')}\n`);
  process.exit(2);
}
const chosen = wanted.length > 0 ? wanted : cases;

/** One run of vitest over these cases; resolves with its exit code. */
function run(names: readonly string[]): Promise<number> {
  if (names.length === 0) return Promise.resolve(0);
  const files = names.map((name) => `test/torture/${name}.test.ts`);
  const child = spawn('npx', ['vitest', 'run', '--config', '.ci/vitest.slow.config.ts', ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, BELFRY_TORTURE: short ? 'short' : 'whole' },
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

const began = performance.now();
const codes = await Promise.all([
  run(chosen.filter((name) => name === 'soak')),
  run(chosen.filter((name) => name !== 'soak')),
]);
process.stdout.write(
  `\ntorture, ${short ? 'short' : 'whole'} form: ${Math.round((performance.now() - began) / 1_000)} s\n`,
);
process.exit(Math.max(...codes));
