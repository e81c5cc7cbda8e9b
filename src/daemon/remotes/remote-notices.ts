// What people may want to know of machines elsewhere: one with agents at work has not been reachable for an hour, or one hands over more than anybody reads.
import type { Clock } from '../../lib/clock.ts';
import { joinAnd, oneLine } from '../../lib/text/text.ts';
import { internalEvent } from '../../model/event/internal-event.ts';
import type { Event } from '../../model/event/event.ts';
import { isLost, type RemoteStatus } from '../../model/remote-status.ts';
import { type SessionRecord, type SessionState, sessionName } from '../../model/session/session.ts';
import { dayTime } from '../../model/time/clock-time.ts';
import type { RemoteSource } from '../../sources/remote/remote-source.ts';
import type { Store } from '../../store/contract.ts';
import type { Log } from '../shared/log.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Ms until one is looked at again that could not be, and the least between two looks. */
const AGAIN = 1_000;
/** Inputs of one machine that are journaled in a day, UTC, before people hear of it. */
const FLOOD = 10_000;
/** What an agent does that somebody waits for. */
const AT_WORK: readonly SessionState[] = ['started', 'working', 'waiting', 'background'];
/** Names in a notice. */
const NAMED = 3;

/** Stops it. */
type Stop = () => void;

export function createRemoteNotices(deps: {
  readonly remotes: Pick<RemoteSource, 'status' | 'follow'>;
  readonly store: Pick<Store, 'sessions'>;
  readonly clock: Clock;
  readonly raise: (event: Event) => Promise<void>;
  readonly log: Log;
}): Stop {
  const { remotes, store, clock, raise, log } = deps;
  /** By name, since when it is not reachable: looked at once each time. */
  const looked = new Map<string, number>();
  const journaled = new Map<string, { day: number; count: number }>();
  let cancel: Stop = () => undefined;
  let looking: Promise<void> = Promise.resolve();
  let isStopped = false;

  const unseen = (): readonly RemoteStatus[] =>
    remotes.status().filter((one) => isLost(one) && looked.get(one.name) !== one.since);

  async function look(): Promise<void> {
    cancel();
    const now = clock.now();
    for (const one of unseen()) if (now - one.since >= HOUR) await lookAt(one, now);
    const next = Math.min(...unseen().map(({ since }) => since + HOUR));
    // One that could not be looked at is due since then.
    if (Number.isFinite(next) && !isStopped) cancel = clock.setTimer(Math.max(next - now, AGAIN), wake);
  }

  async function lookAt(one: RemoteStatus, now: number): Promise<void> {
    try {
      const sessions = await store.sessions({ since: now - DAY });
      const there = sessions.filter(({ host, state }) => host === one.name && AT_WORK.includes(state));
      if (there.length > 0) await raise(unreachable(one, there, now));
      looked.set(one.name, one.since);
    } catch (error) {
      log('a machine elsewhere could not be looked at', { remote: one.name, error: String(error) });
    }
  }

  /** One look after the other. */
  function wake(): void {
    looking = looking.then(look);
  }

  function count(name: string): void {
    const now = clock.now();
    const day = Math.floor(now / DAY);
    const before = journaled.get(name);
    const counted = { day, count: before?.day === day ? before.count + 1 : 1 };
    journaled.set(name, counted);
    if (counted.count !== FLOOD) return;
    raise(flooding(name, day, now)).catch((error: unknown) =>
      log('a machine elsewhere that floods could not be reported', { remote: name, error: String(error) }),
    );
  }

  remotes.follow({ changed: wake, journaled: count });
  wake();
  return () => {
    isStopped = true;
    cancel();
  };
}

/** Once for each time that it is not reachable. */
function unreachable({ name, since, detail }: RemoteStatus, there: readonly SessionRecord[], now: number): Event {
  const names = there.map((session) => oneLine(sessionName(session)));
  const more = names.length - NAMED;
  const shown = more > 1 ? `${names.slice(0, NAMED).join(', ')} and ${more} others` : joinAnd(names);
  const why = detail === null ? '' : ` (${oneLine(detail)})`;
  return internalEvent({
    id: `remote-unreachable-${name}-${since}`,
    kind: 'remote.unreachable',
    at: now,
    urgency: 'low',
    attributes: { remote: name },
    presetText: {
      title: `${name} has not been reachable for an hour`,
      body: `Not connected since ${dayTime(since, now)}${why}. At work there: ${shown}. What their hooks report is kept on ${name} and comes once it is connected again. \`belfry remote check ${name}\` says what to do.`,
    },
  });
}

/** Once a day. */
const flooding = (name: string, day: number, now: number): Event =>
  internalEvent({
    id: `remote-flooding-${name}-${day}`,
    kind: 'remote.flooding',
    at: now,
    attributes: { remote: name },
    presetText: {
      title: `${name} sends very many events`,
      body: `${FLOOD.toLocaleString('en-US')} hook inputs have come from ${name} today (UTC). Everything is still taken. \`belfry events\` shows them; \`belfry remote disconnect ${name}\` stops it.`,
    },
  });
