// Properties of any day of one person: nothing after it is over, every event accounted for, urgent never late. A counterexample is shrunk.
import fc from 'fast-check';
import { test } from 'vitest';
import { anyDay, groupsAreThere, live, settingsOf } from '../support/day.ts';
import { timeline } from '../support/timeline.ts';

const RUNS = Number(process.env['BELFRY_DAYS'] ?? 40);

test(`${RUNS} random days`, async () => {
  const groups = await groupsAreThere();
  const property = fc.asyncProperty(anyDay, async (day) => {
    const found = await live(await timeline(settingsOf(day, groups)), day, groups, 0);
    if (found.length > 0) throw new Error(found.join('\n'));
  });
  await fc.assert(property, { seed: Number(process.env['BELFRY_SEED'] ?? 20_260_601), numRuns: RUNS });
});
