// What transcripts tell, by records as the clients wrote them (Codex 0.169.0, Droid 0.225.2, Qwen 0.15.10, Gemini 0.61.0, against a service that refuses).
import { expect, it } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';

const codex = (payload: Record<string, unknown>) => ({ timestamp: '2026-11-22T07:23:53Z', type: 'event_msg', payload });
const STARTED = codex({ type: 'task_started', turn_id: 't1' });
const REFUSED = {
  message: 'unexpected status 401 Unauthorized: invalid x-api-key, url: http://127.0.0.1/v1/responses',
  codex_error_info: { http_connection_failed: { http_status_code: 401 } },
};
const droid = (role: string, text: string, more: Record<string, unknown> = {}) => ({
  type: 'message',
  id: 'm1',
  message: { role, content: [{ type: 'text', text }], ...more },
});
const BYOK = droid('user', 'BYOK Error: 401 {"type":"error"}\n\nIf this persists', { visibility: 'user_only' });
const OUTCOME = { type: 'agent_turn_outcome', turnId: 't', reason: 'model_authentication_failed', resultKind: 'text' };
const qwen = (more: Record<string, unknown>) => ({
  type: 'system',
  uuid: 'u1',
  subtype: 'ui_telemetry',
  systemPayload: { uiEvent: { 'event.name': 'qwen-code.api_error', ...more } },
});

const copilot = (type: string, data: object = {}, more: object = {}) => ({
  type,
  data,
  id: 'r1',
  timestamp: '2026-11-23T18:07:40.905Z',
  ...more,
});
const COPILOT_REFUSED = copilot('session.error', {
  errorType: 'authentication',
  message: 'Authentication failed with provider (HTTP 401).',
  statusCode: 401,
});
const REWOUND = copilot('session.usage_checkpoint', {
  promptCacheBreakState: [{ conversation: 'main', pendingRewriteSources: ['rewind'] }],
});

const ASKED = { type: 'user', id: 'u1', content: [{ text: 'Check the login' }] };
const ANSWERED = { type: 'gemini', id: 'g1', content: 'All tests pass.' };
const REFUSAL = '[API Error: {"error":{"code":401,"message":"API key not valid","status":"UNAUTHENTICATED"}}]';
const gemini = (type: string, content: string) => ({ type, id: 'e1', timestamp: '2026-11-22T10:48:01.133Z', content });
const SET = { $set: { lastUpdated: '2026-11-22T10:48:01.133Z', messages: [ASKED] } };

