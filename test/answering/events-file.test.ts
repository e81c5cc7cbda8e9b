// A file of lines that grows, as it is followed: lines that fail, and files that are none.
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EventsFile } from '../../src/answering/sources/wrapped/events-file.ts';
import { createBackground } from '../../src/lib/async/background.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { temporaryFolder } from '../support/home.ts';
import { until } from '../support/wait.ts';

function followed(path: string) {
  const taken: unknown[] = [];
  const told: string[] = [];
  const gone: (string | null)[] = [];
  const file = new EventsFile({
    path,
    marks: ['"n"'],
    clock: systemClock,
    background: createBackground((error) => told.push(`rejected: ${String(error)}`)),
    line: (value) => {
      if (value['n'] === 'bad') throw new TypeError('a mistake of ours');
      taken.push(value['n']);
    },
    failed: (error) => told.push(String(error)),
    gone: (why) => gone.push(why),
  });
  onTestFinished(() => file.close());
  return { file, taken, told, gone };
}

test('a line whose handling fails is told, ends nothing, and the next ones are taken', async () => {
  const path = join(temporaryFolder(), 'events.jsonl');
  writeFileSync(path, '{"n":1}\n{"n":"bad"}\n{"n":2}\n');
  const { file, taken, told, gone } = followed(path);
  expect(await file.start()).toBeNull();
  appendFileSync(path, '{"n":"bad"}\n{"n":3}\n');
  await until(() => taken.length === 3, 'the last line');
  expect(taken).toEqual([1, 2, 3]);
  expect(told).toEqual(['TypeError: a mistake of ours', 'TypeError: a mistake of ours']);
  expect(gone).toEqual([]);
  rmSync(path);
  await until(() => gone.length > 0, 'its end');
  expect(gone).toEqual([null]);
});

test.each([
  ['nothing', () => undefined, 'ENOENT'],
  ['a folder', (path: string) => void mkdirSync(path), 'no file of this user'],
  [
    'a link',
    (path: string) => {
      writeFileSync(`${path}.target`, '');
      symlinkSync(`${path}.target`, path);
    },
    'ELOOP',
  ],
])('%s is not followed, and it says why', async (_what, make, why) => {
  const path = join(temporaryFolder(), 'events.jsonl');
  make(path);
  const { file, gone, told } = followed(path);
  expect(await file.start()).toContain(why);
  expect([gone, told]).toEqual([[], []]);
});
