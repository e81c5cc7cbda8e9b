// What a course of stored events would have been under some rules: each is decided as a new one is, by the routes and the gate. Pure.
import { type BatchPlan, batchPlanOf, groupTimer, PLAIN_BATCH } from '../../dispatch/batch-plan.ts';
import { FIRST_REMINDER, planEscalation } from '../../dispatch/escalation.ts';
import { forecast, gatedPlan, type GateFacts } from '../../dispatch/gate.ts';
import { takesMembers } from '../../dispatch/group.ts';
import { type Reminded, REMINDED_FOR } from '../../dispatch/remind.ts';
import type { ChannelProfiles } from '../../model/channel/profile.ts';
import type { Only, PlannedDelivery, Unless } from '../../model/delivery/delivery.ts';
import { isGroupHold } from '../../model/delivery/holds.ts';
import type { Event } from '../../model/event/event.ts';
import type { Timer, Verdict } from '../../model/event/verdict.ts';
import { threadKeyOf } from '../../model/ids.ts';
import type { Config } from '../../model/settings/config.ts';
import { BATCH, decideStored, noFacts, planReminders, REMIND, reminderOf, STORM } from '../../pipeline/index.ts';

/** The settings that decide who hears of something. */
export interface RuleSet {
  readonly config: Config;
  readonly profiles: ChannelProfiles;
}

/** An event about which routes were asked, and when it was over, Unix ms; null: it never was. */
export interface PastEvent {
  readonly event: Event;
  readonly verdicts: readonly Verdict[];
  readonly resolvedAt: number | null;
  readonly acknowledgedAt: number | null;
}

/** What an event comes to on a channel: a message, or its part of one. */
export interface PastSend {
  readonly channel: string;
  /** 0: the first; then escalations. */
  readonly step: number;
  /** Unix ms; it may be still to come. */
  readonly at: number;
  readonly only: Only;
  readonly as: 'alone' | 'group' | 'digest';
}

/** Of one channel, until now. */
export interface ChannelCount {
  /** Messages of their own: escalations, reminders, groups and digests are one each. */
  readonly messages: number;
  /** Of these, what goes out only while somebody is away or idle: whether they were then is not known. */
  readonly onlyAway: number;
  /** Events that come in a digest. */
  readonly inDigests: number;
}

export interface PastResult {
  /** By the event's id; one that is missing came to nobody. */
  readonly sends: ReadonlyMap<string, readonly PastSend[]>;
  readonly channels: ReadonlyMap<string, ChannelCount>;
}

/** Takes events in the order of their time. */
export interface PastCourse {
  take(past: PastEvent): void;
  end(): PastResult;
}

/** Most reminders of one notification that are counted. */
const MOST_REMINDERS = 300;

/** What is held for one message. */
interface Held {
  readonly past: PastEvent;
  readonly planned: PlannedDelivery;
}

/** A group or a storm on one channel, as it was sent last. */
interface SentGroup {
  readonly at: number;
  readonly members: readonly PastEvent[];
}

/** Mutes, outages and "do not disturb" of then are not known any more: they hold nothing back here. `now`: Unix ms. */
export function createCourse(rules: RuleSet, home: string, now: number): PastCourse {
  return new Course(rules, home, now);
}

/** Nobody needs to hear of it any more at a time. */
function isOver({ resolvedAt, acknowledgedAt }: PastEvent, unless: Unless, at: number): boolean {
  if (unless !== 'none' && resolvedAt !== null && resolvedAt <= at) return true;
  return unless === 'acknowledged' && acknowledgedAt !== null && acknowledgedAt <= at;
}

const isOpen = (past: PastEvent, at: number): boolean => !isOver(past, 'acknowledged', at);

