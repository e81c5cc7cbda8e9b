// Looking at files that others name: links are followed part by part, and each part's file system is judged before it is touched.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { createFiles, type Files } from '../../src/files/index.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { DIST, PATIENT, realFiles } from '../support/files.ts';
import { temporaryFolder } from '../support/home.ts';
import { until } from '../support/wait.ts';

function tree(): string {
  const base = temporaryFolder();
  mkdirSync(join(base, 'a', 'b'), { recursive: true });
  mkdirSync(join(base, 'elsewhere', 'deep'), { recursive: true });
  writeFileSync(join(base, 'a', 'b', 'file'), 'one\ntwo\n');
  writeFileSync(join(base, 'elsewhere', 'note'), 'elsewhere');
  symlinkSync('a/b', join(base, 'relative'));
  symlinkSync(join(base, 'elsewhere', 'deep'), join(base, 'absolute'));
  symlinkSync('../note', join(base, 'elsewhere', 'deep', 'up'));
  symlinkSync('second', join(base, 'first'));
  symlinkSync('first', join(base, 'second'));
  symlinkSync('b/../../elsewhere/./note', join(base, 'a', 'winding'));
  symlinkSync('nowhere', join(base, 'broken'));
  return base;
}

/** All mounts are as `isLocal` says of a path; records what was asked about. */
function judged(isLocal: (path: string) => boolean): { files: Files; asked: string[] } {
  const asked: string[] = [];
  const files = createFiles({
    clock: PATIENT,
    program: join(DIST, 'file-reader.js'),
    log: () => undefined,
    mounts: async (path) => {
      asked.push(path);
      return isLocal(path) ? { id: 'here', type: 'ext4', isLocal: true } : { id: 'far', type: 'nfs', isLocal: false };
    },
  });
  onTestFinished(() => files.stop());
  return { files, asked };
}

const WAYS: readonly [name: string, files: () => Files][] = [
  ['in this process', () => judged(() => true).files],
  ['in a process of its own', () => judged(() => false).files],
  ['as this machine has it', () => realFiles()],
];

test.each(WAYS)('reads %s', async (_name, make) => {
  const base = tree();
  const files = make();
  expect(await files.start(join(base, 'a', 'b', 'file'), 3)).toBe('one');
  expect(await files.end(join(base, 'relative', 'file'), 4)).toEqual({ text: 'two\n', whole: false });
  expect(await files.end(join(base, 'a', 'b', 'file'), 100)).toEqual({ text: 'one\ntwo\n', whole: true });
  expect(await files.start(join(base, 'absolute', 'up'), 100)).toBe('elsewhere');
  expect(await files.start(join(base, 'a', 'winding'), 100)).toBe('elsewhere');
  expect([...((await files.names(`${join(base, 'relative')}/..`, 10)) ?? [])].sort()).toEqual(['b', 'winding']);
  expect(await files.realPath(join(base, 'absolute', 'up'))).toBe(join(base, 'elsewhere', 'note'));
  expect(await files.entry(join(base, 'relative'))).toMatchObject({ kind: 'link', target: 'a/b' });
  expect(await files.target(join(base, 'relative'))).toMatchObject({ kind: 'folder' });
  expect(await files.target(join(base, 'a', 'b', 'file'))).toMatchObject({ kind: 'file', size: 8 });
});

test.each(WAYS)('finds nothing where there is nothing to read, %s', async (_name, make) => {
  const base = tree();
  const files = make();
  spawnSync('mkfifo', [join(base, 'pipe')]);
  for (const path of [
    ...['gone', 'broken', 'first', 'a/b/file/below', 'pipe', 'a'].map((name) => join(base, name)),
    '',
    'relative/path',
    '//host/share',
    '/\\host',
    `/${'x/'.repeat(3_000)}y`,
    '/nul\0byte',
  ])
    expect([path.slice(0, 80), await files.start(path, 10)]).toEqual([path.slice(0, 80), null]);
  expect(await files.realPath(join(base, 'first'))).toBeNull();
});

test('a link that leads to another file system is never followed by the one that it lies on', async () => {
  const base = tree();
  const far = join(base, 'elsewhere');
  const touched = (path: string): boolean => !path.startsWith(far);
  const { files, asked } = judged(touched);
  expect(await files.start(join(base, 'absolute', 'up'), 100)).toBe('elsewhere');
  // Each part was judged by its own path, not by the link's.
  expect(asked).toContain(join(far, 'deep'));
  expect(asked).toContain(join(far, 'note'));
  expect(asked.filter((path) => path.startsWith(join(base, 'absolute', 'up')))).toEqual([]);
});

test('many at once, and after a stop', async () => {
  const base = tree();
  const { files } = judged(() => false);
  const all = await Promise.all(Array.from({ length: 40 }, () => files.start(join(base, 'a', 'b', 'file'), 3)));
  expect(new Set(all)).toEqual(new Set(['one']));
  files.stop();
  expect(await files.start(join(base, 'a', 'b', 'file'), 3)).toBe('one');
});

test('a program that cannot be started reads nothing, is not started again at once, and is mentioned once', async () => {
  const base = tree();
  const logged: string[] = [];
  const files = createFiles({
    clock: PATIENT,
    program: join(base, 'missing.js'),
    log: (message) => void logged.push(message),
    mounts: async () => ({ id: 'far', type: 'nfs', isLocal: false }),
  });
  onTestFinished(() => files.stop());
  for (let i = 0; i < 3; i++) expect(await files.start(join(base, 'a', 'b', 'file'), 3)).toBeNull();
  expect(logged).toHaveLength(1);
});

/** A reader whose system calls never return, for machines where nothing can be mounted: test/torture/mounts.test.ts has the real thing. */
const SILENT = `process.send({ number: 0, answer: null }); process.on('message', () => undefined); process.on('disconnect', () => process.exit());`;

test('a file system that never answers: its paths are left out, at once when that is known, and all others are read', async () => {
  const base = tree();
  const program = join(base, 'silent.cjs');
  writeFileSync(program, SILENT);
  const logged: string[] = [];
  let now = Date.now();
  const clock: Clock = { now: () => now, setTimer: (ms, wake) => systemClock.setTimer(ms / 10, wake) };
  const files = createFiles({
    clock,
    program,
    log: (message: string) => void logged.push(message),
    mounts: async (path) =>
      path.startsWith(join(base, 'elsewhere'))
        ? { id: 'far', type: 'nfs', isLocal: false }
        : { id: 'here', type: 'ext4', isLocal: true },
  });
  onTestFinished(() => files.stop());
  const far = (): Promise<string | null> => files.start(join(base, 'elsewhere', 'note'), 10);
  expect(await Promise.all([far(), files.start(join(base, 'absolute', 'up'), 10), far()])).toEqual([null, null, null]);
  await until(() => files.target(join(base, 'a', 'b', 'file')), 'another file system to be read');
  await until(() => logged.length > 0, 'the one that hangs to be given up');
  expect(await far()).toBeNull();
  now += 60_000; // the pause is over, and the next reader is no better
  await until(async () => (await far()) === null && logged.length === 1, 'the next one to hang');
  await until(() => files.target(join(base, 'a', 'b', 'file')), 'another file system to be read');
});
