// When what was journaled is parsed: once its hook has exited, and never before what came earlier.
import { expect, test } from 'vitest';
import { newId } from '../../src/ipc/id.ts';
import { pipelineHarness } from '../support/pipeline-harness.ts';

const envelope = (session: string) => ({
  ...{ id: newId(Date.now()), startedAt: Date.now(), receivedAt: Date.now(), origin: { pid: 1, ppid: 1, env: {} } },
  raw: Buffer.from(JSON.stringify({ hook_event_name: 'Stop', session_id: session })),
});

test('what is parsed at once, as its hook has exited, overtakes nothing that was journaled before it', async () => {
  const { ingest, settle, decisions } = await pipelineHarness();
  const envelopes = Array.from({ length: 20 }, (_, i) => envelope(`s${i}`));
  for (const [i, one] of envelopes.entries())
    await ingest.accept(one, 'socket', i % 2 === 0 ? {} : { gone: AbortSignal.abort() });
  await settle();
  expect(decisions.map(({ entryId }) => entryId)).toEqual(envelopes.map(({ id }) => id));
});

test('it is parsed as soon as its hook has exited', async () => {
  const { ingest } = await pipelineHarness();
  const took = async (gone?: AbortSignal): Promise<number> => {
    await ingest.accept(envelope('a'), 'socket', { gone });
    const began = performance.now();
    await ingest.idle();
    return performance.now() - began;
  };
  const times = { stays: Infinity, isGone: Infinity };
  for (let i = 0; i < 20; i++) {
    times.stays = Math.min(times.stays, await took());
    times.isGone = Math.min(times.isGone, await took(AbortSignal.abort()));
  }
  expect(times.isGone).toBeLessThan(times.stays);
});
