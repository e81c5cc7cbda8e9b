// Which of two builds is the newer one: never both, so that two installations do not replace each other in turn.
import { expect, test } from 'vitest';
import { type BuiltVersion, isNewer } from '../../src/runtime/build-id.ts';

const of = (version: string, at?: number, id = `${version} ${at}`): BuiltVersion => ({
  version,
  build: at === undefined ? null : { id, at },
});

test.each<[string, BuiltVersion, BuiltVersion]>([
  ['version', of('0.1.10', 1), of('0.1.9', 2)],
  ['release after its pre-release', of('1.0.0', 1), of('1.0.0-beta.2', 2)],
  ['pre-release', of('1.0.0-beta.10', 1), of('1.0.0-beta.2', 2)],
  ['build', of('0.1.0', 2), of('0.1.0', 1)],
  ['build that says what it is', of('0.1.0', 1), of('0.1.0')],
  ['release than the sources', of('0.1.0'), of('0.0.0-source')],
  ['version than none', of('0.1.0'), of('unknown', 5)],
])('a newer %s', (_name, newer, older) => {
  expect(isNewer(newer, older)).toBe(true);
  expect(isNewer(older, newer)).toBe(false);
});

test.each<[string, BuiltVersion, BuiltVersion]>([
  ['the same build, built again', of('0.1.0', 2, 'x'), of('0.1.0', 1, 'x')],
  ['builds of the same moment', of('0.1.0', 1, 'x'), of('0.1.0', 1, 'y')],
  ['two that say nothing', of('0.1.0'), of('0.1.0')],
  ['no versions at all', of('unknown'), of('')],
])('neither of %s is newer', (_name, a, b) => {
  expect(isNewer(a, b)).toBe(false);
  expect(isNewer(b, a)).toBe(false);
});
