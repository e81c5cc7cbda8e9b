// Every channel, agent and watch is in the JSON Schema for editors.
import { expect, test } from 'vitest';
import { jsonSchema } from '../../src/config/json-schema.ts';
import { registries } from '../../src/config/registries.ts';

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
