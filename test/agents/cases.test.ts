// What clients say that was not captured: from their documentation, their programs and the traps known of them.
import { expect, it } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';
import type { ParsedHook } from '../../src/model/agent/agent.ts';
import { hints } from '../contracts/agent.ts';

function parse(name: string, input: Record<string, unknown>, event: string | null = null): ParsedHook {
  const agent = agentByName(name);
  if (!agent) throw new Error(`no agent ${name}`);
  return agent.parse(input, hints(agent, { event }));
}

it.each([
  ['rate_limit', '', 'rate-limit'],
  ['overloaded', '', 'server'],
  ['authentication_failed', '', 'auth'],
  ['oauth_org_not_allowed', '', 'auth'],
  ['billing_error', '', 'credit'],
  ['server_error', '', 'server'],
  ['model_not_found', '', 'model'],
  ['invalid_request', '', 'unknown'],
  ['max_output_tokens', '', 'unknown'],
  ['unknown', 'API Error: 400 messages: text content blocks must be non-empty', 'unknown'],
  ['unknown', 'API Error: Unable to connect to API (ConnectionRefused)', 'network'],
  ['unknown', 'API Error: Connection error.', 'network'],
  ['constructor', '', 'unknown'],
  [undefined, 'fetch failed', 'network'],
  // Copilot 1.0.102, after its five tries.
  [
    undefined,
    'Last error: Failed native model HTTP request: error sending request for url (http://127.0.0.1:1/v1/chat/completions): client error (SendRequest): connection closed before message completed',
    'network',
  ],
  [{ odd: true }, 'Credit balance is too low', 'credit'],
])('a failure %j with %j is %s', (error, text, cause) => {
  const said = parse('claude', {
    hook_event_name: 'StopFailure',
    session_id: 's',
    error,
    last_assistant_message: text,
  });
  expect(said).toMatchObject({ kind: 'session.failed', detail: cause, urgency: 'urgent', abnormal: true });
});

it.each([
  [{ name: 'APIError', data: { statusCode: 429, message: 'slow down' } }, 'session.failed', 'rate-limit'],
  [{ name: 'APIError', data: { statusCode: 402, message: '' } }, 'session.failed', 'credit'],
  [
    { name: 'APIError', data: { statusCode: 429, responseBody: '{"error":{"code":"insufficient_quota"}}' } },
    'session.failed',
    'credit',
  ],
  [{ name: 'APIError', data: { statusCode: 429, responseBody: '{"error":' } }, 'session.failed', 'rate-limit'],
  [{ name: 'APIError', data: { statusCode: 404 } }, 'session.failed', 'model'],
  [{ name: 'APIError', data: { statusCode: 529 } }, 'session.failed', 'server'],
  [{ name: 'APIError', data: { statusCode: 400, message: 'bad' } }, 'session.failed', 'unknown'],
  [{ name: 'ProviderAuthError', data: { message: 'x' } }, 'session.failed', 'auth'],
  [{ name: 'UnknownError', data: { message: 'connect ECONNREFUSED 127.0.0.1:1' } }, 'session.failed', 'network'],
  [{ name: 'MessageAbortedError' }, 'agent.other', 'interrupted'],
  [undefined, 'session.failed', 'unknown'],
])('opencode error %j is %s, %s', (error, kind, detail) => {
  const input = { id: 'evt_1', type: 'session.error', properties: { sessionID: 's', error } };
  expect(parse('opencode', input)).toMatchObject({ kind, detail });
});

