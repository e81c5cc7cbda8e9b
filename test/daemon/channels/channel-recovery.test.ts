// The notice of a failing channel is resolved once the channel is well again, whether the daemon saw it recover or not.
import { expect, test } from 'vitest';
import { createChannelRecovery } from '../../../src/daemon/channels/channel-recovery.ts';
import { channelFailingEvent } from '../../../src/delivery/policy/channel-failing.ts';
import { notificationIdOf } from '../../../src/model/ids.ts';
import type { ChannelHealth } from '../../../src/store/contract.ts';
import { decidingOf } from '../../support/deciding.ts';
import { madeNotification, NOON } from '../../support/made.ts';
import { pipelineHarness } from '../../support/pipeline-harness.ts';

const TOML = `
[channels.hook]
type = "webhook"
url = "http://127.0.0.1:9/"
allow_private = true
updates = true
[channels.other]
type = "webhook"
url = "http://127.0.0.1:9/"
allow_private = true
`;

const health = (state: ChannelHealth['state'], channel = 'other'): ChannelHealth => ({
  channel,
  state,
  since: NOON,
  faults: 3,
  reason: 'server',
  error: 'it answers 503',
  probeAt: null,
  pausedUntil: null,
});

async function failing() {
  const bench = await pipelineHarness(TOML);
  const { store, writer, clock } = bench;
  const recovery = createChannelRecovery({
    store,
    isValid: () => true,
    log: () => undefined,
    deciding: { ...decidingOf(store, clock.now, () => bench.config), writer },
  });
  await recovery.setHealth(health('failing'));
  const event = channelFailingEvent(health('failing'));
  await bench.ingest.acceptEvent({ event, source: 'belfry', occurrence: null });
  await bench.settle();
  const notice = async () => store.notification(notificationIdOf(event.id));
  expect(await notice()).toMatchObject({ state: 'open' });
  return { ...bench, recovery, notice };
}

test('a recovery resolves its notice, on the channels that got it', async () => {
  const { store, clock, recovery, notice, decisions } = await failing();
  await recovery.setHealth(health('ok', 'hook'));
  expect(await notice()).toMatchObject({ state: 'open' });
  await clock.advance(3 * 60_000);
  await recovery.setHealth(health('ok'));
  expect(await notice()).toMatchObject({
    state: 'resolved',
    resolved: { why: 'it accepts deliveries again, after 3 min' },
  });
  const rows = await store.deliveries({ channel: 'hook' });
  expect(rows.map(({ operation, revision }) => `${operation} ${revision}`)).toEqual(['send 1', 'update 2']);
  expect(decisions.at(-1)?.deliveries.map(({ channel }) => channel)).toEqual(['hook']);
});

test('a recovery that nobody saw is found at the next start', async () => {
  const { store, recovery, notice } = await failing();
  await recovery.reconcile();
  expect(await notice()).toMatchObject({ state: 'open' });
  await store.setHealth(health('ok'));
  await recovery.reconcile();
  expect(await notice()).toMatchObject({ state: 'resolved' });
});

test('a notice that is decided after its channel recovered is resolved at once', async () => {
  const { store, recovery, notice } = await failing();
  await store.setHealth(health('ok'));
  recovery.decided({ notifications: [madeNotification({ kind: 'agent.waiting' })] });
  await recovery.stop();
  expect(await notice()).toMatchObject({ state: 'open' });
  const raised = await notice();
  recovery.decided({ notifications: raised === null ? [] : [raised] });
  await recovery.stop();
  expect(await notice()).toMatchObject({ state: 'resolved' });
});
