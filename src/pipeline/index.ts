// The pipeline: pure. classify > dedupe > session > resolve > correlate > hold > route > settle > group > schedule > silence > quiet.
import type { Event } from '../model/event.ts';
import type { Incoming } from '../model/incoming.ts';
import { classify, createState } from './classify.ts';
import { dedupe } from './dedupe.ts';
import { correlate } from './correlate.ts';
import { finalizeHeld, hold, runningAtRelease, wakeParent } from './hold.ts';
import { updateSession } from './session-state.ts';
import { quiet } from './quiet.ts';
import { memoryOf, withMemory } from './session-memory.ts';
import { type StageContext, type PipelineState, type Stage, addVerdict } from './pipeline-state.ts';
import { resolve } from './resolve.ts';
import { route } from './route.ts';
import { signalOnly } from './signal.ts';
import { clampFuture } from './clamp-future.ts';
import { settle } from './settle.ts';
import { silence } from './silence.ts';
import { joinGroups, planGroups } from './join-group.ts';
import { schedule } from './schedule.ts';
import { scheduleStallCheck } from './stall.ts';
import { countHeld, recordNotified } from './notified-channels.ts';

const STAGES: readonly Stage[] = [
  classify,
  dedupe,
  updateSession,
  resolve,
  signalOnly,
  correlate,
  hold,
  route,
  settle,
  planGroups,
  schedule,
  silence,
  quiet,
  joinGroups,
];

function through(stages: readonly Stage[], first: PipelineState, context: StageContext): PipelineState {
  return stages.reduce((state, stage) => (state.active ? stage(state, context) : state), first);
}

/** Decides what comes of one input: its event, verdicts, the session's row, timers, and what is planned on channels. A stage that says stop ends the pipeline. */
export function decide(incoming: Incoming, context: StageContext): PipelineState {
  const { record } = context.facts;
  const facts = { ...context.facts, record: record && clampFuture(record, incoming.startedAt, context.now) };
  const first = createState(incoming, facts);
  const now = { ...context, facts: countHeld({ ...context, facts }, first.event) };
  const decided = wakeParent(through(STAGES, first, now), now);
  return scheduleStallCheck(recordNotified(decided, now), now);
}

/** Decides again on a finish whose hold is over; null when the session has moved on and it is moot. */
export function decideHeld(incoming: Incoming, event: Event, context: StageContext): PipelineState | null {
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
  return recordNotified(through([route, planGroups, schedule, silence, quiet, joinGroups], waited, context), context);
}

/** What the routes, and what is quiet or muted, would plan for an event that is stored, were it new. */
export function decideStored(event: Event, context: StageContext): PipelineState {
  const times = { startedAt: context.now, receivedAt: context.now };
  const incoming = { type: 'event', source: 'belfry', entryId: event.id, event, occurrence: null, ...times } as const;
  return through(
    [route, planGroups, schedule, silence, quiet, joinGroups],
    createState(incoming, context.facts),
    context,
  );
}

export { DIGEST, digestTimer } from './digest-timer.ts';
export { digestContent, type HeldMember } from './digest.ts';
export { laterContent } from './escalation.ts';
export { atRest, cutsOff } from './idle.ts';
export { type GroupPlan, GROUP, groupPlanOf, groupTimer, lostGroupTimer } from './group-plan.ts';
export { groupContent } from './group.ts';
export { type Hold, LONGEST_HOLD } from './hold-back.ts';
export { type Arrival, membersNow, type OpenGroup, regroup, type Regrouped, shrank, takingOf } from './regroup.ts';
export { type PlannedReminders, planReminders, REMIND, reminderOf } from './remind.ts';
export { fingerprintOf } from './dedupe.ts';
export { heldAgain, HOLD } from './hold.ts';
export { resolveNotification } from './resolve.ts';
export { immediateSends, reach } from './route.ts';
export { ownSignal } from './session-state.ts';
export { memoryOf, rememberedEvents } from './session-memory.ts';
export { type NotificationFacts, notificationFacts } from './notification-facts.ts';
export { noFacts } from './pipeline-state.ts';
export type { StageContext, Facts, Notified, PipelineState } from './pipeline-state.ts';
export { reasonsOf, render } from './render.ts';
export { titleOf } from './titles.ts';
export { applyWording } from './wording.ts';
export { type RouteTrace, traceRoutes } from './route-trace.ts';
export { heldUntil, QUIET } from './quiet.ts';
export { muteEnd, mutedBy, muteHold } from './silence.ts';
export { STALL } from './stall.ts';
export { STORM, stormContent } from './storm.ts';
