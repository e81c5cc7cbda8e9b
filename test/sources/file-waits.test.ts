// Waits for files of the spool: each ends once, by its last file, its limit, or with all of them.
import { expect, test } from 'vitest';
import { FileWaits } from '../../src/sources/file-waits.ts';
import { virtualClock } from '../support/clock.ts';

type Act = `done ${string}` | `wait ${number}` | 'release';

test.each<[name: string, files: readonly string[], acts: readonly Act[], isOver: boolean]>([
  ['nothing to wait for', [], [], true],
  ['one file', ['a'], ['done a'], true],
  ['another file', ['a'], ['done b'], false],
  ['one of two', ['a', 'b'], ['done a'], false],
  ['the same twice', ['a', 'b'], ['done a', 'done a'], false],
  ['both, in any order', ['a', 'b'], ['done b', 'done a'], true],
  ['a name that stands there twice', ['a', 'a'], ['done a'], true],
  ['before the limit', ['a'], ['wait 999'], false],
  ['at the limit', ['a'], ['wait 1000'], true],
  ['released', ['a', 'b'], ['release'], true],
])('%s', async (_name, files, acts, isOver) => {
  const clock = virtualClock();
  const waits = new FileWaits(clock);
  const other = waits.all(['z'], 5_000);
  let over = false;
  const waited = waits.all(files, 1_000).then(() => {
    over = true;
  });
  for (const act of acts) {
    const [what, value = ''] = act.split(' ');
    if (what === 'done') waits.done(value);
    else if (what === 'release') waits.release();
    else await clock.advance(Number(value));
  }
  await clock.advance(0);
  expect(over).toBe(isOver);
  waits.release();
  await Promise.all([waited, other]);
  expect(clock.pending).toBe(0);
});
