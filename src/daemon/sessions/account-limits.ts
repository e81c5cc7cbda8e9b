// The limits of accounts: one notice for all sessions that one stops, another when it is over, and one before, where a client says what is used.
import type { DecidingDeps } from '../../decisions/deciding-deps.ts';
import { resolveNotice } from '../../decisions/resolve-notification.ts';
import { type Background, createBackground } from '../../lib/async/background.ts';
import { type Agent, displayName } from '../../model/agent/agent.ts';
import { type LimitReached, type LimitUse, limitKeyOf, limitOf } from '../../model/agent/limits.ts';
import type { Event } from '../../model/event/event.ts';
import type { IncomingHook } from '../../model/event/incoming.ts';
import type { Timer } from '../../model/event/verdict.ts';
import { notificationIdOf, sessionKeyText } from '../../model/ids.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import { LIMIT, type LimitData, limitTimer, limitTimerId, memoryOf } from '../../pipeline/index.ts';
import type { Decision, Store } from '../../store/contract.ts';
import { readPlansOf } from '../../store/go-on-plans.ts';
import { lowEvent, reachedEvent, resetEvent } from './limit-events.ts';

export interface AccountLimitsDeps {
  readonly store: Pick<Store, 'sessions' | 'events' | 'event' | 'timers' | 'setTimer' | 'clearTimer'>;
  readonly deciding: DecidingDeps;
  readonly agents: (name: string) => Agent | undefined;
  /** Per cent from which a limit is nearly reached; 100: it never is. */
  readonly low: () => number;
  /** Whether the settings let sessions go on after a limit. */
  readonly goesOn: () => boolean;
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
  /** What stops sessions now; nothing is read while none is known. */
  stopping(): Promise<readonly StoppingLimit[]>;
  /** The handler of timers of kind `limit`. */
  check(timer: Timer): Promise<void>;
  /** Waits for what is being written. */
  stop(): Promise<void>;
}

/** A limit of an account, and how many of its sessions wait for its end or for somebody. */
export interface StoppingLimit {
  readonly agent: string;
  readonly limit: LimitReached;
  readonly sessions: number;
  /** Those that Belfry lets go on by itself. */
  readonly continuing: number;
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
    const failed = events.find(({ event }) => event.kind === 'session.failed' && event.sessionId === record.sessionId);
    const limit = failed === undefined ? null : limitOf(record);
    return limit === null || failed === undefined ? [] : [[record, limit, failed.event] as const];
  });
}

/** It was given work after the limit was reached, and has done it. */
const wentOn = (record: SessionRecord, { at }: LimitData): boolean =>
  record.state === 'finished' && limitOf(record) === null && record.turnStarted !== null && record.turnStarted > at;

/** Nothing is known at first. */
export function createAccountLimits(deps: AccountLimitsDeps): AccountLimits {
  const limits = new Limits(deps);
  return {
    start: () => limits.start(),
    decided: (decision) => limits.decided(decision),
    used: (uses, by) => limits.used(uses, by),
    stopping: () => limits.stopping(),
    check: (timer) => limits.check(timer),
    stop: () => limits.stop(),
  };
}

class Limits implements AccountLimits {
  readonly #deps: AccountLimitsDeps;
  readonly #background: Background;
  /** Limits that are reached or nearly so, by the ids of their timers. */
  readonly #active = new Map<string, Timer>();
  /** Reported resets whose sessions have not all gone on, by the limit's key. */
  readonly #over = new Map<string, Event>();

  constructor(deps: AccountLimitsDeps) {
    this.#deps = deps;
    this.#background = createBackground((error) => deps.log('a limit could not be reported', { error: String(error) }));
  }

