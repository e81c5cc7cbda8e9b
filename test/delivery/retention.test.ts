// The hourly retention: what waited a week is a dead letter, limits are kept, the file shrinks.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRetention } from '../../src/delivery/index.ts';
import { openStore } from '../../src/store/open.ts';
import { virtualClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDecision, madeDelivery, madeEntry, madeEvent, NOON } from '../support/made.ts';
import { until } from '../support/wait.ts';
import { commitOne } from '../support/store-writes.ts';

const DAY = 86_400_000;

/** Of those that are never sent, only what could not be sent for a week is given up: not what is held, or is to come later, or came due of late. */
const UNSENT: readonly Parameters<typeof madeDelivery>[0][] = [
  { state: 'pending' },
  { state: 'paused', attempts: 3, due: NOON + 8 * DAY },
  { state: 'pending', scheduled: true, heldBy: 'mute:1' },
  { state: 'pending', scheduled: true, due: NOON + 8 * DAY },
  { state: 'paused', due: NOON + 2 * DAY },
];

test('expires, prunes, shrinks, and stops', async () => {
  const file = join(temporaryFolder(), 'belfry.db');
  const store = await openStore(file);
  const clock = virtualClock(NOON);
  const said: string[] = [];
  for (let i = 0; i < 200; i++) {
    const id = `event-${i}`;
    await store.append(madeEntry({ id, receivedAt: NOON, raw: new Uint8Array(10_000) }));
    await commitOne(
      store,
      madeDecision({
        entryId: id,
        events: [{ event: madeEvent({ id, at: NOON }), fingerprint: null, verdicts: [] }],
        deliveries: [madeDelivery({ id: `d-${i}`, eventId: id, ...(UNSENT[i] ?? { state: 'sent' }) })],
      }),
    );
  }
  const settings = { days: 30, size: 200_000_000 };
  const rules: unknown[] = [];
  const tidyFiles = (given: unknown): number => rules.push(given) * 0;
  const stop = startRetention({
    store,
    clock,
    retention: () => settings,
    expired: async () => undefined,
    tidyFiles,
    log: (message) => said.push(message),
  });
  await clock.advance(1);
  expect((await store.deliveries({ states: ['pending', 'paused'] })).map((d) => d.id)).toEqual([
    'd-0',
    'd-1',
    'd-2',
    'd-3',
    'd-4',
  ]);
  expect(said).toEqual([]);
  const before = statSync(file).size;
  await clock.advance(8 * DAY);
  await until(() => statSync(file).size < before / 2, 'the file to shrink');
  expect((await store.deliveries({ states: ['dead'] })).map((d) => d.id)).toEqual(['d-0', 'd-1']);
  expect((await store.counts()).events).toBe(200);
  expect((await store.entry('event-5'))?.raw).toBeNull();
  settings.size = 100_000; // changed settings take effect at the next look
  await clock.advance(DAY);
  await until(async () => (await store.counts()).bytes <= 300_000, 'the size to be kept');
  expect(rules.at(0)).toEqual({ now: NOON, rawAgeMs: 7 * DAY, maxAgeMs: 30 * DAY, maxBytes: 200_000_000 });
  expect(rules.at(-1)).toMatchObject({ maxBytes: 100_000 });
  await stop();
  expect(clock.pending).toBe(0);
  await store.close();
});