class Course implements PastCourse {
  readonly #rules: RuleSet;
  readonly #home: string;
  readonly #now: number;
  readonly #gate: GateFacts;
  readonly #timers = new Map<string, Timer>();
  readonly #held = new Map<string, Held[]>();
  readonly #groups = new Map<string, SentGroup>();
  readonly #digests = new Map<string, Held[]>();
  /** When each session's first sends were planned, of the last minute. */
  readonly #planned = new Map<string, ReadonlyMap<string, readonly number[]>>();
  readonly #sends = new Map<string, PastSend[]>();
  readonly #channels = new Map<string, ChannelCount>();

  constructor(rules: RuleSet, home: string, now: number) {
    this.#rules = rules;
    this.#home = home;
    this.#now = now;
    const { profiles, config } = rules;
    this.#gate = { silences: [], quiet: config.quiet, profiles, failing: new Set(), home };
  }

  take(past: PastEvent): void {
    const { event, verdicts } = past;
    const { config, profiles } = this.#rules;
    this.#letOut(event.at);
    const thread = threadKeyOf(event);
    const plannedSends = this.#planned.get(thread) ?? new Map<string, readonly number[]>();
    const facts = { ...noFacts(this.#home), profiles, groupTimers: this.#timers, plannedSends };
    const { plan, timersToSet } = decideStored(event, { facts, config, now: event.at }, verdicts);
    for (const planned of plan) this.#plan({ past, planned });
    this.#planned.set(thread, recent(plannedSends, plan, event.at));
    for (const timer of timersToSet) {
      if (timer.kind === BATCH && isGroupHold(timer.id)) this.#timers.set(timer.id, timer);
      const reminded = timer.kind === REMIND ? reminderOf(timer) : null;
      if (reminded !== null) this.#remind(reminded, [past]);
    }
  }

  end(): PastResult {
    this.#letOut(this.#now);
    for (const held of this.#digests.values()) {
      const open = held.filter(({ past, planned }) => !isOver(past, planned.unless, planned.due));
      const [first] = open;
      if (first === undefined) continue;
      this.#count(first.planned, first.planned.due, open.length);
      for (const { past, planned } of open) this.#note(past, planned, planned.due, 'digest');
    }
    return { sends: this.#sends, channels: this.#channels };
  }

  #plan(held: Held): void {
    const { past, planned } = held;
    const { heldBy, channel, due, unless, step } = planned;
    if (step >= FIRST_REMINDER) return; // by its timer, with those that follow it
    if (heldBy !== undefined) {
      const [of, key] = isGroupHold(heldBy)
        ? [this.#held, heldBy]
        : [this.#digests, JSON.stringify([heldBy, channel, due])];
      const waiting = of.get(key) ?? [];
      waiting.push(held);
      of.set(key, waiting);
    } else if (!isOver(past, unless, due)) {
      this.#count(planned, due);
      this.#note(past, planned, due, 'alone');
    }
  }

  /** The groups and storms that are due by then go out, the earliest first. */
  #letOut(until: number): void {
    for (;;) {
      let next: Timer | null = null;
      for (const timer of this.#timers.values())
        if (timer.due <= until && timer.due < (next?.due ?? Infinity)) next = timer;
      if (next === null) return;
      const { pending, ...plan } = batchPlanOf(next) ?? { ...PLAIN_BATCH, pending: true };
      this.#timers.delete(next.id);
      if (!pending) continue; // it only said when the next may go out
      this.#timers.set(next.id, groupTimer(next.id, next.due + plan.every, false, plan));
      this.#sendGroup(next.id, plan, next.due);
    }
  }

  #sendGroup(hold: string, plan: BatchPlan, at: number): void {
    const held = this.#held.get(hold) ?? [];
    this.#held.delete(hold);
    const open = held.filter(({ past, planned }) => !isOver(past, planned.unless, at));
    const come = new Map<string, Held[]>();
    for (const one of open) come.set(one.planned.channel, [...(come.get(one.planned.channel) ?? []), one]);
    let begins: readonly PastEvent[] = [];
    for (const [channel, own] of come) {
      const key = JSON.stringify([hold, channel]);
      const sent = this.#groups.get(key);
      const grows = sent !== undefined && this.#takes(sent, plan, at);
      const members = [...(grows ? sent.members : []), ...own.map(({ past }) => past)];
      this.#groups.set(key, { at, members });
      const [first] = own;
      if (first !== undefined && !(grows && this.#rules.profiles.get(channel)?.updates === true))
        this.#count(first.planned, at);
      for (const { past, planned } of own) this.#note(past, planned, at, 'group');
      if (!grows) begins = members;
    }
    const [first] = begins;
    if (first === undefined) return;
    const from = { due: at, revision: 1, only: plan.only };
    for (const step of planEscalation(plan.escalate, from)) {
      const left = begins.filter((past) => isOpen(past, step.due));
      if (left.length === 0 || !this.#goes(step, left)) continue;
      this.#count(step, step.due);
      for (const past of left) this.#note(past, step, step.due, 'group');
    }
    const channels = [...come.keys()].map((channel) => ({ channel, only: plan.only }));
    if (plan.repeat !== null) this.#remind({ first: at, repeat: plan.repeat, channels }, begins);
  }

  /** As what is sent is changed: while one of it is open, and for so long. */
  #takes({ at: updatedAt, members }: SentGroup, plan: { readonly every: number }, at: number): boolean {
    const state = members.some((past) => isOpen(past, at)) ? 'open' : 'resolved';
    return takesMembers({ state, updatedAt, eventIds: members.map(({ event }) => event.id) }, plan, at);
  }

  #remind(reminded: Reminded, events: readonly PastEvent[]): void {
    const { first, repeat } = reminded;
    const end = Math.min(this.#now, first + REMINDED_FOR);
    for (let number = 1; number <= MOST_REMINDERS && first + number * repeat <= end; number++) {
      const at = first + number * repeat;
      const left = events.filter((past) => isOpen(past, at));
      if (left.length === 0) return;
      for (const planned of planReminders('', reminded, { revision: 1 }, at - 1).plan)
        if (this.#goes(planned, left)) this.#count(planned, planned.due);
    }
  }

  #goes(planned: PlannedDelivery, [first, ...others]: readonly PastEvent[]): boolean {
    if (first === undefined) return false;
    const events = [first, ...others].map(({ event }) => event);
    return forecast(gatedPlan(planned, first.event, events), this.#gate, planned.due).verdict === 'go';
  }

  /** `digested`: events that it is the digest of. */
  #count({ channel, only }: PlannedDelivery, at: number, digested = 0): void {
    if (at > this.#now) return;
    const { messages, onlyAway, inDigests } = this.#channels.get(channel) ?? { messages: 0, onlyAway: 0, inDigests: 0 };
    this.#channels.set(channel, {
      messages: messages + 1,
      onlyAway: onlyAway + (only === 'always' ? 0 : 1),
      inDigests: inDigests + digested,
    });
  }

  #note({ event }: PastEvent, { channel, step, only }: PlannedDelivery, at: number, as: PastSend['as']): void {
    const sends = this.#sends.get(event.id) ?? [];
    sends.push({ channel, step, at, only, as });
    this.#sends.set(event.id, sends);
  }
}

/** With what is planned now, without what is older than storms are judged by. */
function recent(
  before: ReadonlyMap<string, readonly number[]>,
  plan: readonly PlannedDelivery[],
  now: number,
): ReadonlyMap<string, readonly number[]> {
  const first = plan.filter(({ step, heldBy }) => step === 0 && (heldBy === undefined || isGroupHold(heldBy)));
  const all = [...before].map(
    ([channel, times]) => [channel, times.filter((at) => at > now - STORM.windowMs)] as const,
  );
  const next = new Map(all);
  for (const { channel } of first) next.set(channel, [...(next.get(channel) ?? []), now]);
  return next;
}
