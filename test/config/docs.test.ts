// docs/reference/settings.md matches the schema, its example is valid, and so is the JSON Schema for editors.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderConfigDocs } from '../../.ci/config-docs.ts';
import { jsonSchema } from '../../src/config/json-schema.ts';
import { loadConfig } from '../../src/config/load.ts';
import { registries } from '../../src/config/registries.ts';

const page = readFileSync(new URL('../../docs/reference/settings.md', import.meta.url), 'utf8');

test('docs/reference/settings.md is up to date', () => {
  expect(renderConfigDocs(page), 'run `npm run docs`').toBe(page);
  expect(page).not.toMatch(/\| +\|$/m);
});

test('its example is valid', async () => {
  const [, example = ''] = /```toml\n([\s\S]*?)```/.exec(page) ?? [];
  const loaded = await loadConfig(example);
  expect(loaded.ok && loaded.warnings).toEqual([]);
});

test('every channel, agent and watch is in the JSON Schema', () => {
  const { properties } = jsonSchema(registries) as {
    properties: Record<
      string,
      {
        properties?: Record<string, unknown>;
        additionalProperties?: { anyOf: { properties: { type: { const: string } } }[] };
      }
    >;
  };
  expect(properties['channels']?.additionalProperties?.anyOf.map((one) => one.properties.type.const)).toEqual(
    registries.channels.map(({ type }) => type),
  );
  expect(Object.keys(properties['agents']?.properties ?? {})).toEqual(registries.agents.map(({ name }) => name));
  expect(Object.keys(properties['watches']?.properties ?? {})).toEqual(registries.watches.map(({ name }) => name));
});
