// One poll of a watch: what it saw is journaled before its cursor moves; a fault backs off and is reported once.
import type { Client } from '../api/index.ts';
import { ApiError } from '../api/client/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { errorMessage } from '../lib/text/error-message.ts';
import type { Event } from '../model/event/event.ts';
import type { Watch } from '../model/watch/watch.ts';
import type { Store } from '../store/contract.ts';
import { failingEvent, observedEvent } from './watch-events.ts';
import { keepWatchHealth, watchHealth } from './watch-health.ts';

/** A watch that config.toml switches on, with its validated settings. */
export interface ActiveWatch {
  readonly watch: Watch;
  readonly settings: unknown;
}

export interface WatchPollDeps {
  readonly store: Pick<Store, 'cursor' | 'setCursor'>;
  /** Null: no address or key is configured. Read for each poll, so that changed settings take effect. */
  readonly client: () => Promise<Client | null>;
  /** Ids of the sessions that `belfry api` created. */
  readonly created: () => Promise<readonly string[]>;
  /** Journals an event; the same id again changes nothing. */
  readonly accept: (event: Event, occurrence: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

const LONGEST_ERROR = 300;
/** Longest a look may take, ms. */
const POLL_TIMEOUT = 120_000;
/** Shortest pause after a fault, longest one after the first, longest of all, ms. */
const SHORTEST_PAUSE = 30_000;
const FIRST_PAUSE = 600_000;
const LONGEST_PAUSE = 6 * 3_600_000;
/** Faults in a row before they are reported; a refused key is reported at once. */
const REPORT_AFTER = 3;

/** Resolves with when to poll next (Unix ms), null when `stopping` cut it short. Never throws for expected trouble. */
export async function pollWatch(
  active: ActiveWatch,
  deps: WatchPollDeps,
  stopping: AbortSignal,
): Promise<number | null> {
  try {
    const due = await look(active, deps, stopping);
    await noteSuccess(active.watch.name, deps);
    return due;
  } catch (error) {
    return stopping.aborted ? null : noteFault(active, error, deps);
  }
}

async function look({ watch, settings }: ActiveWatch, deps: WatchPollDeps, stopping: AbortSignal): Promise<number> {
  const { store, clock, accept } = deps;
  const client = await deps.client();
  if (client === null) throw new Error('no address or key of the service: set [api] base_url and key in config.toml');
  const now = clock.now();
  const key = `watch:${watch.name}`;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(POLL_TIMEOUT)]);
  const created = await deps.created();
  const cursor = (await store.cursor(key)) ?? null;
  const seen = await watch.poll({ client, settings, cursor, now, signal, created });
  // Journaled before the cursor moves: a crash between the two sees the same occurrences, with the same ids, again.
  for (const observation of seen.observations)
    await accept(observedEvent(watch.name, observation), observation.occurrence);
  await store.setCursor(key, seen.cursor);
  return seen.again ?? watch.next(settings, now);
}

async function noteSuccess(name: string, { store, clock, log }: WatchPollDeps): Promise<void> {
  const { faults } = await watchHealth(store, name);
  if (faults > 0) log('a watch works again', { watch: name, faults });
  await keepWatchHealth(store, name, { faults: 0, reported: false, polledAt: clock.now(), error: null });
}

/** When to try again. */
async function noteFault({ watch, settings }: ActiveWatch, error: unknown, deps: WatchPollDeps): Promise<number> {
  const { store, clock, log, accept } = deps;
  const { name } = watch;
  const now = clock.now();
  const before = await watchHealth(store, name);
  const faults = before.faults + 1;
  const refused = error instanceof ApiError && (error.status === 401 || error.status === 403);
  const reporting = !before.reported && (refused || faults >= REPORT_AFTER);
  const why = errorMessage(error);
  log('a watch poll failed', { watch: name, faults, why });
  if (reporting) await accept(failingEvent(name, why, now), `failing since ${now}`);
  await keepWatchHealth(store, name, {
    faults,
    reported: before.reported || reporting,
    polledAt: now,
    error: why.slice(0, LONGEST_ERROR),
  });
  const first = Math.max(SHORTEST_PAUSE, Math.min(watch.next(settings, now) - now, FIRST_PAUSE));
  return now + Math.min(LONGEST_PAUSE, first * 2 ** Math.min(faults - 1, 10));
}
