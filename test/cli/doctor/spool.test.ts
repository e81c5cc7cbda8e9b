// Doctor's words about a spool that is not there: whether the first hook could make it.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { spoolCheck } from '../../../src/cli/doctor/spool.ts';
import { pathsBelow, temporaryFolder } from '../../support/home.ts';

test('a spool that the first hook makes is no trouble; one that none could make is', async () => {
  const paths = pathsBelow(temporaryFolder());
  const look = () => spoolCheck.run({ paths, now: Date.now() } as Parameters<typeof spoolCheck.run>[0]);
  rmSync(paths.spool, { recursive: true, force: true });
  expect(await look()).toMatchObject([{ level: 'ok', text: 'the spool is empty' }]);
  // Whoever is root may write into any folder, but not into a file.
  const above = dirname(paths.spool);
  rmSync(above, { recursive: true, force: true });
  mkdirSync(dirname(above), { recursive: true });
  writeFileSync(above, '');
  chmodSync(above, 0o600);
  expect(await look()).toMatchObject([
    {
      level: 'fail',
      text: expect.stringMatching(/spool cannot be made: .* cannot be written \(\w+\), so hooks keep nothing$/),
    },
  ]);
});
