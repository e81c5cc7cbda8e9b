// The HTTP interface as an OpenAPI 3.1 document: served at /api/v1/openapi.json, made from the contract.
import { schemaOf } from '../../lib/json/json-schema.ts';
import { ACCESS } from '../access.ts';
import { contract } from './contract.ts';
import type { ApiEndpoint } from './endpoint.ts';
import { BASE, type EndpointName, PATHS } from './paths.ts';

type Json = Record<string, unknown>;

/** The whole document. `version`: Belfry's. */
export function interfaceDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const name of Object.keys(PATHS) as EndpointName[]) {
    const [method = '', pattern = ''] = PATHS[name].split(' ');
    const path = pattern.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, contract[name]()) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Belfry',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'What every agent is doing, what waits for you and why you were notified. A write needs `content-type: application/json` and the header `x-belfry: 1`. `GET /stream` tells what changes, as server-sent events.',
    },
    servers: [{ url: BASE }],
    security: [{ bearer: [] }],
    tags: [...new Set(Object.keys(PATHS).map((name) => name.split('.')[0]))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token of `belfry token add`, or of the page.' },
      },
      schemas: { Problem: PROBLEM },
    },
  };
}

const PROBLEM: Json = {
  type: 'object',
  description: 'RFC 9457: `detail` says what to do.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
  },
  required: ['type', 'title', 'status', 'detail'],
};

const COMMON = {
  400: 'The request is not valid',
  401: 'The token is missing or wrong',
  403: 'The token may not do this',
  404: 'There is no such thing',
  429: 'Too many requests',
} as const;

function operation(name: EndpointName, endpoint: ApiEndpoint): Json {
  const { summary, params, query, body, result, failures = {} } = endpoint;
  const { scope, open } = ACCESS[name];
  const [resource = ''] = name.split('.');
  const hasBody = Object.keys(body.shape).length > 0;
  const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const failed = Object.entries({ ...COMMON, ...failures });
  return {
    operationId: name,
    tags: [resource],
    summary,
    description:
      open !== undefined
        ? 'Needs no token on a loopback address.'
        : scope === 'page'
          ? 'For the page of `belfry dashboard` only.'
          : `Scope: ${scope}.`,
    ...(open !== undefined ? { security: [] } : {}),
    parameters: [...parameters('path', params), ...parameters('query', query)],
    ...(hasBody
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } } }
      : {}),
    responses: {
      200: { description: 'Success', content: { 'application/json': { schema: schemaOf(result(), 'output') } } },
      ...Object.fromEntries(failed.map(([status, description]) => [status, { description, content: problem }])),
    },
  };
}

function parameters(where: 'path' | 'query', schema: ApiEndpoint['params']): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: one,
  }));
}
