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

it('names every captured file', () => {
  const files = readdirSync(FOLDER).flatMap((agent) =>
    readdirSync(`${FOLDER}${agent}`).map((file) => `${agent}/${file}`),
  );
  expect(CAUSES.map(([agent, file]) => `${agent}/${file}.jsonl`).sort()).toEqual(files.sort());
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
