// docs/guide/watches.md says of each watch what the registry says, and every example is valid.
import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { watches } from '../../../src/sources/watches/index.ts';

const page = readFileSync(new URL('../../../docs/guide/watches.md', import.meta.url), 'utf8');

test.each(watches.map((watch) => [watch.name, watch] as const))('%s', (name, watch) => {
  expect(page).toContain(`| \`[watches.${name}]\` | ${watch.docs.summary} |`);
  expect(watch.schema.safeParse(parse(watch.docs.example)).error).toBeUndefined();
  expect(watch.schema.safeParse({}).error).toBeUndefined();
  expect(watch.schema.safeParse({ evry: '10m' }).success).toBe(false);
});
