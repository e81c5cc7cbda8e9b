// A temporary BELFRY_HOME (and HOME) that is gone after the test, and the paths in it.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Paths, resolvePaths } from '../../src/runtime/paths.ts';
import { removeFolder } from './remove-folder.ts';

/** A fresh folder, removed when the running test has finished. */
export function temporaryFolder(prefix = 'belfry-test-'): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Belfry's paths below one folder. */
export function pathsBelow(home: string): Paths {
  return resolvePaths({
    platform: process.platform,
    env: { BELFRY_HOME: home },
    home,
    tmp: tmpdir(),
    uid: process.getuid?.(),
  });
}
