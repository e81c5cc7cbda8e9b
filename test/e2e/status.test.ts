// `status`: what waits, however much that is; how the last attempt at each channel went; the watches.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { pathsBelow } from '../support/home.ts';
import { madeDecision, madeDelivery } from '../support/made.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';
import { asked, homeWith } from '../support/thread.ts';
import { commitOne } from '../support/store-writes.ts';

const channel = (name: string): string =>
  `[channels.${name}]\ntype = "webhook"\nurl = "http://127.0.0.1:9"\nallow_private = true\n`;

test('each channel with all that waits for it, behind ten thousand of another', async () => {
  const home = homeWith(`${channel('old')}${channel('new')}${channel('none')}`);
  const now = Date.now();
  const store = await openStore(pathsBelow(home).database);
  const waiting = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) =>
      madeDelivery({
        id: `${name}-${i}`,
        eventId: 'e',
        channel: name,
        threadKey: `s${i}`,
        state: 'pending',
        due: now + 3_600_000,
        createdAt: now,
        updatedAt: now,
      }),
    );
  const deliveries = [...waiting('old', 500), ...waiting('new', 10_000)];
  await commitOne(store, madeDecision({ entryId: 'e', at: now, deliveries }));
  await store.close();
  writeFileSync(join(pathsBelow(home).state, 'announced-changes'), '99\n'); // it is no home of an earlier version
  await startDaemon(home);
  const { channels } = await asked<{ channels: { name: string; waiting: number }[] }>(home, ['status']);
  expect(Object.fromEntries(channels.map((entry) => [entry.name, entry.waiting]))).toEqual({
    old: 500,
    new: 10_000,
    none: 0,
  });
});

test('a channel is ok only if its last delivery was accepted', async () => {
  const receiver = await startReceiver();
  const home = homeWith(channel('audit').replace('http://127.0.0.1:9', receiver.url));
  await startDaemon(home);
  const line = async (): Promise<string> => /^channel +(.*)$/m.exec((await belfry(home, ['status'])).stdout)?.[1] ?? '';
  expect(await line()).toBe('audit (webhook) no event sent yet; `belfry test audit` sends a test');
  receiver.answer = () => 400;
  expect((await belfry(home, ['test'])).code).toBe(5);
  expect(await line()).toMatch(/^audit \(webhook\) last delivery failed (just now|\d+ s ago): answered 400/);
  receiver.answer = () => 200;
  expect((await belfry(home, ['test'])).code).toBe(0);
  expect(await line()).toMatch(/^audit \(webhook\) ok, last delivery (just now|\d+ s ago)$/);
  const { channels } = await asked<{ channels: unknown[] }>(home, ['status']);
  expect(channels).toEqual([
    expect.objectContaining({
      state: 'ok',
      last_attempt: { at: expect.stringContaining('T'), ok: true, reason: null, error: null },
    }),
  ]);
});

test('a watch with its last poll, why that failed, and the next; --json counts before and after each word', async () => {
  const home = homeWith('[watches.controls]\nevery = "10m"\n');
  await startDaemon(home);
  const polled = async () => {
    const { watches } = await asked<{ watches: { last_poll: string | null }[] }>(home, ['status']);
    return watches[0]?.last_poll ? watches : null;
  };
  expect(await until(polled, 'the first poll')).toEqual([
    {
      name: 'controls',
      last_poll: expect.stringContaining('T'),
      error: expect.stringContaining('base_url'),
      next_poll: expect.stringContaining('T'),
    },
  ]);
  expect((await belfry(home, ['status'])).stdout).toMatch(
    /^watch +controls last poll failed .*, next in \d+ (s|min): no addr/m,
  );
  for (const args of [
    ['--json', 'status'],
    ['--json', 'daemon', 'status'],
    ['daemon', '--json', 'status'],
    ['daemon', 'status', '--json'],
    ['--json', 'mute', '--list'],
  ])
    expect(JSON.parse((await belfry(home, args)).stdout), args.join(' ')).toBeDefined();
});
