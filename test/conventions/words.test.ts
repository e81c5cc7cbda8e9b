// Names, comments and pages use the field's standard terms: the vocabulary of ARCHITECTURE.md, no private one.
import { expect, test } from 'vitest';
import { files, read, sources } from './files.ts';

/** What stands for each of these: sent, reported or notified; fix; again; session record; handler; in flight; notifying; sandbox; must. */
const PRIVATE =
  /\b(?:told|untold|telling|mend(?:s|ed|ing)?|anew|ledger|keepers?|in hand|shall|aloud|louder|loudness|stand-ins?|past the (?:outbox|routes)|let go of|lets go of|stands on|said goodbye)\b/i;

/** Migrations name what was called so before. */
const isMigration = (file: string): boolean => file.startsWith('src/store/migrations/');

const pages = files.filter((file) => /^(?:(?:README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md|docs\/.*\.md)$/.test(file));

/** Identifiers as the words they are made of: `finishedSincePrompt` is "finish Told". */
const words = (line: string): string => line.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/_/g, ' ');

const found = (file: string): string[] =>
  read(file)
    .split('\n')
    .flatMap((line, at) => {
      const word = PRIVATE.exec(words(line))?.[0];
      return word === undefined ? [] : [`${file}:${at + 1}: ${word}`];
    });

test('no private word in code and pages', () => {
  const checked = [...sources, ...pages];
  expect(checked.length).toBeGreaterThan(400);
  expect(checked.filter((file) => !isMigration(file)).flatMap(found)).toEqual([]);
});

test('no file is called by one', () => {
  expect(files.filter((file) => file.split(/[/.-]/).some((part) => PRIVATE.test(part)))).toEqual([]);
});
