// Reminders end on a channel that leaves the settings, and go on when it comes back.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { reminderHandler } from '../../src/decisions/next-reminder.ts';
import type { Config } from '../../src/model/config.ts';
import { openStore } from '../../src/store/open.ts';
import { decidingOf } from '../support/deciding.ts';
import { virtualClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDecision, madeDelivery, madeNotification, NOON } from '../support/made.ts';

const MINUTE = 60_000;
const DESK = '[channels.desk]\ntype = "slack"\nurl = "https://hooks.slack.com/services/a"\n';

async function configOf(text: string): Promise<Config> {
  const loaded = await loadConfig(text);
  if (!loaded.ok) throw new Error('the settings are invalid');
  return loaded.config;
}

test('a channel that was removed is reminded no more, and again once it is back', async () => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  onTestFinished(() => store.close());
  const clock = virtualClock(NOON);
  const timer = {
    ...{ id: 'remind:ntf_0001', kind: 'remind', due: NOON + MINUTE },
    data: { notification: 'ntf_0001', number: 1, repeat: MINUTE, channels: [{ channel: 'desk', only: 'always' }] },
  };
  await store.commitDecision(
    madeDecision({
      notifications: [madeNotification()],
      deliveries: [madeDelivery({ channel: 'desk', state: 'sent' })],
      timers: { set: [timer], clear: [] },
    }),
  );
  let config = await configOf(DESK);
  const deciding = decidingOf(store, clock.now, () => config);
  const handle = reminderHandler({ ...deciding, store, config: () => config, home: '' });
  const remind = async (): Promise<number> => {
    const due = (await store.nextTimer()) ?? 0;
    await clock.advance(due - clock.now());
    const [next] = await store.timersDue(due, 1);
    if (next !== undefined) await handle(next);
    return (await store.deliveries({ channel: 'desk' })).length - 1;
  };
  expect(await remind()).toBe(1);
  config = await configOf('');
  for (const _time of [1, 2, 3]) expect(await remind()).toBe(1);
  config = await configOf(DESK);
  expect(await remind()).toBe(2);
});