it.each<[unknown, readonly string[] | null]>([
  [undefined, null],
  [null, null],
  [[], []],
  [[{ id: 'a', status: 'running' }], ['a']],
  [
    [
      { id: 'a', status: 'completed' },
      { id: 'b', status: 'killed' },
      { id: 'c', status: 'failed' },
    ],
    [],
  ],
  [
    [{ id: 'a' }, { id: 'b', status: 'paused?' }, 'a string', 7, null],
    ['a', 'b', '', '', ''],
  ],
  [{ first: { id: 'a', status: 'running' }, second: { id: 'b', state: 'done' } }, ['a']],
])('background tasks %j count as %j', (tasks, ids) => {
  const said = parse('claude', { hook_event_name: 'Stop', session_id: 's', background_tasks: tasks });
  expect(said.running?.map((work) => work.id ?? '') ?? null).toEqual(ids);
  expect(said).toMatchObject(
    ids?.length ? { detail: 'background', urgency: 'low' } : { detail: null, urgency: 'normal' },
  );
});

it.each([
  ['Fix the build', 'Fix the build'],
  ['<task-notification>\n<task-id>1</task-id>\n</task-notification>', null],
  ['  <system-reminder>x</system-reminder>', null],
  ['<div> is not closed, fix it', '<div> is not closed, fix it'],
  ['', null],
])('the prompt %j is quoted as %j, and is work', (prompt, quoted) => {
  const said = parse('claude', { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt });
  expect(said).toMatchObject({ kind: 'agent.other', signal: 'prompted', prompt: quoted });
});

it.each([
  ['permission_prompt', 'permission', 'waiting'],
  ['elicitation_dialog', 'question', 'waiting'],
  ['idle_prompt', 'idle', 'waiting'],
  ['agent_idle', 'idle', 'waiting'],
  ['auth_success', 'auth_success', 'none'],
  ['elicitation_response', 'elicitation_response', 'none'],
  ['something_new', 'something_new', 'waiting'],
  ['__proto__', '__proto__', 'waiting'],
  [undefined, 'attention', 'waiting'],
  ['', 'attention', 'waiting'],
])('a notification %j has the detail %s', (type, detail, signal) => {
  for (const name of ['claude', 'droid', 'qwen', 'gemini', 'generic', 'copilot']) {
    const said = parse(name, { hook_event_name: 'Notification', notification_type: type, message: 'Look here' });
    expect(said, name).toMatchObject({
      kind: 'agent.waiting',
      detail,
      signal: name === 'qwen' && type === 'idle_prompt' ? 'turn-over' : signal,
      message: 'Look here',
      urgency: signal === 'none' ? 'low' : 'normal',
    });
  }
});

it.each([
  ['AskUserQuestion', { questions: [{ question: 'Blue or red?' }] }, 'question', 'Blue or red?'],
  ['ExitPlanMode', { plan: '# Plan\n\n1. do  it' }, 'question', '# Plan 1. do it'],
  ['Bash', { command: 'rm -rf\n  build', description: 'tidy' }, 'permission', 'rm -rf\n  build'],
  ['Write', { file_path: '/a/b.ts', content: 'x' }, 'permission', '/a/b.ts'],
  ['mcp__x__y', {}, 'permission', null],
  ['Bash', 'not an object', 'permission', null],
])('a request for %s is a %s', (tool_name, tool_input, detail, summary) => {
  const said = parse('claude', { hook_event_name: 'PermissionRequest', session_id: 's', tool_name, tool_input });
  expect(said).toMatchObject({ kind: 'agent.waiting', detail, tool: { name: tool_name, summary }, isFollowUp: false });
  const repeated = parse('claude', { hook_event_name: 'Notification', notification_type: 'permission_prompt' });
  expect(repeated).toMatchObject({ correlationKey: said.correlationKey, isFollowUp: true });
});

