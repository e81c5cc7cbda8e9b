// `status` counts what waits, however much that is.
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { pathsBelow } from '../support/home.ts';
import { madeDecision, madeDelivery } from '../support/made.ts';
import { startDaemon } from '../support/programs.ts';
import { asked, homeWith } from '../support/thread.ts';

const channel = (name: string): string =>
  `[channels.${name}]\ntype = "webhook"\nurl = "http://127.0.0.1:9"\nallow_private = true\n`;

test('each channel with all that waits for it, behind ten thousand of another', async () => {
  const home = homeWith(`${channel('old')}${channel('new')}${channel('none')}`);
  const now = Date.now();
  const store = await openStore(pathsBelow(home).database);
  const waiting = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) =>
      madeDelivery({
        ...{ id: `${name}-${i}`, eventId: 'e', channel: name, sessionKey: `s${i}`, state: 'pending' },
        ...{ due: now + 3_600_000, createdAt: now, updatedAt: now },
      }),
    );
  const deliveries = [...waiting('old', 500), ...waiting('new', 10_000)];
  await store.commitDecision(madeDecision({ entryId: 'e', at: now, deliveries }));
  await store.close();
  await startDaemon(home);
  const { channels } = await asked<{ channels: { name: string; waiting: number }[] }>(home, ['status']);
  expect(Object.fromEntries(channels.map((entry) => [entry.name, entry.waiting]))).toEqual({
    old: 500,
    new: 10_000,
    none: 0,
  });
});
