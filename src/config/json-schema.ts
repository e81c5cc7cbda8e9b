// JSON Schema of config.toml, for editors: made from the same schemas that check the file.
import * as z from 'zod';
import type { Registries } from './registries.ts';
import { fileSchema } from './schema.ts';

type Json = Record<string, unknown>;

/** The schema of the whole file, with each registered channel, agent and watch. */
export function jsonSchema(registries: Registries): Json {
  const whole = of(fileSchema);
  const properties = whole['properties'] as Json; // an object schema has properties
  const agent = (properties['agents'] as Json)['additionalProperties'];
  return {
    ...whole,
    title: 'belfry config.toml',
    properties: {
      ...properties,
      agents: named(Object.fromEntries(registries.agents.map(({ name }) => [name, agent]))),
      channels: { type: 'object', additionalProperties: { anyOf: registries.channels.map(channelSchema) } },
      watches: named(Object.fromEntries(registries.watches.map(({ name, schema }) => [name, of(schema)]))),
    },
  };
}

function channelSchema({ type, schema, docs }: Registries['channels'][number]): Json {
  const own = of(schema);
  return {
    ...own,
    description: docs.summary,
    properties: { type: { const: type }, ...(own['properties'] as Json | undefined) },
    required: ['type', ...((own['required'] as string[] | undefined) ?? [])],
    additionalProperties: false,
  };
}

function named(properties: Json): Json {
  return { type: 'object', properties, additionalProperties: false };
}

function of(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      if (made['secret'] !== true) return;
      delete made['secret'];
      made.writeOnly = true; // the standard's word for what is not shown
    },
  });
  return rest;
}
