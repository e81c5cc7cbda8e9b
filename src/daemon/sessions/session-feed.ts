// The sessions for channels that show their state: all at first, then what the change feed names.
import { type Clock, sleep } from '../../lib/clock.ts';
import { sessionKeyOf } from '../../model/ids.ts';
import type { SessionBatch, SessionFeed } from '../../model/session/session-feed.ts';
import { effectiveState } from '../../model/session/effective-state.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import type { Store } from '../../store/contract.ts';
import { nextChange } from '../shared/next-change.ts';

/** Changes that are read at once. */
const BATCH = 500;
/** Ms that changes are gathered: a session at work changes with each tool. */
const GATHER = 250;
/** Ms after which all are handed over again: what has grown old does not change by itself. */
const AGAIN = 3_600_000;
/** Sessions without an event for longer are none any more, ms. */
const RECENT = 7 * 24 * 3_600_000;
/** Sessions at once, the latest. */
const MAX_SESSIONS = 2_000;

interface FeedDeps {
  readonly store: Pick<Store, 'sessions' | 'session' | 'changesSince' | 'watchChanges'>;
  readonly clock: Clock;
}

/** Reads nothing before it is followed. */
export function createSessionFeed(deps: FeedDeps): SessionFeed {
  return { follow: (signal) => follow(deps, signal) };
}

async function* follow(deps: FeedDeps, signal: AbortSignal): AsyncGenerator<SessionBatch> {
  const { store, clock } = deps;
  let seen = (await store.changesSince(null, 0)).cursor;
  let allAt = clock.now();
  yield await all(deps);
  while (!signal.aborted) {
    const woken = nextChange(deps, AGAIN, signal);
    const { changes, reset, cursor } = await store.changesSince(seen, BATCH);
    seen = cursor;
    if (reset || Math.abs(clock.now() - allAt) >= AGAIN) {
      allAt = clock.now();
      yield await all(deps);
    } else {
      const sessions = await these(
        changes.filter(({ type }) => type === 'session').map(({ id }) => id),
        deps,
      );
      if (sessions.length > 0) yield { sessions, whole: false };
    }
    if (changes.length === BATCH) continue; // there is more
    if ((await woken) === 'change') await sleep(GATHER, clock, signal);
  }
}

async function all({ store, clock }: FeedDeps): Promise<SessionBatch> {
  const now = clock.now();
  const found = await store.sessions({ since: now - RECENT });
  const latest = [...found].sort((a, b) => b.lastEvent - a.lastEvent).slice(0, MAX_SESSIONS);
  return { sessions: latest.map((record) => effectiveState(record, now)), whole: true };
}

async function these(keys: readonly string[], { store, clock }: FeedDeps): Promise<SessionRecord[]> {
  const found = await Promise.all([...new Set(keys)].map((key) => store.session(sessionKeyOf(key))));
  return found.flatMap((record) => (record === null ? [] : [effectiveState(record, clock.now())]));
}
