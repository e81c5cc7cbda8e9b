// Every agent of the registry against the suite; an input that nobody claims goes to the last.
import { expect, it } from 'vitest';
import { agentByName, agents } from '../../src/agents/index.ts';
import { detectAgent } from '../../src/ingest/parse.ts';
import { samples } from '../support/samples.ts';
import { testAgent } from '../contracts/agent.ts';

/** How a client's input names its event, where not as `hook_event_name`. */
const NAMES: Readonly<Record<string, (event: string) => Record<string, unknown>>> = {
  opencode: (event) => ({ id: 'evt_1', type: event, properties: { sessionID: 'ses_1' } }),
};

for (const agent of agents)
  testAgent(agent, NAMES[agent.name] ?? ((event) => ({ hook_event_name: event, session_id: 's-1', cwd: '/p' })));

/** The agent that ingest gives an input to. */
const taken = (name: string | undefined, input: unknown, env: Record<string, string> = {}) =>
  detectAgent(
    agents,
    { ...(name === undefined ? {} : { agent: name }), origin: { pid: 1, ppid: 1, env } },
    input as Record<string, unknown>,
  )?.name;

it('recognises every captured input without --agent', () => {
  for (const sample of samples()) expect(taken(undefined, sample.input), sample.path).toBe(sample.agent);
});

it.each<[string | undefined, unknown, Record<string, string>, string]>([
  // Named: taken at its word, but for clients that also run the hooks of the one named.
  ['droid', { session_id: 's', hook_event_name: 'Stop', prompt_id: 'p' }, {}, 'droid'],
  ['nobody', { session_id: 's', hook_event_name: 'Stop' }, {}, 'generic'],
  ['claude', { sessionId: 's', timestamp: 1, hook_event_name: 'Notification' }, {}, 'copilot'],
  ['claude', { conversation_id: 's', generation_id: 'g', hook_event_name: 'Stop' }, {}, 'cursor'],
  ['claude', { session_id: 's', hook_event_name: 'Stop' }, {}, 'claude'],
  ['generic', { session_id: 's', transcript_path: '/x/.claude/p/s.jsonl' }, {}, 'generic'],
  // Not named: the input is asked before the environment.
  [
    undefined,
    { transcript_path: '/x/.factory/sessions/a/s.jsonl', hook_event_name: 'Stop' },
    { CLAUDECODE: '1' },
    'droid',
  ],
  [undefined, { transcript_path: 'C:\\x\\.codex\\s.jsonl', hook_event_name: 'Stop' }, {}, 'codex'],
  [undefined, { hook_event_name: 'Stop' }, { CLAUDECODE: '1' }, 'claude'],
  [undefined, { hook_event_name: 'Stop', session_id: 's' }, {}, 'generic'],
  [undefined, { a: 1 }, {}, 'generic'],
  [undefined, {}, {}, 'generic'],
  [undefined, JSON.parse('{"__proto__":{"prompt_id":1}}'), {}, 'generic'],
])('gives an input named %s, %j, to the right agent', (name, input, env, expected) => {
  expect(taken(name, input, env)).toBe(expected);
});

it('has unique names and knows none that is not there', () => {
  expect(new Set(agents.map((agent) => agent.name)).size).toBe(agents.length);
  for (const agent of agents) expect(agentByName(agent.name)).toBe(agent);
  expect(agentByName('constructor')).toBeUndefined();
  expect(agents.at(-1)?.settings).toBeNull();
});
