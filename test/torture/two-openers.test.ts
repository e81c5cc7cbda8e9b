// Two processes deliver what one database holds while one of them is killed again and again: nothing is lost, nothing but what was in flight
// at a kill is sent twice, and the order of each session and channel holds.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDelivery } from '../support/made.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';
import { figures, seeded, size } from './size.ts';

const KILLS = size(10, 3);
const EACH_ROUND = 100;
const SESSIONS = 10;
const CHANNELS = ['audit', 'team'] as const;
/** Most that one process has in flight: a webhook's limit on each channel. */
const IN_FLIGHT = 8 * CHANNELS.length;

const program = new URL('two-openers-process.ts', import.meta.url).pathname;

/** Resolves when it delivers. */
async function startOpener(database: string, url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', program, database, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

const idOf = ({ headers }: Received): string => String(headers['webhook-id']);

/** Ids in the order of their first arrival, and the requests that came for an id again. */
function arrivals(requests: readonly Received[]) {
  const first = new Map<string, Received>();
  const repeats: Received[] = [];
  for (const request of requests)
    if (first.has(idOf(request))) repeats.push(request);
    else first.set(idOf(request), request);
  return { first, repeats };
}

test(`${KILLS * EACH_ROUND} deliveries by two processes, one killed ${KILLS} times`, async () => {
  const database = join(temporaryFolder(), 'belfry.db');
  const store = await openStore(database);
  onTestFinished(() => store.close());
  const receiver = await startReceiver();
  receiver.answer = () => (_request, response) => void setTimeout(() => response.end(), 5); // so that a kill finds some in flight
  await startOpener(database, `${receiver.url}/steady`);
  const random = seeded(11);
  const lines = new Map<string, string[]>();
  let added = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const mortal = await startOpener(database, `${receiver.url}/mortal`);
    const from = receiver.requests.length;
    for (let n = 0; n < EACH_ROUND; n++, added++) {
      const channel = CHANNELS[added % CHANNELS.length] ?? 'audit';
      const threadKey = `session-${Math.floor(added / CHANNELS.length) % SESSIONS}`;
      const id = `dlv_${added}`;
      const line = `${channel} ${threadKey}`;
      lines.set(line, [...(lines.get(line) ?? []), id]);
      const now = store.now();
      const times = { due: now, createdAt: now, updatedAt: now };
      await store.addDelivery(madeDelivery({ id, notificationId: `ntf_${added}`, channel, threadKey, ...times }));
    }
    const byMortal = () => receiver.requests.slice(from).filter(({ path }) => path.startsWith('/mortal')).length;
    const wanted = 1 + Math.floor(random() * 20);
    await until(() => byMortal() >= wanted, 'the one to be killed to be at work', 120_000);
    mortal.kill('SIGKILL');
    await once(mortal, 'exit');
  }
  await startOpener(database, `${receiver.url}/mortal`); // takes back what the last one held
  const unfinished = async () =>
    (await store.deliveries({ states: ['pending', 'leased', 'paused'], limit: 10_000 })).length;
  await until(async () => (await unfinished()) === 0, 'all deliveries to end', 120_000).catch(() => undefined);

  const { first, repeats } = arrivals(receiver.requests);
  const order = [...first.keys()];
  const disordered = [...lines.values()].filter((ids) => {
    const places = ids.map((id) => order.indexOf(id));
    return places.some((place, i) => i > 0 && place < (places[i - 1] ?? 0));
  });
  const lost = [...lines.values()].flat().filter((id) => !first.has(id));
  // Only the killed one leaves requests whose outcome nobody wrote down.
  const unexplained = repeats.filter((request) => !first.get(idOf(request))?.path.startsWith('/mortal'));
  const states = (await store.deliveries({ limit: 10_000 })).map(({ state }) => state);
  const bySteady = receiver.requests.filter(({ path }) => path.startsWith('/steady')).length;
  figures('two openers', {
    deliveries: added,
    kills: KILLS,
    'sent by the steady one': bySteady,
    'sent by the killed one': receiver.requests.length - bySteady,
    lost: lost.length,
    'sent twice, in flight at a kill': repeats.length - unexplained.length,
    'sent twice for no reason': unexplained.length,
    'lines out of order': disordered.length,
  });
  expect(lost).toEqual([]);
  expect(disordered).toEqual([]);
  expect(unexplained).toEqual([]);
  expect(repeats.length).toBeLessThanOrEqual(KILLS * IN_FLIGHT);
  expect(states).toEqual(Array.from({ length: added }, () => 'sent'));
});
