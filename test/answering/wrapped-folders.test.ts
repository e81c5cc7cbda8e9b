// The folders of clients that `belfry run` starts: which are followed, which are left alone, and which are removed.
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { announceWrapped, makeWrappedFiles, readWrapped, runningWrapped } from '../../src/ipc/wrapped-client.ts';
import { startTime } from '../../src/runtime/process-table.ts';
import { temporaryFolder } from '../support/home.ts';

/** No process has had this start. */
const GONE = { pid: process.pid, start: '1' };
const OWN = { pid: process.pid, start: startTime(process.pid) };
const HOUR = 3_600_000;

function folderWith(about: unknown, age: number): { readonly state: string; readonly folder: string } {
  const state = temporaryFolder();
  const folder = join(state, 'wrapped', 'abcdefghijkl');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (about !== undefined)
    writeFileSync(join(folder, 'about.json'), typeof about === 'string' ? about : JSON.stringify(about));
  const then = new Date(Date.now() - age);
  utimesSync(folder, then, then);
  return { state, folder };
}

test.each([
  ['one that was just made', undefined, 0, 'left'],
  ['one that never said who made it', undefined, HOUR, 'removed'],
  ['a damaged one', '{"v":1,"wra', HOUR, 'removed'],
  ['one that starts its client', { v: 1, wrapper: OWN }, HOUR, 'left'],
  ['one whose maker has died before its client', { v: 1, wrapper: GONE }, 0, 'removed'],
  ['one whose client runs', { v: 1, agent: 'qwen', wrapper: GONE, client: OWN }, HOUR, 'followed'],
  ['one whose client has exited', { v: 1, agent: 'qwen', wrapper: OWN, client: GONE }, HOUR, 'left'],
  ['one that both have left', { v: 1, agent: 'qwen', wrapper: GONE, client: GONE }, 0, 'removed'],
])('%s', (_what, about, age, then) => {
  const { state, folder } = folderWith(about, age);
  expect(runningWrapped({ state })).toHaveLength(then === 'followed' ? 1 : 0);
  expect(existsSync(folder)).toBe(then !== 'removed');
});

test('it is found once its client is known', () => {
  const state = temporaryFolder();
  const files = makeWrappedFiles({ state });
  if (typeof files === 'string') throw new Error(files);
  expect(readWrapped({ state }, files.id)).toBeNull();
  expect(runningWrapped({ state })).toEqual([]);
  announceWrapped(files, 'qwen', process.pid);
  expect(runningWrapped({ state })).toEqual([{ ...files, agent: 'qwen', wrapper: OWN, client: OWN }]);
});
