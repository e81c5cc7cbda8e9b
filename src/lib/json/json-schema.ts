// Schemas as JSON Schema, for OpenAPI documents.
import * as z from 'zod';

type Json = Record<string, unknown>;

/** As callers write it (`input`) or are given it; without what is only for a command line. What JSON Schema cannot say takes anything. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output' = 'input'): Json {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      delete jsonSchema['flag'];
      // The bounds of safe integers say nothing about what is described.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return spelledOut(made) as Json;
}

/** Lists of types as alternatives: not every tool reads `type: [string, null]`. */
function spelledOut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelledOut);
  if (typeof value !== 'object' || value === null) return value;
  const { type, ...others } = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spelledOut(one)]));
  if (Array.isArray(type)) return { ...others, anyOf: type.map((one) => ({ type: one })) };
  return type === undefined ? others : { type, ...others };
}
