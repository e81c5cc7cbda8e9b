// The typed client of the HTTP interface, for the page: fetch and nothing else.
import type { ApiInput, ApiResult } from './contract.ts';
import { BASE, type EndpointName, PATHS } from './paths.ts';

/** A problem document (RFC 9457), as every failure is answered. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Of a question that somebody else has answered. */
  readonly answered_by?: string;
  /** Of the organization's service: what went wrong there. */
  readonly kind?: string;
  /** Of rules: what is wrong with them. */
  readonly errors?: ApiResult<'rules.preview'>['errors'];
  /** What is asked now, where an answer was to something else. */
  readonly question?: ApiResult<'questions.list'>['questions'][number];
}

/** The interface refused a request, or did not answer (status 0). */
export class InterfaceError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Calls an endpoint by its name; throws only InterfaceError. */
export type Call = <K extends EndpointName>(name: K, input: ApiInput<K>, signal?: AbortSignal) => Promise<ApiResult<K>>;

/** What it is given: where, and with which token (null: none yet). What `token` throws a call throws. */
export interface ClientOptions {
  /** Origin, or empty for the page's own. */
  readonly origin: string;
  readonly token: () => string | null | Promise<string | null>;
  readonly fetch?: typeof fetch;
}

/** A client; what the path needs is taken out of the input, the rest is the query or the body. */
export function createInterfaceClient({ origin, token, fetch: send = fetch }: ClientOptions): Call {
  return async (name, input, signal) => {
    const request = requestOf(name, input as object); // every part is an object
    const held = await token();
    let response: Response;
    try {
      response = await send(`${origin}${BASE}${request.path}`, {
        method: request.method,
        headers: {
          accept: 'application/json',
          ...(held === null ? {} : { authorization: `Bearer ${held}` }),
          ...(request.body === null ? {} : { 'content-type': 'application/json', 'x-belfry': '1' }),
        },
        body: request.body,
        signal: signal ?? null,
      });
    } catch (error) {
      throw new InterfaceError({ status: 0, title: 'no answer', detail: `Belfry does not answer: ${String(error)}` });
    }
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer as ApiResult<typeof name>; // what the contract's server sends
    throw new InterfaceError(problemOf(response, answer));
  };
}

interface Request {
  readonly method: string;
  readonly path: string;
  /** Null: none, as of a GET. */
  readonly body: string | null;
}

/** Method, path with its query, and body of a call. */
export function requestOf(name: EndpointName, input: object): Request {
  const [method = '', pattern = ''] = PATHS[name].split(' ');
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = pattern.replace(/:(\w+)/g, (_, key: string) => {
    const value = String(rest.get(key) ?? '');
    rest.delete(key);
    return encodeURIComponent(value);
  });
  if (method !== 'GET') return { method, path, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams([...rest].map(([key, value]): [string, string] => [key, String(value)])).toString();
  return { method, path: query === '' ? path : `${path}?${query}`, body: null };
}

function problemOf({ status, statusText }: Response, answer: unknown): Problem {
  const said = typeof answer === 'object' && answer !== null ? (answer as Partial<Problem>) : {};
  return { title: statusText, detail: `Belfry answered ${status}`, ...said, status };
}
