// Agent sessions on a computer (sections 2.10 and 4.5 of docs/contributing/service-interface.md).
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { id, json, loose, maybe, none, openWord, pathId, word } from './fields.ts';

const settings = loose({
  model: maybe(z.string()),
  reasoningEffort: maybe(openWord),
  interactionMode: maybe(openWord),
  autonomyLevel: maybe(openWord),
  autonomyMode: maybe(openWord),
  specModeModel: maybe(z.string()),
  specModeReasoningEffort: maybe(openWord),
  providerLock: maybe(word('vendorC')),
  providerLockTimestamp: maybe(z.string()),
  apiProviderLock: maybe(word('cloudhost')),
  assistantActiveTimeMs: maybe(z.number()),
  archivedAt: maybe(z.string()),
  tags: maybe(z.array(loose({ name: z.string(), metadata: maybe(json) }))),
  enabledToolIds: maybe(z.array(z.string())),
  disabledToolIds: maybe(z.array(z.string())),
});

const answeredSettings = settings.extend({
  tokenUsage: maybe(
    loose({
      inputTokens: maybe(z.number()),
      outputTokens: maybe(z.number()),
      cacheCreationTokens: maybe(z.number()),
      cacheReadTokens: maybe(z.number()),
      thinkingTokens: maybe(z.number()),
    }),
  ),
});

const session = loose({
  sessionId: z.string(),
  status: word('idle', 'pending', 'running'),
  messageCount: z.int(),
  createdAt: z.int().meta({ description: 'Unix time in milliseconds' }),
  updatedAt: z.int().meta({ description: 'Unix time in milliseconds' }),
  title: maybe(z.string()),
  completedAt: maybe(z.int()),
  computerId: maybe(z.string()),
  sessionSettings: maybe(answeredSettings),
});

const shared = {
  host: 'base',
  result: session,
  failures: [],
  error: json,
  role: 'any',
  auth: 'key-or-jwt',
  section: '4.5',
  columns: [
    'sessionId',
    'status',
    'title',
    'messageCount',
    'computerId',
    'sessionSettings.model',
    'createdAt',
    'updatedAt',
  ],
} as const;

/** `client.sessions`, `belfry api sessions`; the messages are in messages.ts. */
export const sessions = {
  create: endpoint({
    ...shared,
    method: 'POST',
    path: '/api/v0/sessions',
    params: none,
    query: none,
    body: z.strictObject({
      computerId: id.meta({ description: 'the computer to run on' }),
      sessionSettings: settings
        .optional()
        .meta({ flag: 'settings', description: 'model, effort, autonomy and the like' }),
    }),
    status: 201,
    repeat: 'never',
    summary: 'Starts a session on a computer.',
  }),
  get: endpoint({
    ...shared,
    method: 'GET',
    path: '/api/v0/sessions/{sessionId}',
    params: z.strictObject({ sessionId: pathId }),
    query: z.strictObject({
      computerId: id.optional().meta({ description: 'that computer directly, not the session’s own' }),
    }),
    body: none,
    status: 200,
    repeat: 'any-fault',
    summary: 'A session and its status.',
  }),
};
