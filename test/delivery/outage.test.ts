// Every channel whose service is down for an hour, or loses its answers: through the worker and the channel's own code, on a virtual clock, with the stand-in for its
// service behind a relay.
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { channelOf } from '../../src/channels/index.ts';
import { createDeliveryService, type DeliveryService } from '../../src/delivery/index.ts';
import type { Event } from '../../src/model/event/event.ts';
import { openStore } from '../../src/store/open.ts';
import { virtualClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeContent, madeDelivery, madeEvent } from '../support/made.ts';
import { type Peer, PEERS, unnamedTypes } from '../support/peers/index.ts';
import { startRelay } from '../support/relay.ts';
import { until } from '../support/wait.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The channel at work against its peer, by a relay. */
async function started(type: string, start: () => Promise<Peer>) {
  const peer = await start();
  const relay = await startRelay(peer.port, peer.acted);
  const channel = channelOf(type);
  if (!channel) throw new Error(`there is no ${type}`);
  const settings = channel.schema.parse({ ...peer.settings(relay.port), allow_private: true });
  const clock = virtualClock();
  const stateFolder = join(temporaryFolder(), 'state');
  await peer.prepare?.(stateFolder, relay.port);
  const store = await openStore(join(stateFolder, 'belfry.db'));
  const raised: Event[] = [];
  let service: DeliveryService | null = null;
  onTestFinished(async () => {
    await service?.stop(0);
    await store.close();
  });
  const begin = (): DeliveryService => {
    const deps = {
      store,
      clock,
      env: process.env,
      platform: process.platform,
      log: () => undefined,
      random: () => 0.5,
      stateFolder,
      raise: async (event: Event) => void raised.push(event),
    };
    return createDeliveryService(deps, new Map([['it', { name: 'it', channel, settings, level: 'full' as const }]]));
  };
  /** Sends take real time, and the waits between them none. */
  const play = async (ms: number): Promise<void> => {
    service ??= begin();
    const end = clock.now() + ms;
    for (;;) {
      await clock.advance(0);
      await until(() => service?.idle, 'what is being sent to end');
      await clock.advance(0);
      if (!service.idle) continue;
      const next = Math.min(clock.nextDue ?? end, end);
      if (clock.now() >= end && next >= end) return;
      await clock.advance(next - clock.now());
    }
  };
  const add = async (...titles: string[]): Promise<void> => {
    for (const title of titles) {
      const threadKey = title.split(' ')[0] ?? title;
      const now = clock.now();
      const content = madeContent({ title, event: madeEvent({ id: title, sessionId: threadKey }) });
      const times = { due: now, createdAt: now, updatedAt: now };
      const id = { id: `dlv ${title}`, notificationId: `ntf ${title}`, eventId: title };
      await store.addDelivery(madeDelivery({ ...id, channel: 'it', threadKey, content, ...times }));
    }
    service?.wake();
  };
  const states = async () => (await store.deliveries({})).map(({ state }) => state);
  return { peer, relay, store, raised, play, add, states };
}

test('no channel of the registry is left out', () => {
  expect(unnamedTypes()).toEqual([]);
});

describe.each(Object.entries(PEERS))('%s', (type, start) => {
  test('down for an hour: few attempts, then everything once, in order within its session', async () => {
    const { peer, relay, store, raised, play, add, states } = await started(type, start);
    await relay.down();
    await add('a 1', 'b 1', 'c 1');
    await play(40 * MINUTE);
    await add('a 2', 'b 2');
    await play(20 * MINUTE);
    expect(peer.titles()).toEqual([]);
    expect(raised.map(({ kind }) => kind)).toEqual(['channel.failing']);
    await relay.up();
    await play(35 * MINUTE);
    await add('a 3');
    await play(5 * MINUTE);
    expect(new Set(await states())).toEqual(new Set(['sent']));
    const titles = peer.titles();
    expect([...titles].sort()).toEqual(['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'c 1']);
    expect(titles.filter((title) => title.startsWith('a'))).toEqual(['a 1', 'a 2', 'a 3']);
    expect(titles.filter((title) => title.startsWith('b'))).toEqual(['b 1', 'b 2']);
    const attempts = await Promise.all((await store.deliveries({})).map(({ id }) => store.attempts(id)));
    expect(Math.max(...attempts.map((each) => each.length))).toBeLessThanOrEqual(12);
    expect(attempts.flat().length).toBeLessThanOrEqual(30);
    expect((await store.health())[0]).toMatchObject({ state: 'ok' });
  });

  test('an answer that is lost: repeated at most once, and not shown twice where the receiver can drop it', async () => {
    const { peer, relay, store, play, add, states } = await started(type, start);
    relay.passing = 'lost';
    await add('a 1');
    await play(1);
    expect(relay.lost()).toBe(1);
    relay.passing = 'open';
    await play(HOUR);
    const attempts = await store.attempts('dlv a 1');
    expect(attempts.map(({ ok }) => ok)).toEqual([false, true]);
    expect(attempts[0]?.error).toMatch(/may have (?:arrived|done its work)|ended by a signal/);
    expect(await states()).toEqual(['sent']);
    expect(peer.titles()).toEqual(DROPS_REPEATS.includes(type) ? ['a 1'] : ['a 1', 'a 1']);
  });

  test('answers that are lost for a day', async () => {
    const { peer, relay, play, add, states } = await started(type, start);
    relay.passing = 'lost';
    await add('a 1');
    await play(DAY);
    const isIdempotent = channelOf(type)?.capabilities.idempotent === true;
    expect(peer.titles().length).toBeLessThanOrEqual(DROPS_REPEATS.includes(type) ? 1 : 2);
    if (!isIdempotent) expect([relay.lost(), await states()]).toEqual([2, ['dead']]);
    else expect(relay.lost()).toBeLessThanOrEqual(12);
  });
});

/** By the sequence of the notification, the id of the mail, or the id of the delivery. */
const DROPS_REPEATS = ['ntfy', 'email', 'webhook', 'mqtt', 'webpush'];
