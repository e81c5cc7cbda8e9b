// From a caller's input to what is sent: checked against the contract, before anything leaves the machine.
import type * as z from 'zod';
import { issueLine } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import { ApiError } from './errors.ts';

/** The parts of a request, checked. */
export interface Parts {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Null: the request has no body. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** Splits and checks an input; throws `invalid-input` with the first field that must fail. */
export function toParts(endpoint: Endpoint, input: Readonly<Record<string, unknown>>, now: number): Parts {
  const parts = [endpoint.params, endpoint.query, endpoint.body].map((schema) => part(schema, input));
  const [params = {}, query = {}, body = {}] = parts;
  const known = new Set(
    [endpoint.params, endpoint.query, endpoint.body].flatMap((schema) => Object.keys(schema.shape)),
  );
  const unknown = Object.keys(input).find((name) => input[name] !== undefined && !known.has(name));
  if (unknown !== undefined) throw refused(`${unknown}: not a field of this call`);
  const problem = endpoint.refuse?.(input, now);
  if (problem) throw refused(`${problem.field}: ${problem.message}`);
  return {
    path: endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name]))),
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    body: Object.keys(endpoint.body.shape).length > 0 ? body : null,
  };
}

function part(schema: z.ZodObject, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own = Object.fromEntries(
    Object.keys(schema.shape)
      .filter((name) => input[name] !== undefined)
      .map((name) => [name, input[name]]),
  );
  const checked = schema.safeParse(own);
  if (!checked.success) throw refused(issueLine(checked.error.issues[0]));
  return own;
}

const refused = (line: string): ApiError => new ApiError('invalid-input', `${line}; nothing was sent`);

/** The service's address plus a path; prefix and trailing slash of the address are fine. */
export function toUrl(address: string | undefined, parts: Pick<Parts, 'path' | 'query'>, setting: string): URL {
  const base = address !== undefined && URL.canParse(address) ? new URL(address) : null;
  if (!base || !/^https?:$/.test(base.protocol) || base.username || base.password || base.search || base.hash)
    throw new ApiError(
      'invalid-input',
      `${setting} must be the service's address, such as https://api.example.com; nothing was sent`,
    );
  const query = new URLSearchParams(parts.query).toString();
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}${parts.path}${query ? `?${query}` : ''}`);
}

/** The key as a header's value; refuses one that no header can carry, without repeating it. */
export function bearer(key: string | undefined): string {
  const trimmed = key?.trim() ?? '';
  if (trimmed === '')
    throw new ApiError(
      'unauthenticated',
      'no API key: set BELFRY_API_KEY, or `key` below [api] in config.toml; nothing was sent',
    );
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw new ApiError('unauthenticated', 'the API key has characters no key has: copy it again; nothing was sent');
  return `Bearer ${trimmed}`;
}
