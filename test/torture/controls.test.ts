// Each check that a hostile case rests on is taken out, and the case must fail: one of each of three classes in the short form.
import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { figures, short } from './size.ts';

test('without its check each hostile case fails, and no other', async () => {
  // It runs a vitest of its own, which is not to take itself for a worker of this one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const cwd = new URL('../..', import.meta.url).pathname;
  const args = ['--import', 'tsx', 'test/hostile/run-controls.ts', ...(short ? ['--short'] : [])];
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  const lines = said.split('\n').filter((line) => /^(?:ok|FAIL) /.test(line));
  figures('controls', { tried: lines.length });
  expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
  expect([code, lines.length > 0]).toEqual([0, true]);
});
