// Schedules the watches: each poll is a timer row, so a restart forgets none; a fault backs off and is reported once.
import type { Client } from '../api/index.ts';
import { ApiError } from '../api/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { HERE } from '../model/local-host.ts';
import type { Event } from '../model/event.ts';
import type { Observation, Watch } from '../model/watch.ts';
import type { Store } from '../store/contract.ts';
import { errorMessage } from '../lib/error-message.ts';
import { sha256 } from '../lib/hash.ts';

/** The agent of what watches of the organization's service see. */
export const SERVICE = 'service';

/** A watch that config.toml switches on, with its validated settings. */
export interface ActiveWatch {
  readonly watch: Watch;
  readonly settings: unknown;
}

/** What the scheduler needs. */
export interface WatchSchedulerDeps {
  readonly store: Pick<Store, 'cursor' | 'setCursor' | 'setTimer' | 'clearTimer'>;
  /** Null: no address or key is configured. Read for each poll, so that changed settings take effect. */
  readonly client: () => Promise<Client | null>;
  /** The watches in force now. */
  readonly active: () => readonly ActiveWatch[];
  /** Ids of the sessions that `belfry api` created. */
  readonly created: () => Promise<readonly string[]>;
  /** Journals an event; the same id again changes nothing. */
  readonly accept: (event: Event, occurrence: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Kind of the timer rows. */
export const WATCH_TIMER = 'watch';

/** The running scheduler. */
export interface WatchScheduler {
  /** Sets a timer for each watch in force and clears those of the others; at start and after a change of the settings. */
  schedule(): Promise<void>;
  /** One poll of the named watch, for its timer. Never throws for expected trouble; sets the next timer itself. */
  poll(name: string): Promise<void>;
  /** Cancels running polls and waits for them. */
  stop(): Promise<void>;
}

/** How often a watch has failed in a row, and how its last poll went. */
interface Health {
  readonly faults: number;
  readonly reported: boolean;
  /** Unix ms; null: not polled yet. */
  readonly polledAt: number | null;
  readonly error: string | null;
}

/** How a watch stands, for `belfry status`. Unix ms. */
export interface WatchStatus {
  readonly name: string;
  /** Null: not polled yet. */
  readonly polledAt: number | null;
  /** Of the last poll; null: it worked. */
  readonly error: string | null;
  /** Null: not scheduled. */
  readonly next: number | null;
}

/** Most timers looked through for those of the watches. */
const MOST_TIMERS = 10_000;

/** How each of these watches stands. */
export async function watchStatus(
  store: Pick<Store, 'cursor' | 'timersDue'>,
  names: readonly string[],
): Promise<readonly WatchStatus[]> {
  if (names.length === 0) return [];
  const timers = await store.timersDue(Number.MAX_SAFE_INTEGER, MOST_TIMERS);
  return Promise.all(
    names.map(async (name) => {
      const { polledAt, error } = healthOf(await store.cursor(healthKey(name)));
      return { name, polledAt, error, next: timers.find(({ id }) => id === timerId(name))?.due ?? null };
    }),
  );
}

const LONGEST_ERROR = 300;
/** Longest a look may take, ms. */
const POLL_TIMEOUT = 120_000;
/** Longest pause after faults, ms. */
const LONGEST_PAUSE = 6 * 3_600_000;
/** Faults in a row before they are reported; a refused key is reported at once. */
const REPORT_AFTER = 3;

const timerId = (name: string): string => `${WATCH_TIMER}:${name}`;
const healthKey = (name: string): string => `watch-health:${name}`;
const cursorKey = (name: string): string => `watch:${name}`;
const armedKey = 'watches-armed';

/** Builds the scheduler; nothing runs before `schedule`. */
export function createWatchScheduler(deps: WatchSchedulerDeps): WatchScheduler {
  const { store, clock, log } = deps;
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();

  async function pollOnce({ watch, settings }: ActiveWatch, client: Client): Promise<number> {
    const now = clock.now();
    const key = cursorKey(watch.name);
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(POLL_TIMEOUT)]);
    const created = await deps.created();
    const seen = await watch.poll({
      client,
      settings,
      cursor: (await store.cursor(key)) ?? null,
      now,
      signal,
      created,
    });
    // Journaled before the cursor moves: a crash between the two sees the same occurrences, with the same ids, again.
    for (const observation of seen.observations)
      await deps.accept(eventOf(watch.name, observation), observation.occurrence);
    await store.setCursor(key, seen.cursor);
    return seen.again ?? watch.next(settings, now);
  }

