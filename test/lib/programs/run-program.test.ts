// A program with a time limit: what it printed, how it ended, and that nothing of it outlives the limit.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../../src/lib/programs/run-program.ts';
import { isGone } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/home.ts';
import { until } from '../../support/wait.ts';

const sh = (line: string, limit = 30_000, input?: string) =>
  runProgram({ program: '/bin/sh', args: ['-c', line], limit, ...(input === undefined ? {} : { input }) });

test.each<[string, string, object]>([
  ['its output and code', 'echo 2.1.0; exit 3', { code: 3, stdout: '2.1.0\n', timedOut: false }],
  ['what it prints to each of the two', 'echo out; echo err >&2', { code: 0, stdout: 'out\n', stderr: 'err\n' }],
  ['a signal', 'kill -9 $$', { code: null, stdout: '', timedOut: false }],
  ['too much output is cut', 'head -c 1000000 /dev/zero; exit 0', { code: 0, timedOut: false }],
  ['a child that keeps the output open is not waited for', 'sleep 600 & echo 2.1.0', { code: 0, stdout: '2.1.0\n' }],
])('%s', async (_name, line, result) => {
  expect(await sh(line)).toMatchObject(result);
});

test('standard input is what is given, or closed', async () => {
  expect(await sh('cat', 30_000, 'a secret')).toMatchObject({ code: 0, stdout: 'a secret' });
  expect(await sh('cat')).toMatchObject({ code: 0, stdout: '' });
});

test('a program that is not there', async () => {
  expect(await runProgram({ program: '/nowhere/at-all', args: [], limit: 1_000 })).toEqual({
    code: null,
    timedOut: false,
    cancelled: false,
    fault: 'ENOENT',
    stdout: '',
    stderr: '',
  });
});

test('a word that no program can be given', async () => {
  expect(await runProgram({ program: '/bin/sh', args: ['a\0b'], limit: 1_000 })).toMatchObject({
    code: null,
    fault: 'ERR_INVALID_ARG_VALUE',
  });
});

test('cancelled, its children are ended with it', async () => {
  const file = join(temporaryFolder(), 'child');
  const control = new AbortController();
  const args = ['-c', `sleep 600 & echo $! > '${file}'; wait`];
  const ran = runProgram({ program: '/bin/sh', args, limit: 600_000, signal: control.signal });
  const pid = await until(() => existsSync(file) && Number(readFileSync(file, 'utf8')), 'the child');
  control.abort();
  expect(await ran).toMatchObject({ code: null, cancelled: true, timedOut: false });
  await until(() => isGone(pid), 'the child to be ended');
  const late = { program: '/bin/sh', args: ['-c', `rm '${file}'`], limit: 1_000, signal: control.signal };
  expect(await runProgram(late)).toMatchObject({ code: null, cancelled: true });
  expect(existsSync(file)).toBe(true);
});

test('when the time is up, its children are ended with it', async () => {
  const file = join(temporaryFolder(), 'child');
  const began = performance.now();
  const ran = await sh(`sleep 600 & echo $! > '${file}'; wait`, 1_500);
  expect(ran).toMatchObject({ code: null, timedOut: true });
  expect(performance.now() - began).toBeLessThan(30_000);
  expect(existsSync(file)).toBe(true);
  const pid = Number(readFileSync(file, 'utf8'));
  await until(() => isGone(pid), 'the child to be ended');
});
