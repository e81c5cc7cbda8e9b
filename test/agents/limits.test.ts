// Limits, overload and lost network, by the lines that real clients wrote about them: each is told with its own cause.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';
import { hints } from '../contracts/agent.ts';
import { sample } from '../support/samples.ts';

const FOLDER = new URL('../fixtures/limits/', import.meta.url).pathname;

const CAUSES: readonly (readonly [agent: string, file: string, cause: string])[] = [
  ['codex', '0.169.0-rollout-401', 'auth'],
  ['codex', '0.169.0-rollout-500', 'server'],
  ['codex', '0.169.0-rollout-503', 'server'],
  ['codex', '0.169.0-rollout-connection-cut', 'network'],
  // Credit that is used up has the limit's code; nothing of it comes back by waiting.
  ['codex', '0.169.0-rollout-insufficient-quota', 'credit'],
  ['codex', '0.169.0-rollout-overloaded', 'server'],
  ['codex', '0.169.0-rollout-usage-limit', 'rate-limit'],
  ['codex', '0.169.0-rollout-usage-limit-no-headers', 'rate-limit'],
  ['droid', '0.225.2-session-429', 'rate-limit'],
  ['gemini', '0.61.0-chat-daily-quota', 'rate-limit'],
  ['qwen', '0.15.10-chat-429', 'rate-limit'],
];

