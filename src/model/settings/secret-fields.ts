// Secrets in settings, found by what their schema marks with `.meta({ secret: true })`, however deep they are.
import * as z from 'zod';

/** One secret, and where it is in the settings. */
export interface SecretField {
  readonly path: readonly (string | number)[];
  readonly value: string;
  /** It need not be a secret: whoever writes it down as it is may well mean that. */
  readonly mayBeLiteral?: true;
}

/** Every text that the schema marks as a secret. */
export function secretFields(schema: unknown, value: unknown, path: SecretField['path'] = []): SecretField[] {
  if (value === undefined || value === null) return [];
  if (isSecret(schema)) {
    const found = textsIn(value, path);
    return mayBeLiteral(schema) ? found.map((field) => ({ ...field, mayBeLiteral: true })) : found;
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => secretFields(option, value, path));
  const inner = unwrapped(schema);
  if (inner !== null) return secretFields(inner, value, path);
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) =>
    secretFields(schemaAt(schema, key), item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Every text, wherever it is. */
export function textsIn(value: unknown, path: SecretField['path'] = []): SecretField[] {
  if (typeof value === 'string') return [{ path, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    textsIn(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** The same settings with another text there. */
export function withFieldAt(settings: unknown, path: SecretField['path'], text: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  if (Array.isArray(settings)) return settings.map((item, i) => (i === key ? withFieldAt(item, rest, text) : item));
  const fields = settings as Readonly<Record<string, unknown>>; // by the path, which came from the same settings
  return { ...fields, [key]: withFieldAt(fields[key], rest, text) };
}

function isSecret(schema: unknown): boolean {
  return schema instanceof z.ZodType && schema.meta()?.['secret'] === true;
}

function mayBeLiteral(schema: unknown): boolean {
  return schema instanceof z.ZodType && schema.meta()?.['literal'] === true;
}

/** What is within optional, default, a transformation and the like. */
function unwrapped(schema: unknown): unknown {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable
  )
    return schema.unwrap();
  return schema instanceof z.ZodPipe ? schema.in : null;
}

function schemaAt(schema: unknown, key: string): unknown {
  if (schema instanceof z.ZodObject) return (schema.shape as Record<string, unknown>)[key];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : null;
}
