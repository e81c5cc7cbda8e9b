// What always fails when it is decided: given up with an alarm, while everything else goes on; trouble of the journal is waited out.
import { expect, test } from 'vitest';
import type { Decision } from '../../../src/store/contract.ts';
import { CATCH_ALL, pipelineHarness } from '../../support/pipeline-harness.ts';
import { until } from '../../support/wait.ts';
import { nextTimer, timersDue } from '../../support/timers.ts';

const stop = (session: string) => ({ session_id: session, hook_event_name: 'Stop', cwd: '/src/payments' });

test('an entry whose decision always throws ends in the quarantine, once, and people are notified', async () => {
  const place = async (cwd: string) => {
    if (cwd.endsWith('cursed')) throw new TypeError('no place at all');
    return { project: 'payments', branch: null };
  };
  const bench = await pipelineHarness(CATCH_ALL, { place });
  await bench.feed({ ...stop('s1'), cwd: '/src/cursed' }, { agent: 'claude', id: 'envelope-cursed' });
  await bench.feed(stop('s2'), { agent: 'claude' });
  await bench.ingest.idle();
  await bench.clock.advance(15_000);
  expect(bench.quarantined).toEqual([]);
  await bench.clock.advance(60_000);
  await bench.settle();
  expect(bench.quarantined).toEqual(['envelope-cursed']);
  expect((await bench.store.pendingEntries(10)).entries).toEqual([]);
  expect(await bench.titles()).toEqual([
    'payments: Claude finished [normal]',
    'belfry: an event could not be processed [urgent]',
  ]);
  const notified = await bench.notified();
  expect(notified[1]?.content.body).toContain('no place at all');
  expect(bench.clock.pending).toBe(0);
});

test('an alarm that cannot be decided either raises no further one', async () => {
  const bench = await pipelineHarness(CATCH_ALL, {
    redactor: () => {
      throw new Error('no redactor');
    },
  });
  await bench.feed(stop('s1'), { agent: 'claude', id: 'envelope-cursed' });
  await bench.ingest.idle();
  await bench.clock.advance(120_000);
  await bench.settle();
  expect(bench.quarantined).toEqual(['envelope-cursed', 'undecidable-envelope-cursed']);
  expect((await bench.store.pendingEntries(10)).entries).toEqual([]);
  // A retry that was under way when the clock stood still sets its timer after it.
  await until(async () => {
    await bench.clock.advance(5_000);
    await bench.settle();
    return bench.clock.pending === 0;
  }, 'the last timer');
});

test.each([
  ['a full disk', 'database or disk is full', async () => undefined],
  [
    'a journal that cannot be written, so that nothing can be set aside either',
    'attempt to write a readonly database',
    () => Promise.reject(new Error('readonly')),
  ],
])('%s gives nothing up', async (_name, error, giveUp) => {
  const first = await pipelineHarness();
  let broken = true;
  const store = {
    ...first.store,
    commit: async (decisions: readonly Decision[]) => {
      if (broken) throw new Error(error);
      return first.store.commit(decisions);
    },
  };
  const bench = await pipelineHarness(CATCH_ALL, { store, backlog: first.ingest.backlog, giveUp });
  await first.runner.stop();
  await first.feed(stop('s1'), { agent: 'claude' });
  await first.ingest.idle();
  bench.runner.start();
  await bench.clock.advance(3_600_000);
  expect(await bench.notified()).toEqual([]);
  broken = false;
  await bench.clock.advance(10_000);
  await bench.runner.idle();
  expect(await bench.titles()).toEqual(['payments: Claude finished [normal]']);
});

test('a held finish whose release always throws is given up with an alarm, and its timer is gone', async () => {
  let broken = false;
  const bench = await pipelineHarness(CATCH_ALL, {
    agents: (name) => {
      if (broken && name === 'claude') throw new Error('no agent at all');
      return undefined;
    },
  });
  const background_tasks = [{ id: 'x', type: 'shell', status: 'running', command: 'npm run dev' }];
  await bench.feed({ ...stop('s1'), background_tasks }, { agent: 'claude' });
  await bench.settle();
  const [timer] = await timersDue(bench.store);
  broken = true;
  if (!timer) throw new Error('nothing is held');
  for (let n = 0; n < 4; n++) await expect(bench.runner.releaseHeld(timer)).rejects.toThrow('no agent at all');
  await bench.runner.releaseHeld(timer);
  expect(await nextTimer(bench.store)).toBeNull();
  await bench.settle();
  expect(await bench.titles()).toEqual(['belfry: an event could not be processed [urgent]']);
});
