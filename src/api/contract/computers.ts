// Computers: the machines sessions run on (sections 2.9 and 4.4 of docs/contributing/service-interface.md).
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { json, loose, maybe, none, pathId, pathText, text, word } from './fields.ts';

const step = loose({
  id: z.string(),
  name: maybe(z.string()),
  status: maybe(word('pending')),
  error: maybe(z.string()),
  startedAt: maybe(z.number()),
  completedAt: maybe(z.number()),
});

const computer = loose({
  id: z.string(),
  name: z.string(),
  providerType: word('byom', 'hosted'),
  createdAt: z.number(),
  hostname: maybe(z.string()),
  status: maybe(word('provisioning', 'active', 'error')),
  provisioningSteps: maybe(z.array(step)),
  relayClientUrl: maybe(z.string()),
  relayAgentUrl: maybe(z.string()),
  remoteUser: maybe(z.string()),
});

/** The step that failed and why, the one that is under way, or that all are done. */
function stepsInWords(value: unknown): string {
  const steps = z.array(step).parse(value);
  const title = (one: z.output<typeof step>): string => one.name ?? one.id;
  const failed = steps.find((one) => one.error);
  if (failed) return `${title(failed)}: ${failed.error}`;
  const done = steps.filter((one) => one.completedAt !== undefined && one.completedAt !== null).length;
  const now = steps.find((one) => one.startedAt && !one.completedAt) ?? steps.find((one) => !one.completedAt);
  if (now) return `${title(now)}${now.status ? ` ${now.status}` : ''}, ${done} of ${steps.length} done`;
  return steps.length === 0 ? '' : `all ${steps.length} done`;
}

const name = text(1, 63).meta({ description: '1 to 63 characters' });

const shared = {
  host: 'base',
  query: none,
  result: computer,
  failures: [],
  error: json,
  role: 'any',
  auth: 'key-or-jwt',
  section: '4.4',
  columns: ['name', 'status', 'id', 'provisioningSteps', 'providerType', 'remoteUser', 'createdAt', 'hostname'],
  show: { provisioningSteps: stepsInWords },
} as const;

/** `client.computers`, `belfry api computers`. */
export const computers = {
  create: endpoint({
    ...shared,
    method: 'POST',
    path: '/api/v0/computers',
    params: none,
    body: z.strictObject({
      name,
      remoteUser: name,
      provider: z.enum(['byom', 'hosted']).optional(),
      repos: z
        .array(
          z
            .url('must be a URL')
            .max(2048)
            .refine((url) => [...url].length <= 2048),
        )
        .max(20, 'must be at most 20')
        .optional()
        .meta({ flag: 'repo', description: 'a repository to check out, as a URL' }),
    }),
    status: 201,
    repeat: 'never',
    summary: 'Creates a computer; it is provisioned after the answer.',
  }),
  update: endpoint({
    ...shared,
    method: 'PATCH',
    path: '/api/v0/computers/{computerId}',
    params: z.strictObject({ computerId: pathId }),
    body: z.strictObject({ name: name.optional(), remoteUser: name.optional() }),
    status: 200,
    repeat: 'never',
    summary: 'Changes a computer’s name or user.',
  }),
  get: endpoint({
    ...shared,
    method: 'GET',
    path: '/api/v0/computers/name/{name}',
    params: z.strictObject({ name: pathText(63) }),
    body: none,
    status: 200,
    repeat: 'any-fault',
    summary: 'A computer by its name.',
  }),
  list: endpoint({
    ...shared,
    method: 'GET',
    path: '/api/v0/computers',
    params: none,
    body: none,
    status: 200,
    result: loose({ computers: z.array(computer) }),
    repeat: 'any-fault',
    rows: 'computers',
    rest: { column: 'provisioningSteps', lines: 3 },
    time: { field: 'createdAt', newestFirst: false },
    summary: 'All computers.',
  }),
};
