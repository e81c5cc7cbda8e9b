// What ends a command, as one line and an exit code.
import { expect, test } from 'vitest';
import { processIo } from '../../src/cli/io.ts';
import { reportError } from '../../src/cli/report-error.ts';
import { EXIT, UserError } from '../../src/model/errors.ts';

const FULL = 'belfry x: the disk is full: free some space, then try again';

test.each([
  ['what was expected', new UserError('there is none', EXIT.notFound), 4, 'belfry x: there is none'],
  ['a full disk', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }), 1, FULL],
  ['a database on one', new Error('database or disk is full'), 1, FULL],
  ['a used-up quota', new Error('EDQUOT: disk quota exceeded, write'), 1, FULL],
  ['a bug', new Error('boom\nat x'), 1, 'belfry x: unexpected error: boom (BELFRY_DEBUG=1 shows where)'],
])('%s', (_what, error, exit, line) => {
  const notes: string[] = [];
  const io = { ...processIo(false, 'belfry x'), env: {}, note: (text: string) => void notes.push(text) };
  expect([reportError(error, io), notes]).toEqual([exit, [line]]);
});
