// No secret gets past the outbox: not from the input, its unknown fields or the context read for it, nor into the log.
import { expect, test } from 'vitest';
import { pipelineHarness } from '../support/pipeline-harness.ts';

// In pieces, so that no scanner takes this file for a leak.
const TOKEN = ['ghp', 'wXq7Lk2Vn9RbT4sYc8Zd1Fg6HjM3pQ0uE5aK'].join('_');
const ENTRY = { session_id: 's', cwd: '/tmp', hook_event_name: 'Notification', notification_type: 'permission_prompt' };

test.each([
  ['its message', { ...ENTRY, message: `may I use ${TOKEN}?` }, null],
  ['an unknown field', { ...ENTRY, message: 'may I?', surprise: { deep: [`key ${TOKEN}`] } }, null],
  // Context is read for endings only.
  ['the context', { session_id: 's', cwd: '/tmp', hook_event_name: 'Stop' }, `the token is ${TOKEN}`],
])('a secret in %s is in no decision, no row and no line of the log', async (_where, input, said) => {
  const messages = said === null ? [] : [{ role: 'user', text: said, at: null, from: 'transcript' } as const];
  const bench = await pipelineHarness(null, { context: async () => ({ messages }) });
  await bench.feed(input, { agent: 'generic' });
  await bench.settle();
  const kept = JSON.stringify([
    bench.decisions,
    bench.logged,
    await bench.store.events({}),
    await bench.store.deliveries({}),
    await bench.store.sessions({}),
  ]);
  expect(await bench.notified()).not.toEqual([]);
  expect(kept).not.toContain(TOKEN);
  // It was there to be found: something stands in its place.
  expect(kept).toContain('[redacted');
});