  async function fault(active: ActiveWatch, error: unknown): Promise<number> {
    const { name } = active.watch;
    const now = clock.now();
    const before = healthOf(await store.cursor(healthKey(name)));
    const faults = before.faults + 1;
    const refused = error instanceof ApiError && (error.status === 401 || error.status === 403);
    const reporting = !before.reported && (refused || faults >= REPORT_AFTER);
    const why = errorMessage(error);
    log('a watch poll failed', { watch: name, faults, why });
    if (reporting) await deps.accept(failing(name, why, now), `failing since ${now}`);
    await store.setCursor(healthKey(name), {
      faults,
      reported: before.reported || reporting,
      polledAt: now,
      error: why.slice(0, LONGEST_ERROR),
    } satisfies Health);
    const regular = active.watch.next(active.settings, now) - now;
    const pause = Math.min(LONGEST_PAUSE, Math.max(30_000, Math.min(regular, 600_000)) * 2 ** Math.min(faults - 1, 10));
    return now + pause;
  }

  async function poll(name: string): Promise<void> {
    const active = deps.active().find(({ watch }) => watch.name === name);
    if (!active) return store.clearTimer(timerId(name));
    let due: number;
    try {
      const client = await deps.client();
      if (client === null)
        throw new Error('no address or key of the service: set [api] base_url and key in config.toml');
      due = await pollOnce(active, client);
      const health = healthOf(await store.cursor(healthKey(name)));
      if (health.faults > 0) log('a watch works again', { watch: name, faults: health.faults });
      const worked: Health = { faults: 0, reported: false, polledAt: clock.now(), error: null };
      await store.setCursor(healthKey(name), worked);
    } catch (error) {
      if (stopping.signal.aborted) return; // the timer row stays: the next start polls
      due = await fault(active, error);
    }
    await store.setTimer({ id: timerId(name), kind: WATCH_TIMER, due, data: { name } }, clock.now());
  }

  return {
    schedule: async () => {
      const now = clock.now();
      const before = armedOf(await store.cursor(armedKey));
      const armed = Object.fromEntries(
        deps.active().map(({ watch, settings }) => [watch.name, JSON.stringify(settings)]),
      );
      for (const name of Object.keys(before)) if (armed[name] === undefined) await store.clearTimer(timerId(name));
      for (const { watch, settings } of deps.active()) {
        const { name } = watch;
        // The row of an earlier run is kept: a poll that was due while nothing ran happens now.
        if (before[name] === armed[name]) continue;
        const due = before[name] === undefined ? now : watch.next(settings, now);
        await store.setTimer({ id: timerId(name), kind: WATCH_TIMER, due, data: { name } }, now);
      }
      await store.setCursor(armedKey, armed);
    },
    poll: (name) => {
      const running = underWay.get(name) ?? poll(name).finally(() => underWay.delete(name));
      underWay.set(name, running);
      return running;
    },
    stop: async () => {
      stopping.abort();
      await Promise.allSettled(underWay.values());
    },
  };
}

function healthOf(value: unknown): Health {
  const { faults, reported, polledAt, error } = (value ?? {}) as Partial<Health>;
  return {
    faults: typeof faults === 'number' ? faults : 0,
    reported: reported === true,
    polledAt: typeof polledAt === 'number' ? polledAt : null,
    error: typeof error === 'string' ? error : null,
  };
}

/** Names of the watches scheduled before, each with its settings as JSON. */
function armedOf(value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {};
}

/** The same occurrence gives the same id, so that seeing it twice is one event. */
function idOf(watch: string, occurrence: string): string {
  return `watch-${sha256(`${watch}\n${occurrence}`, 32)}`;
}

function eventOf(watch: string, observation: Observation): Event {
  const { occurrence, title, body, at, ...rest } = observation;
  return { id: idOf(watch, occurrence), ...rest, ...NOBODY, at, presetText: { title, body }, message: body };
}

function failing(watch: string, why: string, now: number): Event {
  const body = `${why}\nIt is retried, less and less often. Run \`belfry doctor\`.`;
  return {
    id: idOf(watch, `failing since ${now}`),
    kind: 'watch.failing',
    ...NOBODY,
    sessionId: null,
    project: null,
    detail: watch,
    abnormal: true,
    urgency: 'normal',
    at: now,
    message: why,
    presetText: { title: `The watch ${watch} is failing`, body },
    attributes: { watch },
  };
}

const NOBODY = {
  agent: SERVICE,
  ...HERE,
  place: null,
  hookEvent: null,
  cwd: null,
  branch: null,
  reason: null,
} as const;
