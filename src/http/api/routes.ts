// Routes made from the contract: what a request says is read by its schemas before a handler sees it.
import type * as z from 'zod';
import { parseJson } from '../../lib/json/json.ts';
import { isLoopbackPeer } from '../../lib/net/listen-address.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { jsonReply, problemReply } from '../problem.ts';
import type { HttpReply, HttpRequest, HttpRoute } from '../route.ts';
import type { TokenIdentity } from '../tokens.ts';
import type { Place } from '../page-bearer.ts';
import { type ApiCall, type ApiResult, contract } from './contract.ts';
import type { ApiEndpoint } from './endpoint.ts';
import { BASE, type EndpointName, PATHS } from './paths.ts';
import { Refusal } from './refusal.ts';

/** Who asks. */
export interface Caller {
  /** Null where the endpoint is open. */
  readonly token: TokenIdentity | null;
  /** From this machine. */
  readonly local: boolean;
  /** Where it found us. */
  readonly place: Place;
  /** Fires when it waits for no answer any more. */
  readonly gone: AbortSignal;
}

/** What serves the endpoints: a value of the result, or its JSON as it was made elsewhere. Throws Refusal or UserError. */
export type Handlers = {
  readonly [K in EndpointName]: (call: ApiCall<K>, caller: Caller) => Promise<ApiResult<K> | Buffer>;
};

type AnyHandler = (call: unknown, caller: Caller) => Promise<unknown>;

/** A route for each endpoint. */
export function apiRoutes(handlers: Handlers): readonly HttpRoute[] {
  return (Object.keys(PATHS) as EndpointName[]).map((name) => {
    const [method, path] = PATHS[name].split(' ') as [HttpRoute['method'], string];
    let endpoint: ApiEndpoint | null = null;
    return {
      name,
      method,
      path: `${BASE}${path}`,
      // The table's type says that handler and endpoint of one name belong together.
      handle: (request) => {
        endpoint ??= contract[name]();
        return serve(endpoint, handlers[name] as AnyHandler, request);
      },
    };
  });
}

async function serve(endpoint: ApiEndpoint, handler: AnyHandler, request: HttpRequest): Promise<HttpReply> {
  const body = request.body.byteLength === 0 ? {} : parseJson(request.body.toString());
  if (body === undefined) return problemReply(400, 'the body must be JSON');
  const parts = [
    ['params', request.params],
    ['query', Object.fromEntries(request.query)],
    ['body', body],
  ] as const;
  const call: Record<string, unknown> = {};
  for (const [part, value] of parts) {
    const found = endpoint[part].safeParse(value);
    if (!found.success) return problemReply(400, complaint(part, endpoint[part], found.error));
    call[part] = found.data;
  }
  try {
    const answer = await handler(call, {
      token: request.token,
      local: isLoopbackPeer(request.peer),
      place: request.place,
      gone: request.gone,
    });
    if (Buffer.isBuffer(answer)) return { status: 200, headers: { 'content-type': 'application/json' }, body: answer };
    return jsonReply(200, answer);
  } catch (error) {
    if (error instanceof Refusal) return problemReply(error.status, error.message, {}, error.more);
    if (error instanceof UserError) return problemReply(statusOf(error), error.message);
    throw error;
  }
}

/** Names the field; nothing of the request is repeated. */
function complaint(part: string, { shape }: z.ZodObject, { issues }: z.ZodError): string {
  const [issue] = issues;
  const where = issue?.path.join('.') ?? '';
  const named = where === '' ? `the ${part}` : `${part === 'params' ? 'path' : part}: ${where}`;
  if (issue?.code === 'unrecognized_keys') return `${named} has a field that is not known`;
  const [field = ''] = issue?.path ?? [];
  const wanted = shape[String(field)]?.meta()?.description;
  return `${named} is not valid${wanted === undefined ? '' : ` (${wanted})`}`;
}

function statusOf({ exit }: UserError): number {
  if (exit === EXIT.notFound) return 404;
  if (exit === EXIT.usage) return 400;
  return exit === EXIT.auth ? 403 : 409;
}
