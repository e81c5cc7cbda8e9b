// Drives the watches through time on an injected clock, against the sandbox over real HTTP and a real database.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClient } from '../../../src/api/index.ts';
import type { Event } from '../../../src/model/event/event.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { createWatchScheduler, type WatchScheduler } from '../../../src/sources/watch-scheduler.ts';
import { watches } from '../../../src/sources/watches/index.ts';
import { openStore } from '../../../src/store/open.ts';
import { virtualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/home.ts';
import { nextTimer, timersDue } from '../../support/timers.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Starts at noon UTC; `settings` as below [watches]. */
export async function drive(settings: Readonly<Record<string, unknown>>, start = Date.UTC(2026, 5, 10, 12)) {
  const clock = virtualClock(start);
  const sandbox = await startSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const file = join(temporaryFolder(), 'state', 'belfry.db');
  let store = await openStore(file, { now: clock.now });
  onTestFinished(() => store.close());
  const notified = new Map<string, Event>();
  const created: string[] = [];
  const faults: string[] = [];
  let baseUrl = sandbox.baseUrl;
  let key = sandbox.apiKey;
  let inForce = settings;
  const active = () =>
    watches
      .filter(({ name }) => inForce[name] !== undefined)
      .map((watch) => ({ watch, settings: watch.schema.parse(inForce[watch.name]) }));
  const watching = (): WatchScheduler =>
    createWatchScheduler({
      store,
      client: async () => createClient({ baseUrl, appUrl: sandbox.appUrl, key, clock, retries: 0, timeoutMs: 10_000 }),
      active,
      created: async () => created,
      accept: async (event) => void notified.set(event.id, event),
      clock,
      log: (message) => void faults.push(message),
    });
  let current = watching();
  await current.schedule();

  return {
    sandbox,
    clock,
    created,
    faults,
    client: () =>
      createClient({ baseUrl: sandbox.baseUrl, appUrl: sandbox.appUrl, key: sandbox.apiKey, clock, retries: 0 }),
    /** What was sent so far, in order. */
    notified: (): Event[] => [...notified.values()],
    titles: (): string[] => [...notified.values()].map((event) => event.presetText?.title ?? ''),
    /** Lets time pass; every timer on the way is run when it is due. */
    pass: async (ms: number): Promise<void> => {
      const end = clock.now() + ms;
      for (;;) {
        const due = await nextTimer(store);
        if (due === null || due > end) break;
        clock.jump(Math.max(0, due - clock.now()));
        for (const timer of await timersDue(store, clock.now(), 100)) {
          await store.clearTimer(timer.id);
          await current.poll(String(timer.data['name']));
        }
      }
      clock.jump(end - clock.now());
    },
    /** Ends the watching and the store and starts them again after `ms` of nobody looking. */
    restart: async (ms = 0): Promise<void> => {
      await current.stop();
      await store.close();
      clock.jump(ms);
      store = await openStore(file, { now: clock.now });
      current = watching();
      await current.schedule();
    },
    set: async (next: Readonly<Record<string, unknown>>): Promise<void> => {
      inForce = next;
      await current.schedule();
    },
    /** Makes the service unreachable, or reachable again. */
    outage: (on: boolean): void => {
      baseUrl = on ? 'http://127.0.0.1:9' : sandbox.baseUrl;
    },
    useKey: (other: string): void => {
      key = other;
    },
  };
}
