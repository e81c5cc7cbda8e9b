// The mock service over HTTP: a route an endpoint of the contract, with its key, role and input checks.
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Context } from 'hono';
import { checkInput, fromText } from '../api/contract/check-input.ts';
import { type Entry, entries } from '../api/contract/contract.ts';
import type { Endpoint } from '../api/contract/endpoint.ts';
import type { Keys } from './api-keys.ts';
import { type Handlers, Refusal } from './service.ts';

/** Path below the server that stands for the other of the service's two addresses. */
export const APP_PREFIX = '/app';

const MOST_BYTES = 40_000_000;

export interface Surroundings {
  readonly handlers: Handlers;
  readonly keys: Keys;
  readonly now: () => number;
  /** Runs before each request; throws the failure to answer with. */
  readonly trouble: () => Promise<void>;
}

/** The whole service as a Hono application. */
export function appOf(at: Surroundings): Hono {
  const app = new Hono();
  let requests = 0;
  const refuse = ({ status, title, message, headers }: Refusal): Response => {
    const requestId = `req_${(++requests).toString(16).padStart(8, '0')}`;
    const said = { ...headers, 'content-type': 'application/json', 'x-request-id': requestId };
    return new Response(JSON.stringify({ title, detail: message, status, requestId }), { status, headers: said });
  };
  app.use(bodyLimit({ maxSize: MOST_BYTES }));
  for (const entry of entries) {
    const { endpoint } = entry;
    const path = `${endpoint.host === 'app' ? APP_PREFIX : ''}${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`;
    app.on(endpoint.method, path, async (c) => {
      await at.trouble();
      authorize(endpoint, at.keys, c.req.header('authorization'));
      const input = await readInput(endpoint, c);
      const checked = checkInput(endpoint, input, at.now());
      if (!checked.ok) throw new Refusal(400, 'Bad Request', `${checked.problem.field}: ${checked.problem.message}`);
      return c.json(handlerOf(at.handlers, entry)(input), endpoint.status);
    });
  }
  app.notFound((c) => refuse(new Refusal(404, 'Not Found', `nothing at ${c.req.method} ${c.req.path}`)));
  app.onError((error) =>
    refuse(error instanceof Refusal ? error : new Refusal(500, 'Internal Server Error', error.message)),
  );
  return app;
}

function authorize(endpoint: Endpoint, keys: Keys, header: string | undefined): void {
  const given = /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
  const known =
    given === keys.apiKey || given === keys.memberKey || (given === keys.jwt && endpoint.auth === 'key-or-jwt');
  if (!known) throw new Refusal(401, 'Unauthorized', 'the API key is missing or invalid');
  if (endpoint.role === 'manager' && given === keys.memberKey)
    throw new Refusal(403, 'Forbidden', 'this needs the role Manager or Owner');
}

/** Path, query and body as one object, texts turned into what the contract wants. */
async function readInput(endpoint: Endpoint, c: Context): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(c.req.query()))
    if (name in endpoint.query.shape) input[name] = fromText(endpoint.query.shape[name], value);
  if (Object.keys(endpoint.body.shape).length > 0) Object.assign(input, await readBody(c));
  return { ...input, ...c.req.param() };
}

async function readBody(c: Context): Promise<object> {
  const body: unknown = await c.req.json().catch(() => null);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal(400, 'Bad Request', 'the body must be a JSON object');
  return body;
}

/** The table of handlers has every endpoint of the contract, so the look-up cannot fail. */
function handlerOf(handlers: Handlers, entry: Entry): (input: unknown) => object {
  const table = handlers as unknown as Record<string, Record<string, (input: unknown) => object>>;
  const handler = table[entry.resource]?.[entry.method];
  if (!handler) throw new Error(`the sandbox lacks ${entry.resource}.${entry.method}`);
  return handler;
}