const recordsOf = (agent: string, file: string): readonly unknown[] =>
  readFileSync(`${FOLDER}${agent}/${file}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

/** Named, until when, whether the client goes on by itself; null: no limit of an account. */
const LIMITS: readonly (readonly [
  agent: string,
  file: string,
  said: string,
  expected: readonly [string, string | null, boolean | null] | null,
])[] = [
  [
    'claude',
    '2.1.197-transcript-session-limit',
    "You've hit your session limit · resets 4:58pm (UTC)",
    ['five-hour', '2026-11-23T16:58:00.000Z', false],
  ],
  [
    'claude',
    '2.1.330-transcript-auto-resume',
    "You've hit your 5-hour limit · resets 5:02pm (UTC)",
    ['five-hour', '2026-11-23T17:02:57.000Z', true],
  ],
  [
    'claude',
    '2.1.330-transcript-wake-then-auto-resume',
    "You've hit your 5-hour limit · resets 5:25pm (UTC)",
    ['five-hour', '2026-11-23T17:25:34.000Z', true],
  ],
  [
    'claude',
    '2.1.330-transcript-weekly-limit',
    "You've hit your weekly limit · resets Nov 26, 5:04pm (UTC)",
    ['week', '2026-11-26T17:04:24.000Z', false],
  ],
  [
    'codex',
    '0.169.0-rollout-usage-limit',
    'You’ve hit your usage limit.',
    ['five-hour', '2026-11-23T18:09:54.000Z', false],
  ],
  [
    'codex',
    '0.169.0-rollout-usage-limit-no-headers',
    'You’ve hit your usage limit. … or try again later.',
    ['usage', null, false],
  ],
  ['codex', '0.169.0-rollout-insufficient-quota', 'Quota exceeded. Check your plan.', ['credit', null, false]],
  ['codex', '0.169.0-rollout-91-percent', 'You’ve hit your usage limit.', null],
  ['copilot', '1.0.102-events-quota', '429 You have exceeded your premium request allowance.', ['usage', null, false]],
  ['copilot', '1.0.102-events-401', 'Authentication failed', null],
  [
    'gemini',
    '0.61.0-chat-daily-quota',
    '[API Error: You have exhausted your daily quota on this model.]',
    ['day', null, false],
  ],
];

it.each(LIMITS)('%s %s: its limit', (agent, file, message, expected) => {
  const records = recordsOf(agent, file);
  const { limits, transcript } = agentByName(agent) ?? {};
  const cause = transcript?.read(records)?.cause ?? (agent === 'claude' ? 'rate-limit' : null);
  const [first = {}] = records as readonly { timestamp?: string }[];
  const at = Date.parse(first.timestamp ?? '');
  const found = limits?.reached({ cause, message, records, at, zone: null }) ?? null;
  const resets = found?.resetsAt ?? null;
  const said = found && [found.name, resets && new Date(resets).toISOString(), found.resumes];
  expect(said).toEqual(expected);
});

it('a limit of requests a minute is no account’s', () => {
  const limits = agentByName('claude')?.limits;
  const of = (message: string, cause = 'rate-limit') =>
    limits?.reached({ cause, message, records: [], at: 0, zone: null });
  expect(of('API Error: 429 This request would exceed your rate limit of 50 requests per minute')).toBeNull();
  expect(of('API Error: 529 Overloaded', 'server')).toBeNull();
  expect(of('Credit balance is too low', 'credit')).toEqual({ name: 'credit', resetsAt: null, resumes: false });
});

const errorLine = (more: object) => ({
  type: 'assistant',
  timestamp: '2026-11-23T17:00:00.000Z',
  error: 'rate_limit',
  entrypoint: 'cli',
  version: '2.1.330',
  quotaLimits: { resetsAt: Date.parse('2026-11-23T18:00:00Z') / 1_000, rateLimitType: 'five_hour' },
  ...more,
});

it.each([
  ['it has not said so yet', {}, null],
  ['the version goes on first with 2.1.261', { version: '2.1.261' }, null],
  ['an older one never does', { version: '2.1.260' }, false],
  ['nor one of 2.0', { version: '2.0.999' }, false],
  ['nor does one-shot mode', { entrypoint: 'sdk-cli' }, false],
])('Claude goes on by itself: %s', (_, more, expected) => {
  const records = [errorLine(more)];
  const turn = { cause: 'rate-limit', message: null, records, zone: null };
  const at = Date.parse('2026-11-23T17:00:01Z');
  expect(agentByName('claude')?.limits?.reached({ ...turn, at })?.resumes).toBe(expected);
  // The line of an earlier turn says nothing of this one.
  expect(agentByName('claude')?.limits?.reached({ ...turn, at: at + 3_600_000 })).toBeNull();
});

it('Codex says what is used of each window', () => {
  const used = agentByName('codex')?.limits?.used;
  expect(used?.(recordsOf('codex', '0.169.0-rollout-91-percent'))).toEqual([
    { name: 'five-hour', used: 91, resetsAt: 1795460870000 },
    { name: 'week', used: 41, resetsAt: 1795720070000 },
  ]);
  // Nothing said is not room again.
  expect(used?.(recordsOf('codex', '0.169.0-rollout-usage-limit-no-headers'))).toEqual([]);
  const odd = {
    type: 'event_msg',
    payload: { type: 'token_count', rate_limits: { primary: { used_percent: 7, window_minutes: 480 } } },
  };
  expect(used?.([odd])).toEqual([{ name: '8h', used: 7, resetsAt: null }]);
});

it.each([
  ['session.status', 'tui-retry-long', true, { name: 'usage', resetsAt: 1795457621660, resumes: true }],
  // Its next try is soon: that is no reset.
  ['session.status', 'tui-retry-usage-limit', false, null],
])('opencode %s %s: keeps retrying', (event, scenario, long, limit) => {
  const opencode = agentByName('opencode');
  const { input } = sample('opencode', event, scenario);
  const parsed = opencode?.parse({ ...input, long }, hints(opencode, {}));
  expect(parsed).toMatchObject({
    kind: 'session.failed',
    signal: 'none',
    detail: 'retrying',
    urgency: 'normal',
    limit,
  });
});

it('Qwen’s requests that fail for a minute are told, and named by the first', () => {
  const retrying = agentByName('qwen')?.transcript?.retrying;
  const [first = {}, second = {}] = recordsOf('qwen', '0.15.10-chat-429') as readonly Record<string, unknown>[];
  const later = { ...second, uuid: 'later', timestamp: '2026-11-23T17:18:24.000Z' };
  expect(retrying?.([first, second])).toBeNull();
  const told = { outcome: 'retrying', cause: 'retrying', turn: first['uuid'] };
  expect(retrying?.([first, second, later])).toMatchObject(told);
  expect(retrying?.([first, later, { ...later, uuid: 'latest', timestamp: '2026-11-23T17:30:00.000Z' }])).toMatchObject(
    told,
  );
  expect(retrying?.([first, { type: 'assistant' }, second, later])).toBeNull();
});

it('names every captured file', () => {
  const files = readdirSync(FOLDER).flatMap((agent) =>
    readdirSync(`${FOLDER}${agent}`).map((file) => `${agent}/${file}`),
  );
  const named = [...CAUSES, ...LIMITS].map(([agent, file]) => `${agent}/${file}.jsonl`);
  expect([...new Set(named)].sort()).toEqual(files.sort());
});

it.each(CAUSES)('%s %s: %s', (agent, file, cause) => {
  const lines = readFileSync(`${FOLDER}${agent}/${file}.jsonl`, 'utf8').trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as unknown);
  expect(agentByName(agent)?.transcript?.read(records)).toMatchObject({ outcome: 'failed', cause });
});

const info = (codex_error_info: unknown, message = 'It failed.') => ({
  timestamp: '2026-11-23T18:07:08Z',
  type: 'event_msg',
  payload: { type: 'task_complete', turn_id: 't1', error: { message, codex_error_info } },
});

it.each<[unknown, string]>([
  ['unauthorized', 'auth'],
  ['internal_server_error', 'server'],
  ['server_overloaded', 'server'],
  [{ response_stream_disconnected: { http_status_code: null } }, 'network'],
  [{ response_stream_connection_failed: { http_status_code: 502 } }, 'server'],
  [{ http_connection_failed: { http_status_code: null } }, 'network'],
  [{ response_too_many_failed_attempts: { http_status_code: 429 } }, 'rate-limit'],
  ['bad_request', 'unknown'],
  ['constructor', 'unknown'],
])('Codex %j is %s', (code, cause) => {
  expect(agentByName('codex')?.transcript?.read([info(code)])).toMatchObject({ outcome: 'failed', cause });
});

it("Copilot's quota is a limit", () => {
  const copilot = agentByName('copilot');
  const { input } = sample('copilot', 'errorOccurred', 'tui-quota');
  expect(copilot?.parse(input, hints(copilot, { event: 'errorOccurred' })).detail).toBe('rate-limit');
});
