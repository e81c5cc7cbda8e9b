// Nothing of a channel that is a folder is loaded before it is used, but its settings: what the registry imports, and what that imports.
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { files, read } from '../conventions/files.ts';

/** Files that this one needs when it is loaded: neither types nor what is imported later. */
function loadedWith(file: string): string[] {
  const imports = read(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gm);
  return [...imports]
    .filter(([whole]) => !/^import \{ (?:type \w+,? ?)+\} from/.test(whole))
    .map(([, target = '']) => normalize(join(dirname(file), target)));
}

function closureOf(start: string): Set<string> {
  const found = new Set([start]);
  for (const file of found) for (const next of loadedWith(file)) found.add(next);
  return found;
}

/** Small parts that the settings, the listener or the hooks of clients need. */
const FIRST = /^(?:settings|address|button-listeners|client-terminals|macos-and-windows|shown-ids|freedesktop)\.ts$/;

test('the registry loads the settings of each, and no more', () => {
  const loaded = closureOf('src/channels/index.ts');
  const folders = files.filter((file) => /^src\/channels\/(?!shared\/)[^/]+\/[^/]+\.ts$/.test(file));
  expect(loaded.size).toBeGreaterThan(20);
  expect(folders.length).toBeGreaterThan(30);
  const early = folders.filter((file) => loaded.has(file) && !FIRST.test(file.split('/').at(-1) ?? ''));
  expect(early).toEqual([]);
});
