// The limits of accounts: one notice for all sessions that one stops, another when it is over, and one before, where a client says what is used.
import type { DecidingDeps } from '../../decisions/deciding-deps.ts';
import { resolveNotice } from '../../decisions/resolve-notification.ts';
import { createBackground } from '../../lib/async/background.ts';
import { type Agent, displayName } from '../../model/agent/agent.ts';
import { type LimitReached, type LimitUse, limitKeyOf, limitOf } from '../../model/agent/limits.ts';
import type { Event } from '../../model/event/event.ts';
import type { IncomingHook } from '../../model/event/incoming.ts';
import type { Timer } from '../../model/event/verdict.ts';
import { notificationIdOf } from '../../model/ids.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import { LIMIT, type LimitData, limitTimer, limitTimerId, memoryOf } from '../../pipeline/index.ts';
import type { Decision, Store } from '../../store/contract.ts';
import { lowEvent, reachedEvent, resetEvent } from './limit-events.ts';

export interface AccountLimitsDeps {
  readonly store: Pick<Store, 'sessions' | 'events' | 'event' | 'timers' | 'setTimer' | 'clearTimer'>;
  readonly deciding: DecidingDeps;
  readonly agents: (name: string) => Agent | undefined;
  /** Per cent from which a limit is nearly reached; 100: it never is. */
  readonly low: () => number;
  /** Hands an own event to ingest; the same id twice is one event. */
  readonly raise: (event: Event, occurrence: string) => Promise<void>;
  /** A timer row was moved. */
  readonly wake: () => void;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

export interface AccountLimits {
  /** Goes on with the limits that the store knows, and reports what a daemon that was killed has not. */
  start(): Promise<void>;
  /** A decision was written. */
  decided(decision: Decision): void;
  /** What is used, at the end of a turn. */
  used(uses: readonly LimitUse[], by: IncomingHook): void;
  /** The handler of timers of kind `limit`. */
  check(timer: Timer): Promise<void>;
  /** Waits for what is being written. */
  stop(): Promise<void>;
}

/** What is older (ms) is of a window that is over. */
const LONGEST_WINDOW = 8 * 86_400_000;
/** Ms by which a reset has to differ to be another one: texts have no seconds. */
const SAME_RESET = 60_000;
const MOST_EVENTS = 1_000;

const dataOf = ({ data }: Timer): LimitData => data as unknown as LimitData; // as `limitTimer` wrote it

/** Its session's row says that this failure met a limit. */
function limited({ sessions, events }: Decision): readonly (readonly [SessionRecord, LimitReached, Event])[] {
  return sessions.flatMap((record) => {
    const limit = limitOf(record);
    const failed = events.find(({ event }) => event.kind === 'session.failed' && event.sessionId === record.sessionId);
    return limit === null || failed === undefined ? [] : [[record, limit, failed.event] as const];
  });
}

/** It was given work after the limit was reached, and has done it. */
const wentOn = (record: SessionRecord, { at }: LimitData): boolean =>
  record.state === 'finished' && limitOf(record) === null && record.turnStarted !== null && record.turnStarted > at;

/** Nothing is known at first. */
export function createAccountLimits(deps: AccountLimitsDeps): AccountLimits {
  const { store, deciding, raise } = deps;
  const background = createBackground((error) => deps.log('a limit could not be reported', { error: String(error) }));
  /** Limits that are reached or nearly so, by the ids of their timers. */
  const active = new Map<string, Timer>();
  /** Reported resets whose sessions have not all gone on, by the limit's key. */
  const over = new Map<string, Event>();

  const activeOf = (kind: LimitData['kind'], key: string): Timer | undefined => active.get(limitTimerId(kind, key));
  const whoOf = (agent: string): string => displayName(agent, deps.agents(agent)?.title);
  const end = (event: string, why: string): Promise<void> =>
    resolveNotice(notificationIdOf(event), () => why, deciding);

  async function report(event: Event): Promise<void> {
    const timer = limitTimer(event);
    if (timer !== null) active.set(timer.id, timer);
    await raise(event, event.id);
  }

  async function reach(record: SessionRecord, limit: LimitReached, failed: Event): Promise<void> {
    const key = limitKeyOf(record, limit.name);
    const known = activeOf('limit.reached', key);
    if (known !== undefined) return move(known, limit);
    const [low, reset] = [activeOf('limit.low', key), over.get(key)];
    over.delete(key);
    await report(reachedEvent(record, limit, failed, whoOf(record.agent)));
    if (low !== undefined) await end(dataOf(low).event, 'it is reached');
    if (reset !== undefined) await end(reset.id, 'it is reached again');
  }

  /** A session may know when it is over where the first one did not, or that it is over later. */
  async function move(known: Timer, limit: LimitReached): Promise<void> {
    const data = dataOf(known);
    if (limit.resetsAt === null || limit.resetsAt <= (data.limit.resetsAt ?? 0) + SAME_RESET) return;
    const moved = { ...data, limit: { ...limit, resumes: data.limit.resumes } };
    const timer = limitTimer({ ...(await reportOf(data)), attributes: { ...moved } });
    if (timer === null) return;
    active.set(timer.id, timer);
    await store.setTimer(timer, deciding.now());
    deps.wake();
  }

  async function reportOf({ event }: LimitData): Promise<Event> {
    const stored = await store.event(event);
    if (stored === null) throw new Error(`the event ${event} is not there`);
    return stored.event;
  }

  /** The sessions that a limit has stopped and that have not gone on. */
  async function stopped(key: string, agent: string): Promise<readonly SessionRecord[]> {
    const sessions = await store.sessions({ agent, since: deciding.now() - LONGEST_WINDOW });
    return sessions.filter((record) => {
      const limit = limitOf(record);
      return limit !== null && record.state !== 'ended' && limitKeyOf(record, limit.name) === key;
    });
  }

  /** It is over, by its time or because a session went on; nobody is promised anything where no time is known. */
  async function finish(timer: Timer, early: boolean): Promise<void> {
    const data = dataOf(timer);
    const { key, limit, kind } = data;
    const at = deciding.now();
    const stored = await store.event(data.event);
    const isKnown = early || limit.resetsAt !== null;
    const left = kind === 'limit.reached' && stored !== null && isKnown ? await stopped(key, stored.event.agent) : [];
    if (stored !== null && left.length > 0) {
      const reset = resetEvent(stored.event, limit, left, { at, early, who: whoOf(stored.event.agent) });
      over.set(key, reset);
      await report(reset);
    }
    await end(data.event, early ? 'a session went on' : isKnown ? 'its time is over' : 'it was reached long ago');
    await store.clearTimer(timer.id);
    active.delete(timer.id);
  }

  /** Nothing is left to go on. */
  async function endReset(key: string, reset: Event): Promise<void> {
    if ((await stopped(key, reset.agent)).length > 0) return;
    over.delete(key);
    await end(reset.id, 'its sessions went on');
  }

  function follow(record: SessionRecord): void {
    const isOf = (key: string): boolean => key.startsWith(limitKeyOf(record, ''));
    for (const timer of active.values()) {
      const data = dataOf(timer);
      if (data.kind === 'limit.reached' && isOf(data.key) && wentOn(record, data)) background.run(finish(timer, true));
    }
    if (limitOf(record) === null && (record.state === 'working' || record.state === 'ended'))
      for (const [key, reset] of over) if (isOf(key)) background.run(endReset(key, reset));
  }

  /** A daemon that was killed may not have reported it. */
  async function reportMissed(events: readonly Event[]): Promise<void> {
    for (const record of await store.sessions({ since: deciding.now() - LONGEST_WINDOW })) {
      const limit = limitOf(record);
      const { failure } = memoryOf(record);
      if (limit === null || record.state === 'ended' || failure === undefined) continue;
      const key = limitKeyOf(record, limit.name);
      const isReported = events.some((event) => {
        const timer = limitTimer(event);
        return event.kind === 'limit.reached' && event.attributes['key'] === key && (timer?.due ?? 0) > failure.at;
      });
      const stored = isReported ? null : await store.event(failure.id);
      if (stored !== null) await reach(record, limit, stored.event);
    }
  }

  return {
    start: async () => {
      const kinds = ['limit.reached', 'limit.low', 'limit.reset'] as const;
      const since = deciding.now() - LONGEST_WINDOW;
      const events = (await store.events({ kinds, since, limit: MOST_EVENTS })).map(({ event }) => event);
      const ids = events.flatMap((event) => limitTimer(event)?.id ?? []);
      for (const timer of ids.length === 0 ? [] : await store.timers([...new Set(ids)])) active.set(timer.id, timer);
      for (const event of events) if (event.kind === 'limit.reset') over.set(String(event.attributes['key']), event);
      await reportMissed(events);
    },
    decided: (decision) => {
      for (const timer of decision.timers.set) if (timer.kind === LIMIT) active.set(timer.id, timer);
      for (const [record, limit, failed] of limited(decision)) background.run(reach(record, limit, failed));
      if (active.size > 0 || over.size > 0) for (const record of decision.sessions) follow(record);
    },
    used: (uses, { host, user, agent, parsed: { cwd }, startedAt }) => {
      const low = deps.low();
      const account = { host, user, agent };
      for (const use of uses) {
        const isLow = low < 100 && use.used >= low && use.used < 100;
        if (!isLow || activeOf('limit.low', limitKeyOf(account, use.name)) !== undefined) continue;
        const where = { cwd, project: null, branch: null };
        background.run(report(lowEvent(account, where, use, startedAt, whoOf(agent))));
      }
    },
    check: (timer) => finish(timer, false),
    stop: background.idle,
  };
}
