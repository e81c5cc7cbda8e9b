// `belfry continue`: what the sessions are called of which it says what became of them.
import { expect, test } from 'vitest';
import { namesAmong } from '../../../../src/cli/commands/answer/continue.ts';

test('a name that repeats has what tells its session apart: its title, else the beginning of its id', () => {
  const row = (session_id: string, project: string | null, title: string | null) => ({
    key: session_id,
    session_id,
    project,
    title,
  });
  const names = (...rows: ReturnType<typeof row>[]) => rows.map(namesAmong(rows, (id) => id.slice(0, 4)));
  expect(names(row('aaaa-1', 'web', 'Fix it'), row('bbbb-2', 'api', null))).toEqual(['web', 'api']);
  expect(names(row('aaaa-1', 'web', 'Fix it'), row('bbbb-2', 'web', 'Test it'), row('cccc-3', 'web', null))).toEqual([
    'web (Fix it)',
    'web (Test it)',
    'web (cccc)',
  ]);
  expect(names(row('aaaa-1', 'web', 'Fix it'), row('bbbb-2', 'web', 'Fix it'))).toEqual(['web (aaaa)', 'web (bbbb)']);
  expect(names(row('aaaa-1', null, 'Fix it'), row('bbbb-2', null, 'Fix it'))).toEqual([
    'Fix it (aaaa)',
    'Fix it (bbbb)',
  ]);
});
