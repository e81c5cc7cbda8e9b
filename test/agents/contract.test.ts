// Every agent of the registry against the suite; an input that nobody claims goes to the last.
import { expect, it } from 'vitest';
import { agentByName, agents, recogniseAgent } from '../../src/agents/index.ts';
import { samples } from '../support/samples.ts';
import { testAgent } from '../contracts/agent.ts';

/** How a client's input names its event, where not as `hook_event_name`. */
const NAMES: Readonly<Record<string, (event: string) => Record<string, unknown>>> = {
  opencode: (event) => ({ id: 'evt_1', type: event, properties: { sessionID: 'ses_1' } }),
};

for (const agent of agents)
  testAgent(agent, NAMES[agent.name] ?? ((event) => ({ hook_event_name: event, session_id: 's-1', cwd: '/p' })));

it('recognises every captured input without being told whose it is', () => {
  for (const sample of samples().filter((s) => agentByName(s.agent)))
    expect(recogniseAgent(sample.input, { event: null, env: {} }).name, sample.path).toBe(sample.agent);
});

it('trusts the input more than an inherited environment', () => {
  const input = { session_id: 's', transcript_path: '/home/x/.factory/sessions/a/s.jsonl', hook_event_name: 'Stop' };
  expect(recogniseAgent(input, { event: null, env: { CLAUDECODE: '1' } }).name).toBe('droid');
  expect(recogniseAgent({ hook_event_name: 'Stop' }, { event: null, env: { CLAUDECODE: '1' } }).name).toBe('claude');
});

it.each([{}, { a: 1 }, { hook_event_name: 'Stop', session_id: 's' }, JSON.parse('{"__proto__":{"prompt_id":1}}')])(
  'gives %j to the generic agent',
  (input) => {
    expect(recogniseAgent(input as Record<string, unknown>, { event: null, env: {} }).name).toBe('generic');
  },
);

it('has unique names and knows none that is not there', () => {
  expect(new Set(agents.map((agent) => agent.name)).size).toBe(agents.length);
  for (const agent of agents) expect(agentByName(agent.name)).toBe(agent);
  expect(agentByName('constructor')).toBeUndefined();
  expect(agents.at(-1)?.settings).toBeNull();
});
