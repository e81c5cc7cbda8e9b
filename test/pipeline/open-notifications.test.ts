// However many notifications of a session are open, what goes on ends all that it answers, and none of them reminds.
import { expect, test } from 'vitest';
import { pipelineHarness, type PipelineHarness } from '../support/pipeline-harness.ts';

const REMINDED = `
[channels.hook]
type = "webhook"
url = "http://127.0.0.1:9/"
allow_private = true
[[routes]]
match = { kind = ["agent.waiting", "subagent.finished"] }
to = ["hook"]
repeat = "30m"
escalate = [{ after = "10m", to = ["hook"] }]
`;

const hook = (hook_event_name: string, more: Record<string, unknown> = {}) => ({
  session_id: 's',
  hook_event_name,
  cwd: '/home/dev/payments',
  ...more,
});
const asked = (n: number) =>
  hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: `make ${n}` }, tool_use_id: `use-${n}` });

async function feed(bench: PipelineHarness, input: Record<string, unknown>): Promise<void> {
  await bench.feed(input, { agent: 'claude' });
  await bench.settle();
  await bench.clock.advance(2_000);
}

/** Of the prompts: how many there are, how many are not over, and how many of their reminders and escalations are still to come. */
async function prompts({ store }: PipelineHarness): Promise<readonly [all: number, open: number, unsent: number]> {
  const all = (await store.notifications({})).filter(({ kind }) => kind === 'agent.waiting');
  const rows = await store.deliveryProgress(all.map(({ id }) => id));
  const unsent = rows.filter(({ operation, state, step }) => operation === 'send' && state === 'pending' && step > 0);
  return [all.length, all.filter(({ state }) => state !== 'resolved').length, unsent.length];
}

test('a prompt that was answered after 25 subagents of the session had finished', async () => {
  const bench = await pipelineHarness(REMINDED);
  await feed(bench, asked(0));
  for (let n = 0; n < 25; n++) await feed(bench, hook('SubagentStop', { agent_id: `a${n}`, agent_type: 'general' }));
  const told = (await bench.store.notifications({})).filter(({ kind }) => kind === 'subagent.finished');
  expect(told).toHaveLength(25);
  const [all, open, unsent] = await prompts(bench);
  expect([all, open]).toEqual([1, 1]);
  expect(unsent).toBeGreaterThan(0);
  await feed(bench, hook('UserPromptSubmit', { prompt: 'go on' }));
  expect(await prompts(bench)).toEqual([1, 0, 0]);
});

test('fifty prompts and one input', async () => {
  const bench = await pipelineHarness(REMINDED);
  for (let n = 0; n < 50; n++) await feed(bench, asked(n));
  expect((await prompts(bench)).slice(0, 2)).toEqual([50, 50]);
  await feed(bench, hook('UserPromptSubmit', { prompt: 'go on' }));
  expect(await prompts(bench)).toEqual([50, 0, 0]);
});
