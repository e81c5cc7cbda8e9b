// What is over for another reason than what its session reports: it is taken back with why, and what is over already stays as it is.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { resolveNotice, resolveSeen } from '../../src/decisions/resolve-notification.ts';
import type { DecidingDeps } from '../../src/decisions/deciding-deps.ts';
import type { Notification } from '../../src/model/notification/notification.ts';
import { openStore } from '../../src/store/open.ts';
import { decidingOf } from '../support/deciding.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDecision, madeDelivery, madeNotification, NOON } from '../support/made.ts';
import { commitOne } from '../support/store-writes.ts';

const MINUTE = 60_000;
const ACKNOWLEDGED = { state: 'acknowledged', acknowledged: { at: NOON, by: 'Ada', via: 'desk' } } as const;
const RESOLVED = { state: 'resolved', resolved: { at: NOON, why: 'you went on' } } as const;

/** What is left a minute later of a notification with one unsent message, and what its event says of it. */
async function after(before: Partial<Notification>, end: (deps: DecidingDeps) => Promise<void>) {
  const loaded = await loadConfig('[channels.desk]\ntype = "slack"\nurl = "https://hooks.slack.com/services/a"\n');
  if (!loaded.ok) throw new Error('the settings are invalid');
  const store = await openStore(join(temporaryFolder(), 'belfry.db'), { now: () => NOON });
  onTestFinished(() => store.close());
  const row = madeDelivery({ channel: 'desk', unless: 'acknowledged', due: NOON + 2 * MINUTE, scheduled: true });
  await commitOne(store, madeDecision({ notifications: [madeNotification(before)], deliveries: [row] }));
  await end(
    decidingOf(
      store,
      () => NOON + MINUTE,
      () => loaded.config,
    ),
  );
  const notification = await store.notification('ntf_0001');
  return {
    state: notification?.state,
    resolved: notification?.resolved ?? null,
    send: (await store.deliveries({ channel: 'desk' })).map(({ state }) => state),
    said: (await store.event('event-0001'))?.verdicts.map(({ stage, note }) => `${stage}: ${note}`),
  };
}

const seen = (deps: DecidingDeps) => resolveSeen('ntf_0001', 'its pane is in front of you', deps);
const recovered = (deps: DecidingDeps) =>
  resolveNotice('ntf_0001', ({ title }, now) => `${title}, over after ${now - NOON} ms`, deps);
const why = 'seen: its pane is in front of you';
const OVER = { at: NOON + MINUTE, why: 'payments: finished, over after 60000 ms' };

test.each<[name: string, before: Partial<Notification>, end: typeof seen, expected: Awaited<ReturnType<typeof after>>]>(
  [
    [
      'open, and seen',
      {},
      seen,
      { state: 'resolved', resolved: { at: NOON + MINUTE, why }, send: ['cancelled'], said: [`presence: ${why}`] },
    ],
    [
      'acknowledged, and seen',
      ACKNOWLEDGED,
      seen,
      { state: 'acknowledged', resolved: null, send: ['pending'], said: [] },
    ],
    ['open, and recovered', {}, recovered, { state: 'resolved', resolved: OVER, send: ['cancelled'], said: [] }],
    [
      'acknowledged, and recovered',
      ACKNOWLEDGED,
      recovered,
      { state: 'resolved', resolved: OVER, send: ['cancelled'], said: [] },
    ],
    [
      'over before',
      RESOLVED,
      recovered,
      { state: 'resolved', resolved: RESOLVED.resolved, send: ['pending'], said: [] },
    ],
    ['another one', { id: 'ntf_0002' }, seen, { state: undefined, resolved: null, send: ['pending'], said: [] }],
  ],
)('%s', async (_name, before, end, expected) => {
  expect(await after(before, end)).toEqual(expected);
});
