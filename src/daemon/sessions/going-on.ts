// Sessions that a limit, a server error or a network error stopped go on: when somebody says so, or by themselves where `[resume]` lets them; never where their client does it, and never twice.
import { type Background, createBackground } from '../../lib/async/background.ts';
import type { AnsweringService } from '../../answering/index.ts';
import type { Timer } from '../../model/event/verdict.ts';
import { type SessionKey, sessionKeyOf, sessionKeyText } from '../../model/ids.ts';
import { type SessionRecord, type SessionState, sessionName } from '../../model/session/session.ts';
import { accountOf, type StoppedSession, stoppedBy } from '../../model/session/stopped.ts';
import type { WentOnResult } from '../../model/session/went-on-words.ts';
import { memoryOf, overAt } from '../../pipeline/index.ts';
import type { Decision, Store } from '../../store/contract.ts';
import { readGoOnPlans } from '../../store/go-on-plans.ts';
import { type GoOnPlan, goOnPlanOf, goOnTimer, goOnTimerId } from '../../model/session/go-on-plan.ts';
import { pauseAfter, waitAfterReset } from './going-on-pauses.ts';
import { instructable, instructedAt, willBeInstructable } from './instructable.ts';
import { type By, FOLLOWS, Instructions, type InstructionsDeps, TERMINAL, UNDER_WAY } from './instructions.ts';
import { FirstOfAccount } from './first-of-account.ts';
import { allStopped, LONGEST, stoppedOf, timesWentOn } from './stopped-sessions.ts';
import { heldEvent, notResumedEvent } from './going-on-events.ts';

export interface GoingOnDeps extends InstructionsDeps {
  readonly store: Pick<
    Store,
    'session' | 'sessions' | 'event' | 'events' | 'question' | 'questions' | 'timers' | 'setTimer' | 'clearTimer'
  >;
  /** Whether something of a session has come that is not decided yet: it may have gone on. */
  readonly isBehind: (session: SessionKey) => Promise<boolean>;
  /** 0 to 1. */
  readonly random: () => number;
  readonly answering: Pick<AnsweringService, 'answer' | 'stopped' | 'room'>;
  /** What is planned for it has changed; `offers`: what can be done about it, too. */
  readonly changed: (stopped: StoppedSession, offers: boolean) => Promise<void>;
  /** A timer row was set. */
  readonly wake: () => void;
}

/** What comes next of a stopped session, Unix ms. `itself`: its client goes on; `ready`: it can be given its next instruction. */
export type Next =
  | { readonly what: 'itself'; readonly at: number | null }
  | { readonly what: 'planned'; readonly at: number }
  | { readonly what: 'ready' }
  | { readonly what: 'terminal' };

export interface Stopped extends StoppedSession {
  readonly next: Next;
}

/** What became of a session that was to go on. `held`: it was given its instruction, and no prompt followed. */
export interface WentOn {
  readonly session: SessionRecord;
  readonly result: WentOnResult;
  /** Unix ms; null: not planned. */
  readonly at: number | null;
  /** For people; null: nothing is to be said. */
  readonly why: string | null;
}

export interface GoingOn {
  /** Goes on with the stopped sessions that the store knows. */
  start(): Promise<void>;
  /** A decision was written. */
  decided(decision: Decision): void;
  /** Those that have stopped, the one that stopped first before others. */
  stopped(): Promise<readonly Stopped[]>;
  /** These go on now, or as their limit resets; the first of an account before its others. */
  goOn(sessions: readonly SessionKey[], when: 'now' | 'reset', by: string): Promise<readonly WentOn[]>;
  /** None of these goes on by itself any more; null: none at all. Resolves with those of which that was planned. */
  hold(sessions: readonly SessionKey[] | null): Promise<readonly SessionRecord[]>;
  /** The handler of timers of kind `go-on`. */
  check(timer: Timer): Promise<void>;
  /** Waits for what is being done. */
  stop(): Promise<void>;
}

const MINUTE = 60_000;
/** Ms after which a client's own figures are asked again for room. */
const ROOM_AGAIN = 10 * MINUTE;
/** Ms until it is looked again whether what has come of a session is decided. */
const AGAIN = 250;
/** Ms after the reset at which a client that goes on by itself has gone on. */
const ITSELF = 5 * MINUTE;

/** What a session that was given its instruction does. */
const WORKS: ReadonlySet<SessionState> = new Set<SessionState>(['working', 'waiting', 'background', 'finished']);

/** Nothing is planned yet. */
export function createGoingOn(deps: GoingOnDeps): GoingOn {
  const engine = new Engine(deps);
  return {
    start: () => engine.start(),
    decided: (decision) => engine.decided(decision),
    stopped: () => engine.stopped(),
    goOn: (sessions, when, by) => engine.goOn(sessions, when, by),
    hold: (sessions) => engine.hold(sessions),
    check: (timer) => engine.check(timer),
    stop: () => engine.stop(),
  };
}

