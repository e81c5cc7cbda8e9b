// What the system may not have reported yet: nothing on Linux, whatever the folder holds once it has changed elsewhere.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FolderWatch } from '../../../src/sources/spool/folder-watch.ts';
import { virtualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/home.ts';

function watchOn(platform: NodeJS.Platform): { readonly folder: string; readonly watch: FolderWatch } {
  const folder = join(temporaryFolder(), 'spool');
  mkdirSync(folder, { mode: 0o700 });
  const watch = new FolderWatch({
    folder,
    platform,
    clock: virtualClock(),
    log: () => undefined,
    found: () => undefined,
    sweep: () => undefined,
  });
  onTestFinished(() => watch.close());
  watch.sweep();
  return { folder, watch };
}

test.each(['darwin', 'win32'] as const)(
  '%s: the folder is listed when its time has changed, and only then',
  (platform) => {
    const { folder, watch } = watchOn(platform);
    watch.unnoticed();
    writeFileSync(join(folder, 'one.event'), '');
    writeFileSync(join(folder, 'notes.txt'), '');
    utimesSync(folder, 1_000, 1_000);
    expect(watch.unnoticed()).toEqual(['one.event']);
    expect(watch.unnoticed()).toEqual([]);
    utimesSync(folder, 2_000, 2_000);
    expect(watch.unnoticed()).toEqual(['one.event']);
  },
);

test('on Linux nothing is listed, as long as the folder is watched', () => {
  const { folder, watch } = watchOn('linux');
  writeFileSync(join(folder, 'one.event'), '');
  utimesSync(folder, 1_000, 1_000);
  expect(watch.unnoticed()).toEqual([]);
});
