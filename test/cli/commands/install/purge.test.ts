// `belfry uninstall --purge` on a terminal, where nothing is kept: there is nothing to ask.
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/home.ts';
import { bareEnv, BELFRY } from '../../../support/programs.ts';
import { onTerminal } from '../../../support/terminal.ts';

test('where nothing is kept, nothing is asked', async () => {
  const home = temporaryFolder();
  const { code, screen } = await onTerminal(
    [process.execPath, BELFRY, 'uninstall', '--purge'],
    bareEnv(home, { HOME: temporaryFolder() }),
    [],
  );
  expect(code, screen).toBe(0);
  expect(screen).toMatch(/^No hooks are installed\.\s+Nothing else is kept\.\s*$/);
});
