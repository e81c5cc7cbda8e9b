// Copies of the journal, the hook's debug log and the list of created sessions stay within bounds and go in time.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createdSessions } from '../../../src/daemon/sessions/api-created-sessions.ts';
import { keptFiles, tidyKeptFiles } from '../../../src/daemon/journal/kept-files.ts';
import { pathsBelow, temporaryFolder } from '../../support/home.ts';

const NOW = Date.UTC(2026, 5, 20);
const DAY = 86_400_000;
const RULES = { now: NOW, rawAgeMs: 7 * DAY, maxAgeMs: 30 * DAY, maxBytes: 1_000 };

/** A state folder with these files: name, bytes, age in days by the file's own time. */
function stateWith(files: readonly (readonly [name: string, bytes: number, days: number])[]) {
  const paths = pathsBelow(temporaryFolder());
  mkdirSync(paths.state, { recursive: true });
  for (const [name, bytes, days] of files) {
    const path = join(paths.state, name);
    writeFileSync(path, 'x'.repeat(bytes));
    utimesSync(path, (NOW - days * DAY) / 1000, (NOW - days * DAY) / 1000);
  }
  return { paths, left: () => readdirSync(paths.state).sort() };
}

const OTHERS = [
  'belfry.db',
  'belfry.db-wal',
  'belfry.db-shm',
  'daemon.log',
  'config.last-good.toml',
  'other.db.schema-1',
];

test('copies go with the raw inputs they hold, by the time they were set aside; nothing else does', () => {
  const { paths, left } = stateWith([
    ...OTHERS.map((name) => [name, 10, 400] as const),
    ['belfry.db.damaged-20260601T120000Z', 10, 1],
    ['belfry.db.damaged-20260601T120000Z-wal', 10, 1],
    ['belfry.db.damaged-20260601T120000Z.reading', 10, 1],
    ['belfry.db.damaged-20260619T120000Z', 10, 300],
    ['belfry.db.damaged-20260619T120000Z-1-wal', 10, 300],
    ['belfry.db.schema-1', 10, 8],
    ['belfry.db.schema-2', 10, 6],
  ]);
  expect(keptFiles(paths)).toHaveLength(7);
  expect(tidyKeptFiles(paths, RULES)).toBe(4);
  expect(left()).toEqual(
    [
      ...OTHERS,
      'belfry.db.damaged-20260619T120000Z',
      'belfry.db.damaged-20260619T120000Z-1-wal',
      'belfry.db.schema-2',
    ].sort(),
  );
  expect(tidyKeptFiles(paths, RULES)).toBe(0);
});

test('copies together are bounded, the oldest go first and the latest stays', () => {
  const { paths, left } = stateWith([
    ['belfry.db.schema-1', 600, 5],
    ['belfry.db.damaged-20260617T000000Z', 600, 3],
    ['belfry.db.damaged-20260619T000000Z', 5_000, 1],
    ['belfry.db.damaged-20260619T000000Z-wal', 10, 1],
  ]);
  expect(tidyKeptFiles(paths, RULES)).toBe(2);
  expect(left()).toEqual(['belfry.db.damaged-20260619T000000Z', 'belfry.db.damaged-20260619T000000Z-wal']);
});

test('the debug log and the list of sessions are cut at whole lines, and go when nothing was added for long', async () => {
  const { paths, left } = stateWith([]);
  for (let i = 0; i < 60_000; i++) appendLater.push(`line ${i} of the log\n`);
  for (const name of ['hook.log', 'created-sessions']) {
    appendFileSync(join(paths.state, name), appendLater.join(''), { mode: 0o600 });
    utimesSync(join(paths.state, name), NOW / 1000, NOW / 1000);
  }
  expect((await createdSessions(paths.state)).slice(-2)).toEqual(['line 59998 of the log', 'line 59999 of the log']);
  expect(tidyKeptFiles(paths, RULES)).toBe(2);
  const text = readFileSync(paths.hookLog, 'utf8');
  expect(text).toMatch(/^line \d+ of the log\n[\s\S]*line 59999 of the log\n$/);
  expect([text.length <= 500_000, text.length > 400_000, statSync(paths.hookLog).mode & 0o777]).toEqual([
    true,
    true,
    0o600,
  ]);
  expect(await createdSessions(paths.state)).toHaveLength(200);
  expect(left()).toEqual(['created-sessions', 'hook.log']);
  for (const name of left()) utimesSync(join(paths.state, name), (NOW - 31 * DAY) / 1000, (NOW - 31 * DAY) / 1000);
  expect([tidyKeptFiles(paths, RULES), left()]).toEqual([2, []]);
});

const appendLater: string[] = [];
