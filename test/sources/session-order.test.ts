// On a busy machine the hook of one event leaves it in the spool, and the next one reaches the socket: the daemon still decides them in order.
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { newId } from '../../src/ipc/id.ts';
import type { Envelope } from '../../src/ipc/envelope.ts';
import { writeSpool } from '../../src/ipc/spool.ts';
import type { MayPrecede } from '../../src/sources/may-still-arrive.ts';
import { watchSpool } from '../../src/sources/spool/spool.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { pipelineHarness } from '../support/pipeline-harness.ts';

/** Files of other sessions that lie before it. */
const BEFORE = 60;

function envelope(session: string, hookEvent: string, at: number): Envelope {
  const input = { session_id: session, cwd: '/tmp', hook_event_name: hookEvent, prompt: 'Go on' };
  const origin = { pid: 1, ppid: 1, env: {} };
  return {
    id: newId(at),
    agent: 'claude',
    startedAt: at,
    receivedAt: at,
    origin,
    raw: Buffer.from(JSON.stringify(input)),
  };
}

test('an event at the socket waits for what lies in the spool', async () => {
  let precedes: MayPrecede = () => true;
  const { ingest, settle, decisions, clock } = await pipelineHarness(undefined, {
    precedes: (place) => precedes(place),
  });
  const paths = pathsBelow(temporaryFolder());
  const spool = watchSpool({
    folder: paths.spool,
    quarantine: paths.quarantine,
    clock: systemClock,
    log: () => undefined,
    keyOf: () => null,
    accept: async (one) => {
      await ingest.accept(one, 'spool');
      return { ok: true, id: one.id };
    },
  });
  precedes = spool.precedes;
  onTestFinished(() => spool.close());
  await spool.idle();
  const now = clock.now();
  for (let i = 0; i < BEFORE; i++)
    writeSpool(paths.spool, envelope(`other-${i}`, 'UserPromptSubmit', now - BEFORE + i));
  const prompt = envelope('mine', 'UserPromptSubmit', now);
  writeSpool(paths.spool, prompt);
  const stop = envelope('mine', 'Stop', now + 1);
  await ingest.accept(stop, 'socket');
  await settle();
  const mine = decisions.map(({ entryId }) => entryId).filter((id) => id === prompt.id || id === stop.id);
  expect(mine).toEqual([prompt.id, stop.id]);
  expect(decisions).toHaveLength(BEFORE + 2);
});
