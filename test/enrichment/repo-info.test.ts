// Project and branch, read from the files of real repositories.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createRepoInfoReader } from '../../src/enrichment/repo-info.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { realFiles } from '../support/files.ts';
import { temporaryFolder } from '../support/home.ts';

let base = '';
const look = (path: string) => createRepoInfoReader(systemClock, realFiles())(path);
const folder = (...parts: string[]): string => {
  const path = join(base, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
};
const git = (cwd: string, ...args: string[]): string =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main', ...args],
    {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_NOSYSTEM: '1' },
    },
  );

function repository(): string {
  const path = folder('payments');
  git(path, 'init');
  git(path, 'commit', '--allow-empty', '-m', 'first');
  return path;
}

beforeEach(() => {
  base = temporaryFolder();
});

test('a repository, and a folder deep in it', async () => {
  const top = repository();
  expect(await look(top)).toEqual({ project: 'payments', branch: 'main' });
  expect(await look(folder('payments', 'src', 'deep'))).toEqual({ project: 'payments', branch: 'main' });
});

test('a branch with slashes, and a detached head', async () => {
  const top = repository();
  git(top, 'checkout', '-b', 'feature/pay/now');
  expect((await look(top)).branch).toBe('feature/pay/now');
  git(top, 'checkout', '--detach');
  expect((await look(top)).branch).toBe(`detached at ${git(top, 'rev-parse', 'HEAD').slice(0, 8)}`);
});

test('a worktree bears the name of its repository', async () => {
  const top = repository();
  git(top, 'worktree', 'add', '-b', 'fix', join(base, 'hotfix'));
  expect(await look(join(base, 'hotfix'))).toEqual({ project: 'payments', branch: 'fix (worktree hotfix)' });
});

test.each<[path: string, expected: { project: string | null; branch: string | null }]>([
  ['/', { project: null, branch: null }],
  ['C:\\src\\payments', { project: 'payments', branch: null }],
  ['//server/share/payments', { project: 'payments', branch: null }],
  ['/gone/there', { project: 'there', branch: null }],
])('%s', async (path, expected) => {
  expect(await look(path)).toEqual(expected);
});

test.each<[name: string, branch: string | null, make: (path: string) => void]>([
  ['no repository', null, () => undefined],
  ['an empty repository', 'main', (path) => void git(path, 'init')],
  [
    'a head that is no head',
    null,
    (path) => {
      mkdirSync(join(path, '.git'));
      writeFileSync(join(path, '.git', 'HEAD'), 'x'.repeat(9_999));
    },
  ],
  ['a pointer that leads nowhere', null, (path) => writeFileSync(join(path, '.git'), 'gitdir: /nowhere\n')],
  [
    'a head that is a device',
    null,
    (path) => {
      mkdirSync(join(path, '.git'));
      symlinkSync('/dev/zero', join(path, '.git', 'HEAD'));
    },
  ],
])('%s', async (_name, branch, make) => {
  const path = folder('odd');
  make(path);
  expect(await look(path)).toEqual({ project: 'odd', branch });
});

test('a pipe in the place of a head does not hang it', async () => {
  execFileSync('mkfifo', [join(folder('pipe', '.git'), 'HEAD')]);
  expect(await look(join(base, 'pipe'))).toEqual({ project: 'pipe', branch: null });
});
