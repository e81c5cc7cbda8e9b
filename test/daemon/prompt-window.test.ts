// The window of a session's last prompt stays with the session, and is what presence is asked about.
import { expect, test } from 'vitest';
import { presenceReader } from '../../src/daemon/presence/presence.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import { UNKNOWN_PRESENCE } from '../../src/model/presence/presence.ts';
import { UNKNOWN_PLACE } from '../../src/model/session/place.ts';
import { CATCH_ALL, pipelineHarness } from '../support/pipeline-harness.ts';
import { PLAIN_CONFIG } from '../support/decide.ts';

const input = (event: string, more: object = {}) => ({
  session_id: 'one',
  cwd: '/tmp',
  hook_event_name: event,
  ...more,
});

test.each([
  ['its terminal names none', null, '77'],
  ['its terminal names one', '5', '5'],
])('%s', async (_name, named, expected) => {
  const asked: number[] = [];
  const pipeline = await pipelineHarness(CATCH_ALL, {
    client: async () => ({ pid: 42, start: '1', name: 'claude' }),
    promptWindow: async (pid) => {
      asked.push(pid);
      return '77';
    },
  });
  await pipeline.feed(input('UserPromptSubmit', { prompt: 'go on' }), { agent: 'claude' });
  await pipeline.settle();
  await pipeline.feed(input('Stop', { last_assistant_message: 'Done.' }), { agent: 'claude' });
  await pipeline.settle();
  expect(asked).toEqual([42]); // at the prompt only

  const [delivery] = await pipeline.notified();
  if (!delivery) throw new Error('nobody was notified');
  const places: (string | null | undefined)[] = [];
  const presence = presenceReader({
    store: pipeline.store,
    now: pipeline.clock.now,
    config: () => PLAIN_CONFIG,
    detect: async ({ place }) => {
      places.push(place?.windowId);
      return UNKNOWN_PRESENCE;
    },
  });
  await presence({ ...delivery.content.event, ...HERE, place: { ...UNKNOWN_PLACE, windowId: named } }, 'away');
  expect(places).toEqual([expected]);
});
