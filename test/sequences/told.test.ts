// What people are told of whole sequences of inputs: exactly the expected notifications each.
import { expect, test } from 'vitest';
import { sample } from '../support/samples.ts';
import { tellingBench } from '../support/telling-bench.ts';

type Step = readonly [
  seconds: number,
  agent: string,
  event: string,
  scenario: string,
  change?: Record<string, unknown>,
];

const PROMPT = { hook_event_name: 'UserPromptSubmit', prompt: 'Review the project' };

interface Sequence {
  readonly name: string;
  /** Seconds after the step before; a captured input; fields changed in it. */
  readonly steps: readonly Step[];
  readonly told: readonly string[];
}

const SEQUENCES: readonly Sequence[] = [
  {
    name: 'a background subagent: told when the last has ended',
    steps: [
      [0, 'claude', 'Stop', 'print-background-subagent', PROMPT],
      [20, 'claude', 'Stop', 'print-background-subagent'],
      [30, 'claude', 'SubagentStop', 'print-background-subagent'],
      [10, 'claude', 'Stop', 'print-background-subagent-2'],
    ],
    told: ['project: Claude finished after 1 min [normal]'],
  },
];

test.each(SEQUENCES)('$name', async ({ steps, told }) => {
  const bench = await tellingBench();
  for (const [seconds, agent, event, scenario, change] of steps) {
    await bench.clock.advance(seconds * 1_000);
    await bench.feed({ ...sample(agent, event, scenario).input, ...change }, { agent });
    await bench.settle();
  }
  expect(await bench.titles()).toEqual(told);
});
