// The buttons of what tells of sessions that have stopped, or of the limit that stopped them: that they go on, and that they do not go on by themselves.
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { Level } from '../../model/notification/notification.ts';
import type { Event } from '../../model/event/event.ts';
import { notificationIdOf } from '../../model/ids.ts';
import { type SessionRecord, sessionName } from '../../model/session/session.ts';
import { type GoOnAction, goOnOffers, type OfferedGoOn } from '../../model/session/go-on-offers.ts';
import { accountOf, isReportedBy, reportsStopped, type StoppedSession } from '../../model/session/stopped.ts';
import { keptWords, wentOnWords } from '../../model/session/went-on-words.ts';
import type { Store } from '../../store/contract.ts';
import type { GoingOn, Stopped, WentOn } from '../sessions/going-on.ts';
import { LONGEST } from '../sessions/stopped-sessions.ts';

export interface GoOnButtons {
  /** What a message about this event offers; nothing is read for events that tell of nothing that has stopped. */
  readonly offered: (event: Event) => Promise<readonly OfferedGoOn[]>;
  /** Resolves with the line to show to whoever pressed it. `level`: how much their channel may say. */
  readonly press: (action: GoOnAction, event: Event, by: string, level: Level) => Promise<string>;
  /** The notifications whose messages offer something else once this session's plan has changed. */
  readonly changedBy: (stopped: StoppedSession) => Promise<readonly string[]>;
  /** Who lets sessions go on; until it is called nothing is offered. */
  readonly handTo: (goingOn: Handed) => void;
}

type Handed = Pick<GoingOn, 'stopped' | 'goOn' | 'hold'>;

const OF_LIMITS = ['limit.reached', 'limit.reset'] as const;

export function createGoOnButtons(deps: {
  readonly store: Pick<Store, 'events'>;
  readonly now: () => number;
}): GoOnButtons {
  const { store, now } = deps;
  let goingOn: Handed | null = null;
  const stoppedOf = async (event: Event): Promise<readonly Stopped[]> =>
    goingOn !== null && reportsStopped(event)
      ? (await goingOn.stopped()).filter((one) => isReportedBy(one, event))
      : [];

  return {
    offered: async (event) => {
      const all = await stoppedOf(event);
      const able = all.filter(({ next: { what } }) => what === 'ready' || what === 'planned');
      return goOnOffers(
        able.map(({ next, limit }) => ({ isPlanned: next.what === 'planned', resetsAt: limit?.resetsAt ?? null })),
        now(),
      );
    },
    press: async (action, event, by, level) => {
      if (goingOn === null) return 'Belfry is still starting; press it again.';
      const stopped = await stoppedOf(event);
      if (stopped.length === 0) return 'Nothing to do: none of them is stopped any more.';
      // The message may be older than the limit that stops it now.
      const meant = action === 'continue' ? stopped.filter((one) => !isLimited(one, now())) : stopped;
      if (meant.length === 0) return 'Nothing was sent: the limit is not over yet.';
      const all = meant.map(({ record }) => record);
      const isNamed = level === 'full';
      if (action === 'hold') {
        const held = await goingOn.hold(all);
        return keptWords(isNamed ? held.map(nameOf) : held.length < 2 ? held.map(() => 'it') : ['them']);
      }
      const done = await goingOn.goOn(all, action === 'reset' ? 'reset' : 'now', by);
      if (!isNamed) return countedWords(done);
      return done.map((one) => `${nameOf(one.session)}: ${wentOnWords(one, now())}`).join('; ');
    },
    changedBy: async (stopped) => {
      const own = notificationIdOf(stopped.failed.id);
      if (stopped.limit === null) return [own];
      const key = accountOf(stopped);
      // Another session may have met its limit first.
      const limits = await store.events({ kinds: OF_LIMITS, since: stopped.failed.at - LONGEST });
      const of = OF_LIMITS.flatMap((kind) => {
        const latest = limits.findLast(({ event }) => event.kind === kind && event.attributes['key'] === key);
        return latest === undefined ? [] : notificationIdOf(latest.event.id);
      });
      return [own, ...of];
    },
    handTo: (given) => {
      goingOn = given;
    },
  };
}

/** A client gives its session any name. */
const nameOf = (session: SessionRecord): string => cutGraphemes(oneLine(sessionName(session)), NAME);
const NAME = 40;

/** Where no session may be named. */
function countedWords(done: readonly WentOn[]): string {
  const of = (what: WentOn['result'], words: string): string[] => {
    const count = done.filter(({ result }) => result === what).length;
    return count === 0 ? [] : [`${count} ${words}`];
  };
  return [
    ...of('continued', 'continued'),
    ...of('planned', 'to be continued later'),
    ...of('held', 'given its instruction, but no prompt followed'),
    ...of('refused', 'not continued'),
  ].join(', ');
}

const isLimited = ({ limit }: Stopped, now: number): boolean => (limit?.resetsAt ?? 0) > now;