it.each<[agent: string, name: string, expected: string | null, records: readonly unknown[]]>([
  [
    'codex',
    'a request refused',
    'failed auth',
    [STARTED, codex({ type: 'task_complete', turn_id: 't1', error: REFUSED })],
  ],
  ['codex', 'an error record of older versions', 'failed auth', [STARTED, codex({ type: 'error', ...REFUSED })]],
  [
    'codex',
    'a usage limit',
    'failed rate-limit',
    [codex({ type: 'error', message: 'You have hit it', codex_error_info: 'usage_limit_exceeded' })],
  ],
  ['codex', 'an interruption', 'interrupted', [STARTED, codex({ type: 'turn_aborted', reason: 'interrupted' })]],
  [
    'codex',
    'a finish',
    null,
    [codex({ type: 'error', ...REFUSED }), STARTED, codex({ type: 'task_complete', error: null })],
  ],
  ['codex', 'a new turn after a failure', null, [codex({ type: 'error', ...REFUSED }), STARTED]],
  ['codex', 'a form that it does not know', null, [{ event: 'error' }, 7, null, 'x', []]],
  ['copilot', 'a request refused', 'failed auth', [copilot('user.message'), COPILOT_REFUSED, copilot('hook.start')]],
  [
    'copilot',
    'a quota',
    'failed rate-limit',
    [copilot('session.error', { errorType: 'rate_limit', message: '429 You have exceeded it.', statusCode: 429 })],
  ],
  [
    'copilot',
    'an interruption',
    'interrupted',
    [copilot('user.message'), copilot('abort', { reason: 'user_initiated' })],
  ],
  ['copilot', 'a prompt taken back', 'interrupted', [copilot('session.start'), REWOUND, copilot('hook.start')]],
  [
    'copilot',
    'a checkpoint of another kind',
    null,
    [copilot('session.usage_checkpoint', { promptCacheBreakState: 7 })],
  ],
  ['copilot', 'a new request after a failure', null, [COPILOT_REFUSED, copilot('user.message')]],
  ['copilot', "a subagent's failure", null, [copilot('user.message'), { ...COPILOT_REFUSED, agentId: 'a1' }]],
  [
    'copilot',
    'a form that it does not know',
    null,
    [{ type: 'abort' }, { type: 'session.error', agentId: 1 }, 7, null, []],
  ],
  ['droid', 'an error of the service', 'failed auth', [droid('user', 'Check it'), BYOK, OUTCOME]],
  ['droid', 'an answer after it', null, [BYOK, droid('assistant', 'Done')]],
  ['droid', 'a new request after it', null, [BYOK, droid('user', 'Again')]],
  ['droid', 'a request that only quotes one', null, [droid('user', 'BYOK Error: 401, what is that?')]],
  ['qwen', 'a request refused', 'failed auth', [{ type: 'user' }, qwen({ error_message: 'no', status_code: 401 })]],
  [
    'gemini',
    'a request refused',
    'failed auth',
    [ASKED, SET, gemini('error', REFUSAL), SET, gemini('info', 'This request failed. Press F12 for diagnostics')],
  ],
  [
    'gemini',
    'a limit',
    'failed rate-limit',
    [ASKED, gemini('error', '[API Error: You exhausted your quota (Status: RESOURCE_EXHAUSTED), 429]')],
  ],
  ['gemini', 'cancelled', 'interrupted', [ANSWERED, ASKED, gemini('info', 'Request cancelled.'), SET]],
  ['gemini', 'cancelled before the model was asked', 'interrupted', [gemini('info', 'Request cancelled.'), ASKED, SET]],
  ['gemini', 'a request after that one', null, [gemini('info', 'Request cancelled.'), ASKED, ASKED]],
  ['gemini', 'a new request after a failure', null, [gemini('error', REFUSAL), ASKED]],
  ['gemini', 'an answer after a failure', null, [gemini('error', REFUSAL), ANSWERED]],
  ['gemini', 'an error that ends no turn', null, [ASKED, gemini('error', 'Unknown command: /foo')]],
  ['gemini', 'a request that only quotes one', null, [{ ...ASKED, content: REFUSAL }]],
  ['gemini', 'a form that it does not know', null, [{ type: 'error', content: { text: REFUSAL } }, 7, null, 'x', []]],
  [
    'qwen',
    'a try that failed, then an answer of which only the request is written',
    null,
    [qwen({ error_message: '429' }), qwen({ 'event.name': 'qwen-code.api_response', status_code: 200 })],
  ],
  [
    'qwen',
    'a try that failed, then an answer to another request',
    'failed server',
    [
      qwen({ error_message: 'Overloaded', status_code: 503, prompt_id: 's########1' }),
      qwen({ 'event.name': 'qwen-code.api_response', prompt_id: 'title' }),
    ],
  ],
  ['qwen', 'a try that failed, then an answer', null, [qwen({ error_message: '429' }), { type: 'assistant' }]],
])('%s: %s', (agent, _name, expected, records) => {
  const found = agentByName(agent)?.transcript?.read(records) ?? null;
  expect(found && [found.outcome, found.cause].filter(Boolean).join(' ')).toBe(expected);
});

it('shells that Copilot started in the background, until their end is known', () => {
  const started = (id: number, detached = '') => [
    copilot('tool.execution_start', {
      toolCallId: `c${id}`,
      toolName: 'bash',
      arguments: { description: `Work ${id}` },
    }),
    copilot('tool.execution_complete', {
      toolCallId: `c${id}`,
      result: { content: `<command started in ${detached}background with shellId: ${id}>` },
    }),
  ];
  const ended = [
    copilot('system.notification', { kind: { type: 'shell_completed', shellId: '1' } }),
    copilot('tool.execution_start', { toolName: 'stop_bash', arguments: { shellId: '2' } }),
    copilot('tool.execution_complete', { result: { content: 'out\n<shellId: 3 completed with exit code 0>' } }),
  ];
  const all = [...[1, 2, 3, 4].flatMap((id) => started(id)), ...started(5, 'detached '), ...ended, 7, { type: 'x' }];
  expect(agentByName('copilot')?.transcript?.running?.(all)).toEqual([{ id: '4', type: 'shell', label: 'Work 4' }]);
});