class Engine implements GoingOn {
  readonly #deps: GoingOnDeps;
  readonly #background: Background;
  /** Keys of the sessions that have a plan. */
  readonly #planned = new Set<string>();
  readonly #first = new FirstOfAccount();
  readonly #instructions: Instructions;
  /** A session has stopped, lately or since the start: until then there is nothing to follow. */
  #hasAny = false;
  #isStopped = false;

  constructor(deps: GoingOnDeps) {
    this.#deps = deps;
    this.#instructions = new Instructions(deps);
    this.#background = createBackground((error) =>
      deps.log('a stopped session could not be followed', { error: String(error) }),
    );
  }

  async start(): Promise<void> {
    for (const { record, failed } of await this.#all()) {
      this.#hasAny = true;
      for (const timer of await this.#deps.store.timers([goOnTimerId(record)])) this.#planned.add(keyOf(timer));
      if ((await instructedAt(record, failed, this.#deps.store)) === null)
        await this.#deps.answering.stopped(record, failed);
    }
  }

  decided({ sessions, events }: Decision): void {
    for (const record of sessions) {
      const key = sessionKeyText(record);
      if (record.state !== 'failed' && this.#hasAny) this.#moved(record, key);
      const { failure } = memoryOf(record);
      const failed = events.find(({ event }) => event.id === failure?.id)?.event;
      const stopped = failed === undefined ? null : stoppedBy(record, failed);
      if (stopped === null || this.#isStopped) continue;
      this.#hasAny = true;
      this.#background.run(this.#stop(stopped));
    }
  }

  async stopped(): Promise<readonly Stopped[]> {
    const all = (await this.#all()).toSorted((a, b) => a.failed.at - b.failed.at);
    return Promise.all(all.map(async (one) => ({ ...one, next: await this.#nextOf(one) })));
  }

  async goOn(sessions: readonly SessionKey[], when: 'now' | 'reset', by: string): Promise<readonly WentOn[]> {
    const wanted = new Set(sessions.map(sessionKeyText));
    const all = (await this.stopped()).filter(({ record }) => wanted.has(sessionKeyText(record)));
    return Promise.all(all.map((one) => this.#ask(one, when, by)));
  }

  async hold(sessions: readonly SessionKey[] | null): Promise<readonly SessionRecord[]> {
    const { store } = this.#deps;
    const keys = sessions === null ? [...this.#planned] : sessions.map(sessionKeyText);
    const held: SessionRecord[] = [];
    for (const key of keys.filter((one) => this.#planned.has(one))) {
      const [timer] = await store.timers([goOnTimerId(sessionKeyOf(key))]);
      const plan = timer && goOnPlanOf(timer);
      if (plan === undefined || plan.what === 'look') continue;
      await this.#clear(plan.session);
      const record = await store.session(plan.session);
      if (record === null) continue;
      held.push(record);
      const stopped = await stoppedOf(record, store);
      if (stopped !== null) await this.#deps.changed(stopped, true);
    }
    return held;
  }

  async check(timer: Timer): Promise<void> {
    const { store, settings, clock, isBehind } = this.#deps;
    const plan = goOnPlanOf(timer);
    if (this.#instructions.isUnderWay(plan.session)) return; // it has its instruction in this moment
    if (await isBehind(plan.session)) return this.#set(plan, clock.now() + AGAIN);
    const stopped = await stoppedOf(await store.session(plan.session), store);
    if (stopped?.failed.id !== plan.failure) return this.#clear(plan.session);
    if (plan.what === 'look') return this.#sayNotResumed(stopped);
    const given = await instructedAt(stopped.record, stopped.failed, store);
    if (given !== null && given + FOLLOWS > clock.now()) return this.#set(plan, given + FOLLOWS);
    if (given !== null) return this.#sayHeld(stopped, true);
    const isOwn = plan.by === null;
    const { on, most } = settings();
    if (isOwn && (!on.includes(stopped.cause) || (await this.#timesOf(stopped.record)) >= most))
      return this.#drop(stopped);
    const later = await this.#laterThan(stopped, isOwn);
    // Somebody may have said meanwhile that it is not to go on.
    const isPlanned = (): boolean => this.#planned.has(sessionKeyText(plan.session));
    if (later !== null) return isPlanned() ? this.#plan(stopped, later, plan.by) : undefined;
    // After a restart it is asked for its next instruction again.
    const isReady = await willBeInstructable(stopped, this.#deps, () => this.#isStopped || !isPlanned());
    if (!isPlanned()) return;
    await (isReady ? this.#carryOut(stopped, plan) : this.#giveUp(stopped, plan));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#instructions.stop();
    await this.#background.idle();
  }

  /** Somebody was there, or it went on by itself: what was planned is over. */
  #moved(record: SessionRecord, key: string): void {
    if (WORKS.has(record.state)) this.#instructions.prompted(record);
    if (this.#planned.has(key)) this.#background.run(this.#clear(record));
    if (record.state === 'finished') this.#first.finished(record);
  }

  async #stop(stopped: StoppedSession): Promise<void> {
    const { record, failed, limit } = stopped;
    await this.#deps.answering.stopped(record, failed);
    if (limit !== null) await this.#moveOthers(stopped);
    const due = await this.#dueOf(stopped);
    if (limit?.resumes === true) {
      if (due !== null) await this.#plan(stopped, due, null);
      return;
    }
    if (due === null && limit === null) return;
    // At once, so that a daemon that ends now goes on with it; nothing is promised where nothing can hand it an instruction.
    if (due !== null) await this.#set(this.#planOf(stopped, null), due);
    const isReady = await willBeInstructable(stopped, this.#deps, () => this.#isStopped);
    if (this.#isStopped) return;
    if (isReady) await this.#deps.changed(stopped, true);
    else if (due !== null) await this.#clearOf(stopped);
  }

  /** When it goes on by itself, or is looked at, Unix ms; null: not at all. */
  async #dueOf({ record, cause, limit }: StoppedSession): Promise<number | null> {
    const { clock, random, settings } = this.#deps;
    if (limit?.resumes === true) return limit.resetsAt === null ? null : overAt(limit.resetsAt) + ITSELF;
    const { on, most } = settings();
    const times = on.includes(cause) ? await this.#timesOf(record) : most;
    if (times >= most) return null;
    if (limit !== null) return limit.resetsAt === null ? null : this.#afterReset(limit.resetsAt);
    return clock.now() + pauseAfter(times, random());
  }

  #afterReset(resetsAt: number): number {
    return overAt(resetsAt) + waitAfterReset(this.#deps.random());
  }

  /** A limit that was reached again stops the others of its account too: until it resets, or for good where nobody knows when. */
  async #moveOthers(stopped: StoppedSession): Promise<void> {
    const account = accountOf(stopped);
    this.#first.reached(stopped);
    const resetsAt = stopped.limit?.resetsAt ?? null;
    for (const other of await this.#all()) {
      const key = sessionKeyText(other.record);
      if (accountOf(other) !== account || key === sessionKeyText(stopped.record) || !this.#planned.has(key)) continue;
      const [timer] = await this.#deps.store.timers([goOnTimerId(other.record)]);
      if (timer === undefined || goOnPlanOf(timer).what === 'look') continue;
      if (resetsAt === null) await this.#drop(other);
      else if (timer.due < resetsAt) await this.#plan(other, this.#afterReset(resetsAt), goOnPlanOf(timer).by);
    }
  }

  /** Until when it has to wait still, Unix ms; null: it may go on. */
  async #laterThan(stopped: StoppedSession, isOwn: boolean): Promise<number | null> {
    const { clock, answering } = this.#deps;
    const { limit, record } = stopped;
    if (limit === null) return null;
    const now = clock.now();
    if (limit.resetsAt !== null && overAt(limit.resetsAt) > now) return this.#afterReset(limit.resetsAt);
    const first = this.#first.before(stopped, now);
    if (first !== null) return first.until;
    const room = isOwn ? await answering.room(record) : 'not asked';
    return room === 'yes' || room === 'not asked' ? null : now + ROOM_AGAIN;
  }

  /** By a person's wish. */
  async #ask(stopped: Stopped, when: 'now' | 'reset', by: string): Promise<WentOn> {
    const { record, limit, next } = stopped;
    const said = (result: WentOn['result'], why: string | null = null, at: number | null = null) =>
      ({ session: record, result, why, at }) as const;
    if (this.#instructions.isUnderWay(record)) return said('refused', UNDER_WAY);
    if (next.what === 'itself') return said('refused', 'its client goes on by itself', next.at);
    if (next.what === 'terminal' || !(await instructable(record, this.#deps.store))) return said('refused', TERMINAL);
    if (when === 'reset') {
      if (limit === null) return said('refused', 'no limit stopped it');
      if (limit.resetsAt === null) return said('refused', 'nobody knows when its limit resets');
      const at = this.#afterReset(Math.max(limit.resetsAt, this.#deps.clock.now()));
      await this.#plan(stopped, at, by);
      return said('planned', null, at);
    }
    const first = this.#first.before(stopped, this.#deps.clock.now());
    if (first !== null) {
      await this.#plan(stopped, first.until, by);
      return said('planned', `after ${await this.#nameOfFirst(first.session)}, which goes first`, first.until);
    }
    const refusal = await this.#instructions.give(stopped, by);
    if (refusal !== null) return said('refused', refusal); // what was planned stays
    await this.#clear(record);
    const { result, why } = await this.#instructions.follow(stopped, by);
    return said(result, why);
  }

  async #nameOfFirst(key: string): Promise<string> {
    const all = await this.#deps.store.sessions({ since: this.#deps.clock.now() - LONGEST });
    const found = all.find((record) => sessionKeyText(record) === key);
    return found === undefined ? 'another session' : sessionName(found);
  }

  /** The plan stays until its instruction is written down: a daemon that is killed before that goes on with it, and after it never gives it again. */
  async #carryOut(stopped: StoppedSession, plan: GoOnPlan): Promise<void> {
    if (!this.#planned.delete(sessionKeyText(plan.session))) return; // from now on it is too late to prevent it
    if ((await this.#instructions.give(stopped, plan.by)) !== null) return this.#giveUp(stopped, plan);
    await this.#clear(plan.session);
    this.#background.run(this.#instructions.follow(stopped, plan.by).then(() => undefined));
  }

  /** Nothing takes its instruction: that is said, unless it has gone on meanwhile. */
  async #giveUp(stopped: StoppedSession, plan: GoOnPlan): Promise<void> {
    const { store, clock, isBehind } = this.#deps;
    if (this.#isStopped || this.#instructions.isUnderWay(plan.session)) return;
    const isBusy = await isBehind(plan.session);
    const { failure } = memoryOf(await store.session(plan.session));
    if (isBusy) await this.#set(plan, clock.now() + AGAIN);
    else if (failure?.id === plan.failure) await this.#sayHeld(stopped, false);
    else await this.#clear(plan.session);
  }

  /** What was planned cannot be any more. */
  async #sayHeld(stopped: StoppedSession, given: boolean): Promise<void> {
    const event = heldEvent(stopped, this.#deps.clock.now(), given);
    await this.#deps.raise(event, event.id);
    await this.#clear(stopped.record);
  }

  /** It did not do what its client had said. */
  async #sayNotResumed(stopped: StoppedSession): Promise<void> {
    const event = notResumedEvent(stopped, this.#deps.clock.now());
    await this.#deps.raise(event, event.id);
    await this.#clear(stopped.record);
  }

  async #nextOf(stopped: StoppedSession): Promise<Next> {
    const { record, limit } = stopped;
    if (limit?.resumes === true) return { what: 'itself', at: limit.resetsAt };
    const plans = await readGoOnPlans(this.#deps.store, [{ session: record, failure: stopped.failed.id }]);
    const at = plans.get(sessionKeyText(record));
    if (at !== undefined) return { what: 'planned', at };
    return (await instructable(record, this.#deps.store)) === null ? { what: 'terminal' } : { what: 'ready' };
  }

  #all(): Promise<readonly StoppedSession[]> {
    return allStopped(this.#deps.store, this.#deps.clock.now());
  }

  #timesOf(record: SessionRecord): Promise<number> {
    return timesWentOn(record, this.#deps.store, this.#deps.clock.now());
  }

  async #plan(stopped: StoppedSession, due: number, by: By): Promise<void> {
    const isNew = !this.#planned.has(sessionKeyText(stopped.record));
    await this.#set(this.#planOf(stopped, by), due);
    await this.#deps.changed(stopped, isNew);
  }

  #planOf({ record, failed, limit }: StoppedSession, by: By): GoOnPlan {
    const { host, user, agent, sessionId } = record;
    const what = limit?.resumes === true ? 'look' : 'instruct';
    return { what, session: { host, user, agent, sessionId }, failure: failed.id, by };
  }

  /** It is not to go on any more, and that shows. */
  async #drop(stopped: StoppedSession): Promise<void> {
    await this.#clear(stopped.record);
    await this.#deps.changed(stopped, true);
  }

  /** Unless it has failed again, and has another plan. */
  async #clearOf({ record, failed }: StoppedSession): Promise<void> {
    const [timer] = await this.#deps.store.timers([goOnTimerId(record)]);
    if (timer !== undefined && goOnPlanOf(timer).failure === failed.id) await this.#clear(record);
  }

  async #set(plan: GoOnPlan, due: number): Promise<void> {
    this.#planned.add(sessionKeyText(plan.session));
    await this.#deps.store.setTimer(goOnTimer(plan, due), this.#deps.clock.now());
    this.#deps.wake();
  }

  async #clear(session: SessionKey): Promise<void> {
    this.#planned.delete(sessionKeyText(session));
    await this.#deps.store.clearTimer(goOnTimerId(session));
  }
}

const keyOf = (timer: Timer): string => sessionKeyText(goOnPlanOf(timer).session);