const CURSOR = { conversation_id: 'c', generation_id: 'g', workspace_roots: ['/home/x/proj'] };
it.each([
  [
    { hook_event_name: 'stop', status: 'completed' },
    { kind: 'agent.finished', urgency: 'normal' },
  ],
  [
    { hook_event_name: 'Stop', status: 'completed' },
    { kind: 'agent.finished', hookEvent: 'Stop' },
  ],
  [
    { hook_event_name: 'stop', status: 'aborted' },
    { kind: 'agent.other', signal: 'interrupted' },
  ],
  [
    { hook_event_name: 'stop', status: 'error' },
    { kind: 'session.failed', detail: 'unknown' },
  ],
  [
    { hook_event_name: 'sessionEnd', reason: 'error' },
    { kind: 'session.ended', abnormal: true, urgency: 'urgent' },
  ],
  [
    { hook_event_name: 'sessionEnd', reason: 'user_close' },
    { kind: 'session.ended', abnormal: false, urgency: 'low' },
  ],
  [
    { hook_event_name: 'beforeSubmitPrompt', prompt: 'Hi' },
    { kind: 'agent.other', signal: 'prompted', prompt: 'Hi' },
  ],
  [
    { hook_event_name: 'UserPromptSubmit', prompt: 'Hi' },
    { kind: 'agent.other', signal: 'prompted', prompt: 'Hi' },
  ],
  [{ hook_event_name: 'subagentStop', subagent_type: 'explore' }, { kind: 'subagent.finished' }],
])('Cursor %j is %j', (input, expected) => {
  expect(parse('cursor', { ...CURSOR, ...input })).toMatchObject({ sessionId: 'c', cwd: '/home/x/proj', ...expected });
});

it.each([
  [{ sessionId: 's', reason: 'error' }, 'session.ended'],
  [{ sessionId: 's', error: 'plain text' }, 'session.failed'],
  [{ sessionId: 's', stopReason: 'end_turn' }, 'agent.finished'],
  [{ sessionId: 's', stopReason: 'end_turn', response: 'r', agentId: 'a' }, 'subagent.finished'],
  [{ sessionId: 's', nothing: 'known' }, 'agent.other'],
])('Copilot %j without a name is %s by what it holds', (input, kind) => {
  expect(parse('copilot', input).kind).toBe(kind);
});

it.each([
  [
    { hook_event_name: 'SessionEnd', reason: 'error', session_id: 's' },
    { kind: 'session.ended', abnormal: true },
  ],
  [
    { event: 'session_end', reason: 'done' },
    { kind: 'session.ended', abnormal: false, urgency: 'low' },
  ],
  [
    { event: 'finished', message: 'All done', sessionId: 's' },
    { kind: 'agent.finished', message: 'All done' },
  ],
  [
    { type: 'permission.asked', text: 'May I?' },
    { kind: 'agent.waiting', detail: 'permission', message: 'May I?' },
  ],
  [
    { kind: 'agent.waiting', message: 'x' },
    { kind: 'agent.waiting', detail: 'attention' },
  ],
  [{ event: 'error', error: { message: '429 slow down' } }, { kind: 'agent.other' }],
  [
    { event: 'session.failed', error: { message: '429 slow down' } },
    { kind: 'session.failed', detail: 'rate-limit' },
  ],
  [{ hello: 'world' }, { kind: 'agent.other', hookEvent: 'unknown', unknown: { hello: 'world' } }],
  [
    { title: 'Backup', body: 'is done' },
    { kind: 'agent.other', message: 'is done' },
  ],
])('anything else: %j is %j', (input, expected) => {
  expect(parse('generic', input)).toMatchObject(expected);
});

it('takes the event from the command line where the input names none', () => {
  expect(parse('generic', { session_id: 's' }, 'Stop').kind).toBe('agent.finished');
  expect(parse('copilot', { sessionId: 's' }, 'agentStop')).toMatchObject({
    kind: 'agent.finished',
    hookEvent: 'agentStop',
  });
  expect(parse('claude', { session_id: 's' }, 'Stop').kind).toBe('agent.finished');
});

it('knows a Stop that was turned into more work from the one before by nothing but its bytes', () => {
  const stop = (active: boolean) =>
    parse('codex', { hook_event_name: 'Stop', session_id: 's', turn_id: 't', stop_hook_active: active }).occurrence;
  expect([stop(false), stop(true)]).toEqual(['t', null]);
  expect(parse('claude', { hook_event_name: 'Stop', session_id: 's', prompt_id: 'p' }).occurrence).toBeNull();
});
