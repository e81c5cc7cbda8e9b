// The daemon's flags, in a process of their own: each is known to this V8, and the heap stays small where it would have grown.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const FLAGS = new URL('../../../src/daemon/shared/v8-flags.ts', import.meta.url).href;

/** Makes young objects that live for a while, and says what the space for them has grown to, MB. */
const SCRIPT = (first: string): string => `
  const { keepSmall } = await import(${JSON.stringify(FLAGS)});
  const { getHeapSpaceStatistics } = await import('node:v8');
  ${first}
  let kept = [];
  for (let i = 0; i < 2_000_000; i++) {
    kept.push({ i, text: 'text ' + i });
    if (kept.length > 100_000) kept = [];
  }
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  console.log(young.space_size / 1024 / 1024);
`;

function grownTo(first: string): number {
  const args = ['--import', 'tsx', '--input-type=module', '-e', SCRIPT(first)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  expect([status, stderr]).toEqual([0, '']);
  return Number(stdout);
}

test('the space for young objects does not grow under load', () => {
  const small = grownTo('keepSmall();');
  expect(small).toBeLessThan(10);
  expect(grownTo('')).toBeGreaterThan(2 * small);
});
