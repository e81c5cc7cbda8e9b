// The pipeline: pure. classify > dedupe > session > resolve > correlate > hold > route > settle > group > silence > quiet > schedule.
import type { Event } from '../model/event.ts';
import type { Incoming } from '../model/incoming.ts';
import { classify, createState } from './classify.ts';
import { dedupe } from './dedupe.ts';
import { correlate } from './correlate.ts';
import { finalizeHeld, hold, runningAtRelease, wakeParent } from './hold.ts';
import { updateSession } from './session-state.ts';
import { quiet } from './quiet.ts';
import { withoutPerson } from './left-alone.ts';
import { memoryOf, withMemory } from './session-memory.ts';
import { type Facts, type StageContext, type PipelineState, type Stage, addVerdict } from './pipeline-state.ts';
import { resolve } from './resolve.ts';
import { route } from './route.ts';
import { signalOnly } from './signal.ts';
import { clampFuture } from './clamp-future.ts';
import { settle } from './settle.ts';
import { silence } from './silence.ts';
import { holdsJoined, joinGroups, keepJoins, planGroups } from './join-group.ts';
import { schedule } from './schedule.ts';
import { scheduleStallCheck } from './stall.ts';
import { countHeld, recordNotified } from './notified-channels.ts';

const STAGES: readonly Stage[] = [classify, dedupe, updateSession, resolve, signalOnly, correlate, hold, route, settle];

/** What depends on when a group goes out that the event joins. */
const FIRST_SENDS: readonly Stage[] = [planGroups, silence, quiet];
/** What follows them, also where all of them are held. */
const WHAT_FOLLOWS: readonly Stage[] = [keepJoins, schedule, joinGroups];

function rest(first: PipelineState, context: StageContext): PipelineState {
  if (!first.active) return first;
  return WHAT_FOLLOWS.reduce((state, stage) => stage(state, context), through(FIRST_SENDS, first, context));
}

function through(stages: readonly Stage[], first: PipelineState, context: StageContext): PipelineState {
  return stages.reduce((state, stage) => (state.active ? stage(state, context) : state), first);
}

/** An input decided up to the groups and storms that it joins: by then it is known which. */
export interface Undecided {
  /** The ids of their timers. */
  readonly holds: readonly string[];
  /** Decides the rest; given those of these timers that are set. */
  readonly rest: (timers: Facts['groupTimers']) => PipelineState;
}

function undecided(
  state: PipelineState,
  context: StageContext,
  end: (state: PipelineState) => PipelineState,
): Undecided {
  const { facts } = context;
  return {
    holds: state.active ? holdsJoined(state, context) : [],
    rest: (timers) => {
      const groupTimers = new Map([...facts.groupTimers, ...timers]);
      return end(rest(state, { ...context, facts: { ...facts, groupTimers } }));
    },
  };
}

/** Decides about one input as far as that can be done before the groups are known that it joins. */
export function begin(incoming: Incoming, context: StageContext): Undecided {
  const { record } = context.facts;
  const facts = { ...context.facts, record: record && clampFuture(record, incoming.startedAt, context.now) };
  const first = createState(withoutPerson(incoming, facts), facts);
  const now = { ...context, facts: countHeld({ ...context, facts }, first.event) };
  return undecided(through(STAGES, first, now), now, (decided) =>
    scheduleStallCheck(recordNotified(wakeParent(decided, now), now), now),
  );
}

/** Decides what comes of one input: its event, verdicts, the session's row, timers, and what is planned on channels. A stage that says stop ends the pipeline. */
export function decide(incoming: Incoming, context: StageContext): PipelineState {
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
  const state: PipelineState = {
    ...createState(incoming, context.facts),
    event: finalizeHeld(event, running),
    record: released,
  };
  const note = still
    ? 'waited long enough, background work is still running: sent now'
    : 'background work ended: sent now';
  const waited = addVerdict(state, 'hold', 'change', note);
  return undecided(through([route], waited, context), context, (decided) => recordNotified(decided, context));
}

/** What the routes, and what is quiet or muted, would plan for an event that is stored, were it new. */
export function decideStored(event: Event, context: StageContext): PipelineState {
  const times = { startedAt: context.now, receivedAt: context.now };
  const incoming = { type: 'event', source: 'belfry', entryId: event.id, event, occurrence: null, ...times } as const;
  return rest(through([route], createState(incoming, context.facts), context), context);
}

export { DIGEST, digestTimer } from './digest-timer.ts';
export { digestContent, type HeldMember } from './digest.ts';
export { FIRST_REMINDER, laterContent, planEscalation } from './escalation.ts';
export { COUNTS_FROM_BEFORE, earliestOf, firstNotified } from './later-steps.ts';
export { atRest, cutsOff } from './idle.ts';
export { type GroupPlan, GROUP, groupPlanOf, groupTimer, lostGroupTimer } from './group-plan.ts';
export { groupContent } from './group.ts';
export { type Hold, LONGEST_HOLD } from './hold-back.ts';
export {
  type Arrival,
  isDealtWith,
  membersNow,
  type OpenGroup,
  regroup,
  type Regrouped,
  shrank,
  takingOf,
} from './regroup.ts';
export { type PlannedReminders, planReminders, REMIND, reminderOf } from './remind.ts';
export { DEDUPE_WINDOW_MS, fingerprintOf, mayBeReportedTwice } from './dedupe.ts';
export { heldAgain } from './hold.ts';
export { resolveNotification } from './resolve.ts';
export { immediateSends, reach } from './route.ts';
export { ownSignal } from './session-state.ts';
export { memoryOf, placeWithWindow, rememberedEvents } from './session-memory.ts';
export { type NotificationFacts, notificationFacts } from './notification-facts.ts';
export { noFacts } from './pipeline-state.ts';
export type { StageContext, Facts, Notified, PipelineState, Resolved } from './pipeline-state.ts';
export { reasonsOf, render } from './render.ts';
export { titleOf } from './titles.ts';
export { applyWording } from './wording.ts';
export { type RouteTrace, traceRoutes } from './route-trace.ts';
export { heldUntil, QUIET } from './quiet.ts';
export { muteEnd, mutedBy, muteHold } from './silence.ts';
export { STALL } from './stall.ts';
export { STORM, stormContent } from './storm.ts';
