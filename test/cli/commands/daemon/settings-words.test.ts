// Which settings `belfry status` says are in force.
import { expect, test } from 'vitest';
import { settingsWords } from '../../../../src/cli/commands/daemon/settings-words.ts';

const [file, machine] = ['/home/u/config.toml', '/etc/belfry/config.toml'];
const [mine, theirs] = [`${file}:7:18: routes[0].to[1]: ...`, `${machine}:1:1: ...`];

test.each([
  ['file', null, '~/config.toml'],
  ['file', theirs, '~/config.toml'],
  ['defaults', null, 'the defaults (no config.toml)'],
  ['defaults', theirs, 'the defaults (no config.toml)'],
  ['defaults', mine, 'the defaults, as config.toml is invalid'],
  ['last good', mine, 'the last valid ones, as config.toml is invalid'],
] as const)('%s, with the error %s', (origin, broken, words) => {
  expect(settingsWords({ file, origin, broken, machine: null }, '~/config.toml')).toBe(words);
  expect(settingsWords({ file, origin, broken, machine }, '~/config.toml')).toBe(
    `${words}, with those of this machine in ${machine}`,
  );
});

test('an older daemon says that its broken file is in force', () => {
  expect(settingsWords({ file, origin: 'file', broken: mine, machine: null }, file)).toBe(
    'the last valid ones, as config.toml is invalid',
  );
});
