// Which program may be ended where there is no /proc: the hook's own `cat` only, never one of a shell that has only got its pid.
import { expect, test } from 'vitest';
import { parsePs } from '../../../src/lib/programs/processes.ts';
import { readersOf } from '../../../src/sources/spool/kill-stuck-writer.ts';

const began = Date.UTC(2026, 5, 1, 9, 0, 0);
const LIST = parsePs(`  1     0 Mon Jun  1 08:00:00 2026     /sbin/launchd
  501     1 Mon Jun  1 09:00:00 2026     /bin/sh
  502   501 Mon Jun  1 09:00:03 2026     /bin/cat
  503   501 Mon Jun  1 09:00:00 2026     /bin/sleep
  777     1 Mon Jun  1 09:00:00 2026     cat
`);

test.each<[name: string, shell: number, since: number, ended: readonly number[]]>([
  ['the reader that the hook started, however late', 501, began + 200, [502]],
  ['a shell that began after the file was made: its pid was reused', 501, began - 1, []],
  ['a shell that is gone', 600, began, []],
  ['no child of the shell', 777, began, []],
])('%s', (_name, shell, since, ended) => {
  expect(readersOf(LIST, shell, since)).toEqual(ended);
});

test('an unreadable list ends nothing', () => {
  expect(readersOf(parsePs('ps: not permitted'), 501, began)).toEqual([]);
});
