// Whole sequences of inputs through ingest, pipeline and a real store: exactly the expected notifications each.
import { expect, test } from 'vitest';
import { HOLD } from '../../src/model/delivery/holds.ts';
import { SEQUENCES } from '../support/sequences.ts';
import { pipelineHarness } from '../support/pipeline-harness.ts';
import { timersDue } from '../support/timers.ts';

test.each(SEQUENCES)('$name', async ({ steps, notified }) => {
  const bench = await pipelineHarness();
  for (const { after, agent, event, input } of steps) {
    await bench.clock.advance(after * 1_000);
    await bench.feed(input, { agent, ...(event === undefined ? {} : { event }) });
    await bench.settle();
    // A hold that an idle notice ends is due at once.
    for (const timer of await timersDue(bench.store, bench.clock.now(), 10))
      if (timer.kind === HOLD) await bench.runner.releaseHeld(timer);
  }
  expect(await bench.titles()).toEqual(notified);
});