  async start(): Promise<void> {
    const { store, deciding } = this.#deps;
    const kinds = ['limit.reached', 'limit.low', 'limit.reset'] as const;
    const since = deciding.now() - LONGEST_WINDOW;
    const events = (await store.events({ kinds, since, limit: MOST_EVENTS })).map(({ event }) => event);
    const ids = events.flatMap((event) => limitTimer(event)?.id ?? []);
    for (const timer of ids.length === 0 ? [] : await store.timers([...new Set(ids)]))
      this.#active.set(timer.id, timer);
    for (const event of events)
      if (event.kind === 'limit.reset') this.#over.set(String(event.attributes['key']), event);
    await this.#reportMissed(events);
  }

  decided(decision: Decision): void {
    for (const timer of decision.timers.set) if (timer.kind === LIMIT) this.#active.set(timer.id, timer);
    for (const [record, limit, failed] of limited(decision)) this.#background.run(this.#reach(record, limit, failed));
    if (this.#active.size > 0 || this.#over.size > 0) for (const record of decision.sessions) this.#follow(record);
  }

  used(uses: readonly LimitUse[], { host, user, agent, parsed: { cwd }, startedAt }: IncomingHook): void {
    const low = this.#deps.low();
    const account = { host, user, agent };
    for (const use of uses) {
      const isLow = low < 100 && use.used >= low && use.used < 100;
      if (!isLow || this.#activeOf('limit.low', limitKeyOf(account, use.name)) !== undefined) continue;
      const where = { cwd, project: null, branch: null };
      this.#background.run(this.#report(lowEvent(account, where, use, startedAt, this.#whoOf(agent))));
    }
  }

  async stopping(): Promise<readonly StoppingLimit[]> {
    const reached = [...this.#active.values()].map(dataOf).filter(({ kind }) => kind === 'limit.reached');
    const keys = new Set([...reached.map(({ key }) => key), ...this.#over.keys()]);
    if (keys.size === 0) return [];
    const found = new Map<string, StoppingLimit>();
    const all = (await this.#allStopped({})).filter(({ key }) => keys.has(key));
    const plans = await readPlansOf(
      this.#deps.store,
      all.map(({ record }) => record),
    );
    for (const { key, record, limit } of all) {
      const { sessions, continuing } = found.get(key) ?? { sessions: 0, continuing: 0 };
      const continues = plans.has(sessionKeyText(record)) ? 1 : 0;
      found.set(key, { agent: record.agent, limit, sessions: sessions + 1, continuing: continuing + continues });
    }
    return [...found.values()];
  }

  check(timer: Timer): Promise<void> {
    return this.#finish(timer, false);
  }

  stop(): Promise<void> {
    return this.#background.idle();
  }

  #activeOf(kind: LimitData['kind'], key: string): Timer | undefined {
    return this.#active.get(limitTimerId(kind, key));
  }

  #whoOf(agent: string): string {
    return displayName(agent, this.#deps.agents(agent)?.title);
  }

  #end(event: string, why: string): Promise<void> {
    return resolveNotice(notificationIdOf(event), () => why, this.#deps.deciding);
  }

  async #report(event: Event): Promise<void> {
    const timer = limitTimer(event);
    if (timer !== null) this.#active.set(timer.id, timer);
    await this.#deps.raise(event, event.id);
  }

  /** Before anything is awaited it is known as reached: of twenty sessions at once the first one is reported. */
  async #reach(record: SessionRecord, limit: LimitReached, failed: Event): Promise<void> {
    const key = limitKeyOf(record, limit.name);
    const known = this.#activeOf('limit.reached', key);
    if (known !== undefined) return this.#move(known, limit);
    const [low, reset] = [this.#activeOf('limit.low', key), this.#over.get(key)];
    this.#over.delete(key);
    const who = this.#whoOf(record.agent);
    const isAble = this.#deps.agents(record.agent)?.continues?.includes('limit') === true;
    await this.#report(reachedEvent(record, limit, failed, { who, goesOn: isAble && this.#deps.goesOn() }));
    if (low !== undefined) await this.#end(dataOf(low).event, 'it is reached');
    if (reset !== undefined) await this.#end(reset.id, 'it is reached again');
  }

  /** A session may know when it is over where the first one did not, or that it is over later. */
  async #move(known: Timer, limit: LimitReached): Promise<void> {
    const data = dataOf(known);
    if (limit.resetsAt === null || limit.resetsAt <= (data.limit.resetsAt ?? 0) + SAME_RESET) return;
    const stored = await this.#deps.store.event(data.event);
    const moved = stored && limitTimer({ ...stored.event, attributes: { key: data.key, limit } });
    if (!moved) return; // it is still on its way into the store
    this.#active.set(moved.id, moved);
    await this.#deps.store.setTimer(moved, this.#deps.deciding.now());
    this.#deps.wake();
  }

  /** The sessions that limits have stopped and that have not gone on, each with its limit's key. */
  async #allStopped(of: { readonly agent?: string }) {
    const { store, deciding } = this.#deps;
    const sessions = await store.sessions({ ...of, since: deciding.now() - LONGEST_WINDOW });
    return sessions.flatMap((record) => {
      const limit = record.state === 'ended' ? null : limitOf(record);
      return limit === null ? [] : [{ key: limitKeyOf(record, limit.name), record, limit }];
    });
  }

  async #stopped(key: string, agent: string): Promise<readonly SessionRecord[]> {
    return (await this.#allStopped({ agent })).flatMap((one) => (one.key === key ? [one.record] : []));
  }

  /** It is over, by its time or because a session went on; nobody is promised anything where no time is known. */
  async #finish(timer: Timer, early: boolean): Promise<void> {
    const { store, deciding } = this.#deps;
    const { key, limit, kind, event } = dataOf(timer);
    const reported = (await store.event(event))?.event ?? null;
    const isKnown = early || limit.resetsAt !== null;
    const isWaitedFor = kind === 'limit.reached' && isKnown;
    const left = reported === null || !isWaitedFor ? [] : await this.#stopped(key, reported.agent);
    if (reported !== null && left.length > 0) {
      const how = { at: deciding.now(), early, who: this.#whoOf(reported.agent) };
      const reset = resetEvent(reported, limit, left, how);
      this.#over.set(key, reset);
      await this.#report(reset);
    }
    await this.#end(event, early ? 'a session went on' : isKnown ? 'its time is over' : 'it was reached long ago');
    await store.clearTimer(timer.id);
    this.#active.delete(timer.id);
  }

  /** Nothing is left to go on. */
  async #endReset(key: string, reset: Event): Promise<void> {
    if ((await this.#stopped(key, reset.agent)).length > 0) return;
    this.#over.delete(key);
    await this.#end(reset.id, 'its sessions went on');
  }

  #follow(record: SessionRecord): void {
    const isOf = (key: string): boolean => key.startsWith(limitKeyOf(record, ''));
    for (const timer of this.#active.values()) {
      const data = dataOf(timer);
      const isOver = data.kind === 'limit.reached' && isOf(data.key) && wentOn(record, data);
      if (isOver) this.#background.run(this.#finish(timer, true));
    }
    if (limitOf(record) === null && (record.state === 'working' || record.state === 'ended'))
      for (const [key, reset] of this.#over) if (isOf(key)) this.#background.run(this.#endReset(key, reset));
  }

  /** A daemon that was killed may not have reported it. */
  async #reportMissed(events: readonly Event[]): Promise<void> {
    const { store, deciding } = this.#deps;
    for (const record of await store.sessions({ since: deciding.now() - LONGEST_WINDOW })) {
      const limit = limitOf(record);
      const { failure } = memoryOf(record);
      if (limit === null || record.state === 'ended' || failure === undefined) continue;
      const key = limitKeyOf(record, limit.name);
      const covers = (event: Event): boolean =>
        event.kind === 'limit.reached' && event.attributes['key'] === key && (limitTimer(event)?.due ?? 0) > failure.at;
      const stored = events.some(covers) ? null : await store.event(failure.id);
      if (stored !== null) await this.#reach(record, limit, stored.event);
    }
  }
}
