// Reads the known fields of an untrusted input: a wrong type is no error, and unknown fields are kept.
import * as z from 'zod';

/** A string cut to `most` code units; anything else is as good as absent. */
function text(most: number) {
  return z
    .string()
    .transform((value) => clean(value, most))
    .optional()
    .catch(undefined);
}

/** Ids and names. */
export const zId = text(256);
/** Paths. */
export const zPath = text(4_096);
/** A line for people. */
export const zLine = text(2_000);
/** Prose of any length that is worth showing. */
export const zProse = text(64_000);
export const zNumber = z.number().optional().catch(undefined);
/** Any JSON; its user validates it. */
export const zAny = z.unknown().optional();

/** Halves of surrogate pairs cannot be written to a socket or a database; what is cut could leave one. */
function clean(value: string, most: number): string {
  return value.slice(0, most).replace(/\p{Surrogate}/gu, '\u{FFFD}');
}

/** What {@link readFields} finds. */
export interface ReadFields<F> {
  readonly fields: F;
  /** Fields the schema does not name, and named ones of a type it cannot use; bounded in depth and size. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

/** Every field of `schema` must tolerate any value, as those of this file do. */
export function readFields<S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
  input: Readonly<Record<string, unknown>>,
): ReadFields<z.output<z.ZodObject<S>>> {
  const fields = schema.parse(input);
  const usable = new Map<string, unknown>(Object.entries(fields));
  const unknown = Object.entries(input).filter(
    ([name, value]) =>
      value !== null && (Object.hasOwn(schema.shape, name) ? usable.get(name) === undefined : name !== '__proto__'),
  );
  return { fields, unknown: limitJson(Object.fromEntries(unknown)) };
}

/** The own property when it is a string with something in it, else null. */
export function firstString(of: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = Object.hasOwn(of, name) ? of[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return clean(value, 64_000);
  }
  return null;
}

const DEPTH = 24;
const NODES = 5_000;
const TEXT = 64_000;

/** Copies an object, so that later code can walk, print and store whatever an input holds; what lies deeper, comes after the limit or is longer is replaced by a placeholder in square brackets. */
function limitJson(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let left = NODES;
  const copy = (of: unknown, depth: number): unknown => {
    if (left-- <= 0) return '[more]';
    if (typeof of === 'string') return of.length > TEXT ? `${of.slice(0, TEXT)}[more]` : of;
    if (typeof of !== 'object' || of === null) return of;
    if (depth >= DEPTH) return '[deeper]';
    return Array.isArray(of) ? few(of).map((item) => copy(item, depth + 1)) : copyObject(of, depth);
  };
  const copyObject = (of: object, depth: number): Record<string, unknown> =>
    Object.fromEntries(
      few(Object.entries(of))
        .filter(([name]) => name !== '__proto__')
        .map(([name, item]) => [name.slice(0, 256), copy(item, depth + 1)]),
    );
  const few = <T>(items: readonly T[]): readonly T[] => items.slice(0, Math.max(0, left));
  return copyObject(value, 0);
}
