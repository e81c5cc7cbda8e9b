// The pipeline: pure. What happened: classify > dedupe > session > resolve > correlate > hold > make room. Who hears: route > settle > group > silence > quiet > schedule.
import type { Event } from '../model/event/event.ts';
import type { Incoming } from '../model/event/incoming.ts';
import type { Verdict } from '../model/event/verdict.ts';
import { classify, createState } from './what-happened/classify.ts';
import { correlate, dedupe } from './what-happened/correlate.ts';
import { finalizeHeld, hold, runningAtRelease, wakeParent } from './what-happened/hold-for-background.ts';
import { clampFuture, scheduleStallCheck, updateSession, withoutPerson } from './session/session-state.ts';
import { memoryOf, withMemory } from './session/session-memory.ts';
import {
  addVerdict,
  type Facts,
  type Happened,
  type HearingContext,
  type InputStage,
  type InputState,
  type PipelineState,
  type Stage,
  type StageContext,
} from './pipeline-state.ts';
import { scheduleReset } from './what-happened/limit-timer.ts';
import { makeRoom, resolve } from './what-happened/resolve.ts';
import { route } from './who-hears/route.ts';
import { signalOnly } from './what-happened/signal-only.ts';
import { quiet, settle, settledOf, settlesOf, silence } from './who-hears/hold-back.ts';
import { holdsJoined, joinGroups, keepJoins, planGroups } from './who-hears/join-group.ts';
import { schedule } from './who-hears/schedule.ts';
import { countHeld, recordNotified } from './who-hears/notified-channels.ts';

/** What happened. */
const HAPPENS: readonly InputStage[] = [
  classify,
  dedupe,
  updateSession,
  resolve,
  signalOnly,
  correlate,
  hold,
  makeRoom,
];
/** Who hears of it. */
const FIRST_HEARS: readonly Stage[] = [route, settle];
/** What depends on when a group goes out that the event joins. */
const FIRST_SENDS: readonly Stage[] = [planGroups, silence, quiet];
/** What follows them, also where all of them are held. */
const WHAT_FOLLOWS: readonly Stage[] = [keepJoins, schedule, joinGroups];

function through<S extends PipelineState, C>(
  stages: readonly ((state: S, context: C) => S)[],
  first: S,
  context: C,
): S {
  return stages.reduce((state, stage) => (state.active ? stage(state, context) : state), first);
}

/** What happened: the event, the session's row, what is over, what was reported already, and whether anybody is to hear of it now. */
export function whatHappened(incoming: Incoming, context: StageContext): InputState {
  const first = createState(incoming, context.facts);
  const decided = through(HAPPENS, first, { ...context, facts: countHeld(context, first.event) });
  const state = { ...decided, settles: settlesOf(incoming, context.now) };
  return scheduleStallCheck(scheduleReset(wakeParent(state, context)), context);
}

/** Who hears of something, decided up to the groups and storms that it joins: by then it is known which. */
interface Hearing<S> {
  /** The ids of their timers. */
  readonly holds: readonly string[];
  /** Decides the rest; given those of these timers that are set. */
  readonly rest: (timers: Facts['groupTimers']) => S;
}

/** Who hears of what happened, where and when: deliveries and timers. It goes by what is handed over and these facts alone, so that it can be decided elsewhere. */
export function whoHears(
  { event, verdicts, active, timersToSet, settles, alreadyNotified }: Happened,
  context: HearingContext,
): Hearing<PipelineState> {
  const none = { routes: [], grouped: new Map(), joins: new Map(), plan: [] };
  const first = { event, verdicts, active, timersToSet, settles, alreadyNotified, ...none };
  const routed = through(FIRST_HEARS, first, context);
  return {
    holds: routed.active ? holdsJoined(routed, context) : [],
    rest: (timers) => {
      if (!routed.active) return routed;
      const groupTimers = new Map([...context.facts.groupTimers, ...timers]);
      const known = { ...context, facts: { ...context.facts, groupTimers } };
      return WHAT_FOLLOWS.reduce((state, stage) => stage(state, known), through(FIRST_SENDS, routed, known));
    },
  };
}

