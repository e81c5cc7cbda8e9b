// From a caller's input to what is sent: checked against the contract, before anything leaves the machine.
import { checkInput } from '../contract/check-input.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { ApiError } from './errors.ts';

/** The parts of a request, checked. */
export interface Parts {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Null: the request has no body. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** Checks an input and splits it into the request's parts; throws `invalid-input` with the first field that must fail. */
export function toParts(endpoint: Endpoint, input: Readonly<Record<string, unknown>>, now: number): Parts {
  const checked = checkInput(endpoint, input, now);
  if (!checked.ok)
    throw new ApiError('invalid-input', `${checked.problem.field}: ${checked.problem.message}; nothing was sent`);
  const { params, query, body } = checked;
  return {
    path: endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name]))),
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    body: Object.keys(endpoint.body.shape).length > 0 ? body : null,
  };
}

/** The service's address plus a path; prefix and trailing slash of the address are fine. */
export function toUrl(address: string | undefined, parts: Pick<Parts, 'path' | 'query'>, setting: string): URL {
  if (!address)
    throw new ApiError(
      'invalid-input',
      `no address of the service: set BELFRY_API_${setting.toUpperCase()}, or \`${setting}\` below [api] in config.toml; nothing was sent`,
    );
  const base = URL.canParse(address) ? new URL(address) : null;
  if (!base || !/^https?:$/.test(base.protocol) || base.username || base.password || base.search || base.hash)
    throw new ApiError(
      'invalid-input',
      `${setting} must be the service's address, such as https://api.example.com; nothing was sent`,
    );
  const query = new URLSearchParams(parts.query).toString();
  return new URL(`${base.origin}${base.pathname.replace(/(?<!\/)\/+$/, '')}${parts.path}${query ? `?${query}` : ''}`);
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
