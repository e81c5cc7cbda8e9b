// The contract as an OpenAPI 3.1 document: docs/contributing/service-openapi.json is written from it, never by hand.
import type * as z from 'zod';
import { schemaOf } from '../lib/json/json-schema.ts';
import { type Entry, entries } from './contract/contract.ts';
import type { Endpoint } from './contract/endpoint.ts';

type Json = Record<string, unknown>;

/** The whole document. */
export function openApi(): Json {
  const paths: Record<string, Json> = {};
  for (const entry of entries) {
    const { path, host, method } = entry.endpoint;
    paths[path] = {
      ...paths[path],
      ...(host === 'app' ? { servers: [server('app')] } : {}),
      [method.toLowerCase()]: operation(entry),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Organization analytics, administration and agent sessions',
      version: '1',
      description:
        'As docs/contributing/service-interface.md describes it. Made from the contract in src/api by `npm run openapi`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [server('base')],
    security: [{ bearer: [] }],
    tags: [...new Set(entries.map(({ resource }) => resource))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'API key; or JWT below /api/v0.' } },
    },
  };
}

const server = (host: Endpoint['host']): Json => ({
  url: `{${host}_url}`,
  variables: { [`${host}_url`]: { default: `https://${host === 'app' ? 'app' : 'api'}.example.com` } },
});

function operation({ resource, method, endpoint }: Entry): Json {
  const hasBody = Object.keys(endpoint.body.shape).length > 0;
  return {
    operationId: `${resource}.${method}`,
    tags: [resource],
    summary: endpoint.summary,
    description: description(endpoint),
    parameters: [...parameters('path', endpoint.params), ...parameters('query', endpoint.query)],
    ...(hasBody ? { requestBody: { required: true, content: content(endpoint.body) } } : {}),
    responses: {
      [endpoint.status]: { description: 'Success', content: content(endpoint.result) },
      ...Object.fromEntries(
        endpoint.failures.map((status) => [status, { description: reason(status), content: content(endpoint.error) }]),
      ),
      default: { description: 'A failure; its body may be anything.' },
    },
  };
}

function description({ section, role, auth, repeat }: Endpoint): string {
  const again = { 'any-fault': 'after any fault', 'server-fault': 'after a 5xx only', never: 'never' }[repeat];
  return [
    `Section ${section} of docs/contributing/service-interface.md.`,
    auth === 'key' ? 'Takes an API key.' : 'Takes an API key or a JWT.',
    ...(role === 'manager' ? ['Needs the role Manager or Owner.'] : []),
    `Sent again: ${again}.`,
  ].join(' ');
}

function parameters(where: 'path' | 'query', schema: z.ZodObject): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: one,
  }));
}

const content = (schema: z.ZodType): Json => ({ 'application/json': { schema: schemaOf(schema) } });

const REASONS: Readonly<Record<number, string>> = {
  400: 'Invalid request parameters',
  401: 'API key missing or invalid',
  403: 'The role is not Manager or Owner',
  500: 'Internal error',
};

const reason = (status: number): string => REASONS[status] ?? 'Failure';
