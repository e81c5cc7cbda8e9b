// What the flags do, in a process of their own: each is known to this V8, and code is optimised under load only.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const FLAGS = new URL('../../../src/daemon/shared/v8-flags.ts', import.meta.url).href;

/** Bit of the status (V8's `OptimizationStatus`): optimised code is what runs. */
const OPTIMISED = 1 << 4;

const SCRIPT = `
  const { keepSmall, save } = await import(${JSON.stringify(FLAGS)});
  let made = 0; // V8 remembers what it has learned of the same text
  const runs = async (turns) => {
    const work = new Function('x', '// another ' + made++ + '\\nlet sum = 0; for (let i = 0; i < 20; i++) sum += x % (i + 1); return sum;');
    const optimised = new Function('work', 'return (%GetOptimizationStatus(work) & ${OPTIMISED}) !== 0');
    for (let turn = 0; turn < turns; turn++) {
      for (let i = 0; i < 100; i++) work(i);
      await new Promise((resolve) => setImmediate(resolve)); // compiled in another thread, taken up between calls
      if (optimised(work)) return true;
    }
    return false;
  };
  keepSmall();
  const found = [await runs(10)];
  save('time');
  found.push(await runs(100_000));
  save('memory');
  found.push(await runs(10));
  console.log(JSON.stringify(found));
`;

test('little is optimised at rest, what is hot is under load', () => {
  const args = ['--allow-natives-syntax', '--import', 'tsx', '--input-type=module', '-e', SCRIPT];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual([false, true, false]);
});