/** An input of which it is decided what happened, and not yet who hears of it. */
export type Undecided = Hearing<InputState>;

/** The session's row keeps whether anybody hears of it. */
function undecided(happened: InputState, context: StageContext): Undecided {
  const { holds, rest } = whoHears(happened, context);
  return { holds, rest: (timers) => recordNotified({ ...happened, ...rest(timers) }, context) };
}

/** Decides about one input as far as that can be done before the groups are known that it joins. */
export function begin(incoming: Incoming, context: StageContext): Undecided {
  const { record } = context.facts;
  const facts = { ...context.facts, record: record && clampFuture(record, incoming.startedAt, context.now) };
  const now = { ...context, facts };
  return undecided(whatHappened(withoutPerson(incoming, facts), now), now);
}

/** Decides what comes of one input: its event, verdicts, the session's row, timers, and what is planned on channels. A stage that says stop ends the pipeline. */
export function decide(incoming: Incoming, context: StageContext): InputState {
  return begin(incoming, context).rest(context.facts.groupTimers);
}

/** The same of a finish whose hold is over; null when the session has moved on and it is moot. */
export function beginHeld(incoming: Incoming, event: Event, context: StageContext): Undecided | null {
  const { record } = context.facts;
  const { held, ...rest } = memoryOf(record);
  if (record === null || held?.id !== event.id) return null;
  const running = runningAtRelease(record, context.facts);
  const still = running.length > 0;
  const released = withMemory(
    { ...record, running, state: still ? record.state : 'finished', memory: rest },
    { finished: { at: context.now, id: event.id } },
  );
  const state: InputState = {
    ...createState(incoming, context.facts),
    event: finalizeHeld(event, running),
    record: released,
  };
  const note = still
    ? 'waited long enough, background work is still running: sent now'
    : 'background work ended: sent now';
  return undecided(addVerdict(state, 'hold', 'change', note), context);
}

/** What the routes, and what is quiet or muted, would plan for an event that is stored, were it new. `noted`: its verdicts, where it is to settle as it did. */
export function decideStored(event: Event, context: HearingContext, noted: readonly Verdict[] = []): PipelineState {
  const fresh = {
    verdicts: [],
    active: true,
    timersToSet: [],
    settles: settledOf(noted, event.at),
    alreadyNotified: { channels: [], by: [] },
  };
  return whoHears({ event, ...fresh }, context).rest(new Map());
}

export { laterContent } from '../dispatch/escalation.ts';
export { atRest, cutsOff } from './session/session-memory.ts';
export { BATCH, releaseTimer } from '../dispatch/batch-plan.ts';
export { type PlannedReminders, planReminders, REMIND, reminderOf } from '../dispatch/remind.ts';
export { DEDUPE_WINDOW_MS, fingerprintOf, mayBeReportedTwice } from './what-happened/correlate.ts';
export { heldAgain } from './what-happened/hold-for-background.ts';
export { mayEnd, resolveNotification } from './what-happened/resolve.ts';
export { immediateSends, reach, routeMatches } from './who-hears/route.ts';
export { ownSignal } from './session/session-state.ts';
export { memoryOf, placeWithWindow, rememberedEvents } from './session/session-memory.ts';
export { type NotificationFacts, notificationFacts } from '../dispatch/notification-facts.ts';
export { noFacts } from './pipeline-state.ts';
export type { StageContext, Facts, InputState, Notified, PipelineState, Resolved } from './pipeline-state.ts';
export { reasonsOf, render } from './words/render.ts';
export { titleOf } from './words/titles.ts';
export { applyWording } from './words/titles.ts';
export { type RouteTrace, traceRoutes } from './who-hears/route-trace.ts';
export { LIMIT, type LimitData, limitTimer, limitTimerId, overAt } from './what-happened/limit-timer.ts';
export { STALL } from './session/session-state.ts';
export { STORM } from '../dispatch/storm.ts';
