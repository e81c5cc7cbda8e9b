// docs/contributing/service-openapi.json: written from the contract, valid for others, true of the mock service, and enough for a mock server.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Context, OpenAPIBackend } from 'openapi-backend';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entries } from '../../src/api/contract/contract.ts';
import { createClient } from '../../src/api/index.ts';
import { openApi } from '../../src/api/openapi.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { virtualClock } from '../support/clock.ts';

type Json = Record<string, unknown>;
const text = readFileSync(new URL('../../docs/contributing/service-openapi.json', import.meta.url), 'utf8');
/** Formats are checked by the contract; here they only have to be known. */
const formats = { date: true, email: true, uri: true, base64: true } as const;
const read = (): Json => JSON.parse(text) as Json;

/** An input that does for every endpoint; `known` ids are the mock's. */
function inputs(known: { computerId: string; messageId: string }): Record<string, Json> {
  const range = { startDate: '2026-05-01', endDate: '2026-05-03' };
  return {
    'analytics.tokens': range,
    'analytics.tools': range,
    'analytics.activity': range,
    'analytics.productivity': range,
    'analytics.users': { ...range, limit: 3 },
    'readinessReports.list': { limit: 2 },
    'enterpriseControls.history': { limit: 2 },
    'computers.create': { name: 'new', remoteUser: 'me' },
    'computers.update': { computerId: known.computerId, remoteUser: 'you' },
    'computers.get': { name: 'build-box' },
    'computers.list': {},
    'sessions.create': { computerId: known.computerId, sessionSettings: { model: 'm' } },
    'sessions.get': { sessionId: 'session-1' },
    'sessions.messages': { sessionId: 'session-1', limit: 3 },
    'sessions.message': { sessionId: 'session-1', messageId: known.messageId },
    'sessions.send': { sessionId: 'session-1', text: 'hello' },
    'usageLimits.set': { users: [{ email: 'nobody@example.com', limit: 1 }] },
  };
}

const named = entries.map((entry) => ({ id: `${entry.resource}.${entry.method}`, entry }));
type Methods = Record<string, Record<string, (input: Json) => Promise<unknown>>>;
/** Calls a method by its name, as the contract lists it. */
const call = (client: unknown, { resource, method }: { resource: string; method: string }, input: Json) =>
  (client as Methods)[resource]?.[method]?.(input);

test('docs/contributing/service-openapi.json is what the contract gives (else: npm run openapi)', () => {
  expect(text).toBe(`${JSON.stringify(openApi(), null, 2)}\n`);
});

test('it is valid OpenAPI 3.1 for a validator that is not ours', async () => {
  const result = await new Validator().validate(read());
  expect(result).toMatchObject({ valid: true });
});

test('it has every endpoint once', () => {
  const paths = read()['paths'] as Record<string, Record<string, { operationId?: string }>>;
  const ids = Object.values(paths).flatMap((path) => Object.values(path).flatMap((one) => one.operationId ?? []));
  expect(ids.sort()).toEqual(named.map(({ id }) => id).sort());
});

describe('the mock service answers as the document says', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ clock: virtualClock(Date.UTC(2026, 5, 1, 12)) });
  });
  afterAll(() => sandbox.close());

  test.each(named)('$id', async ({ id, entry }) => {
    const now = virtualClock(Date.UTC(2026, 5, 1, 12));
    const { baseUrl, appUrl, apiKey: key } = sandbox;
    const client = createClient({ baseUrl, appUrl, key, clock: now });
    const computerId = (await client.computers.list()).computers[0]?.id ?? '';
    const messageId = (await client.sessions.messages({ sessionId: 'session-1' })).messages[0]?.id ?? '';
    const answer = await call(client, entry, inputs({ computerId, messageId })[id] ?? {});
    const { path, method, status } = entry.endpoint;
    const operation = (read()['paths'] as Record<string, Json>)[path]?.[method.toLowerCase()] as {
      responses: Record<string, { content: Record<string, { schema: object }> }>;
    };
    const schema = operation.responses[status]?.content['application/json']?.schema ?? {};
    const ajv = new Ajv2020({ allErrors: true, strict: false, formats });
    const valid = ajv.validate(schema, answer);
    expect({ valid, errors: ajv.errors }).toEqual({ valid: true, errors: null });
  });

  test('a failure has the documented body', async () => {
    const response = await fetch(`${sandbox.baseUrl}/api/v1/analytics/tokens?startDate=2026-06-01&endDate=2026-06-01`, {
      headers: { authorization: `Bearer ${sandbox.apiKey}` },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      title: 'Bad Request',
      detail: expect.stringMatching(/^(startDate|endDate): 2026-06-01 has no data yet/),
      status: 400,
      requestId: expect.stringMatching(/^req_/),
    });
  });
});

describe('the client understands a mock server made from the document', () => {
  let mock: { readonly url: string; readonly close: () => Promise<void> };
  beforeAll(async () => {
    mock = await mockServer();
  });
  afterAll(() => mock.close());
  test.each(named)('$id', async ({ id, entry }) => {
    const { url } = mock;
    const client = createClient({ baseUrl: url, appUrl: url, key: 'k' });
    const answer = await call(client, entry, inputs({ computerId: 'c1', messageId: 'm1' })[id] ?? {});
    expect(entry.endpoint.result.safeParse(answer).success).toBe(true);
  });
});

/** A public tool that answers from the examples and types of the document, and refuses requests it does not allow. */
async function mockServer(): Promise<{ url: string; close: () => Promise<void> }> {
  // Its own check of the document knows OpenAPI 3.0 only; the one above knows 3.1.
  const mock = new OpenAPIBackend({ definition: read() as never, quick: true, ajvOpts: { strict: false, formats } });
  mock.register({
    notImplemented: (context: Context) => mock.mockResponseForOperation(context.operation.operationId ?? ''),
    validationFail: (context: Context) => ({ status: 400, mock: context.validation.errors }),
    notFound: () => ({ status: 404, mock: null }),
  });
  mock.registerSecurityHandler('bearer', () => true);
  await mock.init();
  const server = createServer(async (request, response) => {
    const { url = '/', method = 'GET', headers } = request;
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    const given = {
      method,
      path: url.replace(query, ''),
      query,
      headers: headers as Record<string, string>,
      body: await bodyOf(request),
    };
    const answer = (await mock.handleRequest(given)) as { status: number; mock: unknown };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.mock));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}
