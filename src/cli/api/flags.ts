// Options and arguments from an endpoint's fields, and back: names, kinds, texts into values.
import type * as z from 'zod';
import { fromText } from '../../api/contract/check-input.ts';
import type { Endpoint } from '../../api/contract/endpoint.ts';

/** A field as the command line sees it. */
export interface Flag {
  /** The contract's name. */
  readonly field: string;
  /** `--start-date`. */
  readonly flag: string;
  readonly kind: 'text' | 'list' | 'json';
  readonly schema: z.core.$ZodType;
}

/** `readinessReports`, `group_by` -> `readiness-reports`, `group-by`. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');

/** The query and body fields of an endpoint as options. */
export function flagsOf(endpoint: Endpoint): Flag[] {
  return Object.entries({ ...endpoint.query.shape, ...endpoint.body.shape }).map(([field, schema]) => ({
    field,
    flag: `--${flagName(field, schema)}`,
    kind: kindOf(schema),
    schema,
  }));
}

/** What the help says of a field: its description, or the values it may have. */
export function wordsOf(schema: z.core.$ZodType): string {
  if ('description' in schema && typeof schema.description === 'string') return schema.description;
  const { def } = schema._zod;
  if ('entries' in def) return Object.values(def.entries as Record<string, string>).join(' or ');
  return 'innerType' in def ? wordsOf(def.innerType as z.core.$ZodType) : '';
}

/** The path parameters of an endpoint as arguments: `ID`, then the names of the others. */
export function argumentsOf(endpoint: Endpoint): { field: string; label: string }[] {
  return [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, field = ''], i) => ({
    field,
    label: field.endsWith('Id') ? (i === 0 ? 'ID' : field.slice(0, -2).toUpperCase()) : field.toUpperCase(),
  }));
}

/** An option's text as its field's value. */
export function fieldValue(flag: Flag, given: unknown): unknown {
  if (typeof given === 'string' && flag.kind === 'text') return fromText(flag.schema, given);
  return given;
}

/** A message of the contract's check with the option's name for the field's: `repos[1]` -> `--repo`. */
export function inFlags(endpoint: Endpoint, field: string): string {
  const [first = field] = field.split(/[.[]/);
  const flag = flagsOf(endpoint).find((one) => one.field === first)?.flag;
  const argument = argumentsOf(endpoint).find((one) => one.field === first)?.label;
  return flag ?? argument ?? field;
}

function flagName(field: string, schema: z.core.$ZodType): string {
  const named =
    'meta' in schema && typeof schema.meta === 'function' ? (schema as z.ZodType).meta()?.['flag'] : undefined;
  return typeof named === 'string' ? named : kebab(field);
}

function kindOf(schema: z.core.$ZodType): Flag['kind'] {
  const { def } = schema._zod;
  if (def.type === 'array') return 'list';
  if (def.type === 'object') return 'json';
  return 'innerType' in def ? kindOf(def.innerType as z.core.$ZodType) : 'text';
}
