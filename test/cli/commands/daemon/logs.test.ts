// `belfry logs`: readable lines, raw ones, and the file as it grows and is rotated.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../support/home.ts';
import { BELFRY, bareEnv, belfry } from '../../../support/programs.ts';
import { until } from '../../../support/wait.ts';

const entry = (msg: string, fields: Record<string, unknown> = {}): string =>
  `${JSON.stringify({ level: 30, time: '2026-03-01T10:00:00.000Z', pid: 1, ...fields, msg })}\n`;

function homeWithLog(text: string): { home: string; log: string } {
  const home = temporaryFolder();
  mkdirSync(join(home, 'state'));
  const log = join(home, 'state', 'daemon.log');
  writeFileSync(log, text);
  return { home, log };
}

test('lines are readable, hostile text is text, what is not JSON stays', async () => {
  const text = `${entry('started', { version: '1', why: 'two words', list: [1] })}plain\u001b[31m line\n${entry('a\u001b]0;x\u0007b\nc')}`;
  const { home } = homeWithLog(text);
  const ran = await belfry(home, ['logs'], { env: { TZ: 'UTC' } });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toBe(
    '2026-03-01 10:00:00  started  version=1 why="two words" list=[1]\nplain line\n2026-03-01 10:00:00  ab c\n',
  );
  expect((await belfry(home, ['logs', '--json'])).stdout).toBe(text);
  expect((await belfry(home, ['logs', '-n', '1', '--json'])).stdout).toBe(text.split('\n').slice(2).join('\n'));
});

test('no log is a note, a count that is none is refused', async () => {
  expect(await belfry(temporaryFolder(), ['logs'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/daemon\.log is empty or does not exist: the daemon has not run yet\n$/),
  });
  expect(await belfry(temporaryFolder(), ['logs', '-n', 'x'])).toMatchObject({ code: 2 });
});

test('--follow prints what is added, half lines once they are whole, and goes on in the next file', async () => {
  const { home, log } = homeWithLog(entry('one'));
  const follower = spawn(process.execPath, [BELFRY, 'logs', '-f'], {
    env: bareEnv(home),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void follower.kill('SIGKILL'));
  let seen = '';
  follower.stdout.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
  });
  const messages = (): string[] =>
    seen
      .trim()
      .split('\n')
      .map((line) => line.split('  ')[1] ?? '');
  await until(() => messages().length === 1 && messages()[0] === 'one', 'the first line');
  const two = entry('two');
  appendFileSync(log, two.slice(0, 20));
  appendFileSync(log, two.slice(20));
  await until(() => messages().includes('two'), 'the second line');
  appendFileSync(log, entry('three'));
  renameSync(log, `${log}.1`);
  writeFileSync(log, entry('four'));
  await until(() => messages().includes('four'), 'the line of the next file');
  expect(messages()).toEqual(['one', 'two', 'three', 'four']);
});
