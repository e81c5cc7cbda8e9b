// Checks an input against an endpoint's contract: for the client before it sends, for the mock when it receives.
import type * as z from 'zod';
import { zodMessage } from '../../lib/json/zod-messages.ts';
import type { Endpoint, Problem } from './endpoint.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An input taken apart, or the first thing that is wrong with it. */
export type Checked =
  | { readonly ok: true; readonly params: Fields; readonly query: Fields; readonly body: Fields }
  | { readonly ok: false; readonly problem: Problem };

/** `now`: Unix ms, for the rules about today. */
export function checkInput(endpoint: Endpoint, input: Fields, now: number): Checked {
  const schemas = { params: endpoint.params, query: endpoint.query, body: endpoint.body };
  const known = new Set(Object.values(schemas).flatMap((schema) => Object.keys(schema.shape)));
  const unknown = Object.keys(input).find((name) => input[name] !== undefined && !known.has(name));
  if (unknown !== undefined) return { ok: false, problem: { field: unknown, message: 'unknown field of this call' } };
  const parts = {
    params: pick(schemas.params, input),
    query: pick(schemas.query, input),
    body: pick(schemas.body, input),
  };
  for (const name of ['params', 'query', 'body'] as const) {
    const checked = schemas[name].safeParse(parts[name]);
    if (!checked.success) return { ok: false, problem: toProblem(checked.error.issues[0]) };
  }
  const problem = endpoint.refuse?.(input, now) ?? null;
  return problem ? { ok: false, problem } : { ok: true, ...parts };
}

function pick(schema: z.ZodObject, input: Fields): Fields {
  const names = Object.keys(schema.shape).filter((name) => input[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, input[name]]));
}

/** Where and what, of a schema's issue: field `data[0].date`, message `expected string, received undefined`. */
export function toProblem(issue: z.core.$ZodIssue | undefined): Problem {
  if (!issue) return { field: 'the whole', message: 'not as documented' };
  const path = issue.path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i ? '.' : ''}${String(part)}`));
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return {
    field: path.join('') || 'the whole',
    message: missing ? 'missing' : zodMessage(issue),
  };
}

/** A value given as text (a query, an option) as the field's schema wants it: numbers as numbers. */
export function fromText(field: z.core.$ZodType | undefined, text: string): unknown {
  return isNumber(field) && /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function isNumber(field: z.core.$ZodType | undefined): boolean {
  if (!field) return false;
  const { def } = field._zod;
  return def.type === 'number' || ('innerType' in def && isNumber(def.innerType as z.core.$ZodType));
}
