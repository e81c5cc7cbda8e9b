// Two processes over one file: what a killed one held comes back at once, what a living one holds does not.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HERE } from '../../src/model/session/whereabouts.ts';
import { openStore } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDecision, madeDelivery, madeSession, NOON, SESSION } from '../support/made.ts';
import { commitOne, keepSession } from '../support/store-writes.ts';

const holder = new URL('../support/lease-holder.ts', import.meta.url).pathname;

/** A process that claims all there is and then stays; resolves when it has. */
async function hold(file: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', holder, file, String(NOON)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

test('a killed owner gives way to the next start, a living one does not', async () => {
  const file = join(temporaryFolder(), 'state', 'belfry.db');
  const store = await openStore(file);
  onTestFinished(() => store.close());
  for (const id of ['a', 'b']) await store.addDelivery(madeDelivery({ id, threadKey: id }));
  await store.setTimer({ id: 't', kind: 'hold', due: NOON, data: {} }, NOON);
  const { child, said } = await hold(file);
  expect(said).toBe('2 1');
  const claim = { now: NOON, leaseMs: 1_000, limit: 10 };
  expect(await store.reclaimLeases({ now: NOON })).toBe(0);
  expect(await store.reclaimLeases({ now: NOON, channel: 'team' })).toBe(0);
  expect(await store.claim('team', claim)).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await store.reclaimLeases({ now: NOON, channel: 'team' })).toBe(2);
  expect(await store.reclaimLeases({ now: NOON })).toBe(1);
  expect(await store.claim('team', claim)).toHaveLength(2);
  expect((await store.claimTimers(claim)).timers).toHaveLength(1);
});

test.each([
  ['another machine', 'elsewhere:1:1', 0],
  ['a process of this machine that ended, its pid used again', `${HERE.host}:${process.pid}:1`, 1],
])('leases of %s', async (_what, owner, freed) => {
  const file = join(temporaryFolder(), 'state', 'belfry.db');
  const other = await openStore(file, { owner });
  const store = await openStore(file);
  onTestFinished(async () => {
    await other.close();
    await store.close();
  });
  await other.addDelivery(madeDelivery());
  await other.claim('team', { now: NOON, leaseMs: 1_000, limit: 1 });
  expect(await store.reclaimLeases({ now: NOON })).toBe(freed);
  expect(await store.reclaimLeases({ now: NOON + 1_000 })).toBe(1 - freed);
});

test('conflicting decisions of two processes: one is written', async () => {
  const file = join(temporaryFolder(), 'state', 'belfry.db');
  const store = await openStore(file);
  onTestFinished(() => store.close());
  await keepSession(store, madeSession());
  const read = await store.session(SESSION);
  const { said } = await hold(file); // decides over the session as well
  expect(said).toBe('0 0');
  const mine = madeDecision({ entryId: 'mine', events: [], sessions: read === null ? [] : [read] });
  expect(await commitOne(store, mine)).toBe('conflict');
  expect(await store.session(SESSION)).toMatchObject({ version: 2, title: 'decided elsewhere' });
});
