// What the schema refuses, in the words of someone who writes a settings file.
import * as z from 'zod';
import { zodMessage } from '../../lib/json/zod-messages.ts';
import { type Issue, keyOf } from '../diagnostic.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';

type ZodIssue = z.core.$ZodIssue;

/** Issues of one schema that are looked at: a list of the wrong kind has one for each of its elements. */
const MAX_ISSUES = 100;

/** The first issues of one schema, as many as a person would read; `base` is where its input is in the file, `also` names keys that are checked elsewhere. */
export function issuesOf(
  error: z.ZodError,
  schema: z.ZodType,
  input: unknown,
  base: readonly PropertyKey[] = [],
  also: readonly string[] = [],
): Issue[] {
  const first = error.issues.slice(0, MAX_ISSUES);
  return first
    .filter((issue, at) => !first.slice(0, at).some((before) => isSameOfAnotherType(before, issue)))
    .flatMap((issue) => issueOf(issue, schema, input, base, also));
}

/** The length of a text says nothing where a list is wanted, but is checked as well. */
const isSameOfAnotherType = (before: ZodIssue, { path }: ZodIssue): boolean =>
  before.code === 'invalid_type' &&
  before.path.length === path.length &&
  before.path.every((part, at) => part === path[at]);

function issueOf(
  issue: ZodIssue,
  schema: z.ZodType,
  input: unknown,
  base: readonly PropertyKey[],
  also: readonly string[],
): Issue[] {
  const path = [...base, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => {
        const known = [...keysAt(schema, issue.path), ...(issue.path.length === 0 ? also : [])];
        const message = `no such setting${didYouMean(key, known, (name) => keyOf([...path, name]))}`;
        return { path: [...path, key], point: 'key', message };
      });
    case 'invalid_union': {
      const given = valueAt(input, issue.path);
      const branches = issue.errors.filter((branch) =>
        branch.some((i) => i.path.length > 0 || i.code !== 'invalid_type'),
      );
      const branch = (Array.isArray(given) ? issue.errors.at(-1) : branches[0]) ?? issue.errors[0] ?? [];
      return branch.flatMap((inner) => {
        const whole = { ...inner, path: [...issue.path, ...inner.path] };
        return issueOf(whole, schema, input, base, also);
      });
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      const given = valueAt(input, issue.path);
      if (given === undefined)
        return [{ path, point: 'value', message: `is missing; expected one of ${values.join(', ')}` }];
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      return [{ path, point: 'value', message: `invalid value "${text}"${expected(String(given), values)}` }];
    }
    case 'invalid_type': {
      if (valueAt(input, issue.path) === undefined) return [{ path, point: 'key', message: 'is missing' }];
      return [{ path, point: 'value', message: `must be ${named(issue.expected)}` }];
    }
    default:
      return [{ path, point: 'value', message: zodMessage(issue) }];
  }
}

/** The nearest value, or all of them when there are few. */
function expected(given: string, values: readonly string[]): string {
  return didYouMean(given, values).replace(/^; known: /, '; expected ');
}

function named(expected: string): string {
  const words: Readonly<Record<string, string>> = {
    string: 'a text in quotes',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list in [ ]',
    tuple: 'a list in [ ]',
    object: 'a table',
    record: 'a table',
  };
  return words[expected] ?? expected;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Record<PropertyKey, unknown>)[part]
        : undefined,
    input,
  );
}

/** The keys an object schema has at a path of the input. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const at = schemaAt(schema, path);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** The schema of what is at a path of the input; undefined: nothing can be there. */
export function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, part) => {
    if (at instanceof z.ZodObject)
      return Object.hasOwn(at.shape, part) ? bare((at.shape as Record<PropertyKey, unknown>)[part]) : undefined;
    if (at instanceof z.ZodRecord) return bare(at.valueType);
    return at instanceof z.ZodArray ? bare(at.element) : undefined;
  }, bare(schema));
}

/** Without optional, default and the like around it. */
function bare(schema: unknown): unknown {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable
  )
    return bare(schema.unwrap());
  if (schema instanceof z.ZodPipe) return bare(schema.in);
  if (schema instanceof z.ZodUnion) return bare(schema.options[0]);
  return schema;
}
