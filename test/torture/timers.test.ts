// Killed clients beside a watch that hangs, with idle channels and a clock that is set back: each is seen within 30 seconds.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LIVENESS_TIMER, createLivenessMonitor } from '../../src/daemon/sessions/liveness.ts';
import { createScheduler } from '../../src/daemon/processing/scheduler.ts';
import type { ClientProcess } from '../../src/model/session/session.ts';
import { openStore } from '../../src/store/open.ts';
import { writerOf } from '../support/deciding.ts';
import { virtualClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeSession } from '../support/made.ts';
import { figures, seeded, size } from './size.ts';
import { keepSession } from '../support/store-writes.ts';

const SECOND = 1_000;
const DAY = 86_400_000;
const WORLDS = size(100, 6);

test(`${WORLDS} worlds with a client killed around a step of the clock`, async () => {
  let longest = 0;
  for (let world = 0; world < WORLDS; world++) {
    const random = seeded(world);
    const clock = virtualClock();
    const store = await openStore(join(temporaryFolder(), 'belfry.db'), { now: clock.now });
    const raised: string[] = [];
    let dead = false;
    const client: ClientProcess = { pid: 4_242, start: '1', name: 'claude' };
    const living = createLivenessMonitor({
      store,
      writer: writerOf(store),
      clock,
      inspector: { findClient: async () => client, findExited: async (all) => (dead ? all : []) },
      agents: () => undefined,
      evidence: async () => null,
      raise: async (event) => void raised.push(String(event.detail)),
      wake: () => timers.wake(),
    });
    const hangs = (): Promise<void> => new Promise((resolve) => void clock.setTimer(120 * SECOND, resolve));
    const timers = createScheduler({
      store,
      clock,
      handlers: { [LIVENESS_TIMER]: living.check, watch: hangs },
      log: () => undefined,
    });
    await keepSession(store, madeSession({ state: 'working', lastEvent: clock.now(), process: client }));
    await living.start();
    if (world % 2 === 0) await store.setTimer({ id: 'w', kind: 'watch', due: clock.now(), data: {} }, clock.now());
    timers.start();
    await clock.advance(random() * 60 * SECOND);
    clock.jump(random() < 0.5 ? -DAY : -random() * DAY);
    dead = true;
    let waited = 0;
    for (; raised.length === 0 && waited < 60; waited++) await clock.advance(SECOND);
    longest = Math.max(longest, waited);
    expect(raised, `world ${world}`).toEqual(['vanished']);
    const end = timers.stop();
    await clock.advance(121 * SECOND);
    await end;
    await store.close();
  }
  figures('timers', { worlds: WORLDS, 'longest until seen, s': longest });
  expect(longest).toBeLessThanOrEqual(30);
});
