// The next reminder: on a channel that leaves the settings and comes back, after an outage of its channel, and of what nobody was sent yet.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { FIRST_REMINDER } from '../../src/dispatch/escalation.ts';
import { reminderHandler } from '../../src/decisions/next-reminder.ts';
import type { Config } from '../../src/model/settings/config.ts';
import { type Delivery, IN_DIGEST } from '../../src/model/delivery/delivery.ts';
import { deliveryIdOf } from '../../src/model/ids.ts';
import { openStore } from '../../src/store/open.ts';
import { decidingOf } from '../support/deciding.ts';
import { virtualClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDecision, madeDelivery, madeNotification, NOON } from '../support/made.ts';
import { commitOne } from '../support/store-writes.ts';
import { nextTimer, timersDue } from '../support/timers.ts';

const MINUTE = 60_000;
const DESK = '[channels.desk]\ntype = "slack"\nurl = "https://hooks.slack.com/services/a"\n';

async function configOf(text: string): Promise<Config> {
  const loaded = await loadConfig(text);
  if (!loaded.ok) throw new Error('the settings are invalid');
  return loaded.config;
}

/** A notification with these rows and a reminder every minute; `remind` goes to the next. */
async function reminded(rows: readonly Delivery[], config: () => Config) {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  onTestFinished(() => store.close());
  const clock = virtualClock(NOON);
  const timer = {
    id: 'remind:ntf_0001',
    kind: 'remind',
    due: NOON + MINUTE,
    data: { notification: 'ntf_0001', number: 1, repeat: MINUTE, channels: [{ channel: 'desk', only: 'always' }] },
  };
  await commitOne(
    store,
    madeDecision({ notifications: [madeNotification()], deliveries: rows, timers: { set: [timer], clear: [] } }),
  );
  const deciding = decidingOf(store, clock.now, config);
  const handle = reminderHandler({ ...deciding, store, config, home: '' });
  return async (): Promise<readonly Delivery[]> => {
    const due = (await nextTimer(store)) ?? 0;
    await clock.advance(due - clock.now());
    const [next] = await timersDue(store, due, 1);
    if (next !== undefined) await handle(next);
    return store.deliveries({ channel: 'desk' });
  };
}

test('a channel that was removed is reminded no more, and again once it is back', async () => {
  let config = await configOf(DESK);
  const remind = await reminded([madeDelivery({ channel: 'desk', state: 'sent' })], () => config);
  expect(await remind()).toHaveLength(2);
  config = await configOf('');
  for (const _time of [1, 2, 3]) expect(await remind()).toHaveLength(2);
  config = await configOf(DESK);
  expect(await remind()).toHaveLength(3);
});

test('one whose number a digest took is planned again', async () => {
  const config = await configOf(DESK);
  const number = { step: FIRST_REMINDER + 1, unless: 'acknowledged' } as const;
  const id = deliveryIdOf('e', 'desk', {
    notificationId: 'ntf_0001',
    operation: 'send',
    revision: 1,
    step: number.step,
  });
  const before = madeDelivery({ ...number, id, channel: 'desk', state: 'superseded', lastError: `${IN_DIGEST}x` });
  const first = madeDelivery({ id: 'first', channel: 'desk', state: 'sent' });
  const remind = await reminded(
    [
      { ...first, eventId: 'e' },
      { ...before, eventId: 'e' },
    ],
    () => config,
  );
  expect((await remind()).filter(({ step }) => step === number.step)).toMatchObject([
    { state: 'superseded', revision: 1 },
    { state: 'pending', revision: 2 },
  ]);
});

test.each<[name: string, first: Partial<Delivery>, planned: number]>([
  ['is held: not before it goes out', { heldBy: 'quiet' }, 0],
  ['is only late', {}, 1],
  ['is held and fails: that is what reminders are for', { heldBy: 'quiet', attempts: 1 }, 1],
  ['is paused, as its channel fails', { state: 'paused', heldBy: 'quiet' }, 1],
])('of what nobody was sent yet, as it %s', async (_name, first, planned) => {
  const config = await configOf(DESK);
  const remind = await reminded([madeDelivery({ channel: 'desk', ...first })], () => config);
  expect((await remind()).filter(({ step }) => step >= FIRST_REMINDER)).toHaveLength(planned);
});
