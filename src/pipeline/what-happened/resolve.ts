// InputStage 4: a session that goes on resolves what it had notified people of.
import type { SessionSignal } from '../../model/agent/agent.ts';
import type { Resolution } from '../../model/channel/channel.ts';
import type { Incoming } from '../../model/event/incoming.ts';
import type { ChannelProfiles } from '../../model/channel/profile.ts';
import { formatElapsed } from '../../model/quantities.ts';
import { acknowledgedWords } from '../../model/notification/resolution.ts';
import { stillRunning } from './classify.ts';
import { beforeFinish, failedBeforeEnd, finishedBeforeEnd, memoryOf } from '../session/session-memory.ts';
import { askedBySubagent, matchingRequests } from './match-request.ts';
import type { NotificationFacts } from '../../dispatch/notification-facts.ts';
import { planChanges } from '../../dispatch/plan-changes.ts';
import { addVerdict, type InputStage, type InputState, type Resolved, type StageContext } from '../pipeline-state.ts';
import { signalOf } from '../session/session-state.ts';
import { batchesOver } from '../../dispatch/batch-plan.ts';
import { isPrompt as asksSomebody, type Kind } from '../../model/event/event.ts';
import { ENDED_BY_SESSION, LEFT_OPEN, MOST_OPEN } from '../../model/notification/notification.ts';

/** The signals that resolve a notification, each in words. */
type Rule = Readonly<Partial<Record<SessionSignal, string>>>;

const WENT_ON: Rule = {
  prompted: 'you went on',
  activity: 'the session went on',
  started: 'the session was started again',
};

const WAITING: Rule = {
  ...WENT_ON,
  resolved: 'answered in the terminal',
  finished: 'its turn ended',
  interrupted: 'you interrupted it',
  failed: 'its turn failed',
  ended: 'the session ended',
  'subagent-finished': 'its subagent finished',
};

const ANSWERED: Rule = { ...WAITING, activity: 'answered in the terminal' };

const FINISHED: Rule = {
  prompted: 'you went on',
  started: 'the session was started again',
  ended: 'the session ended',
};

const STALLED: Rule = {
  ...WAITING,
  resolved: 'the session went on',
  waiting: 'the session went on',
  finished: 'it finished',
};

/** What ends one of these by what its session does, in words; what is left out, nothing but time and people end. */
const RULES: Readonly<Record<(typeof ENDED_BY_SESSION)[number], readonly [Rule, ofSome: Rule]>> = {
  // ofSome: a prompt that waits for the person, and a session that stalled or retries.
  'agent.waiting': [WAITING, ANSWERED],
  'agent.finished': [FINISHED, FINISHED],
  'session.failed': [WENT_ON, STALLED],
  'session.ended': [WENT_ON, WENT_ON],
};

const endsWithSession = (kind: Kind): kind is keyof typeof RULES => kind in RULES;

/** It was at work when it was reported. */
const isSlow = ({ notification: { detail } }: NotificationFacts): boolean =>
  detail === 'stalled' || detail === 'retrying';

function ruleOf(open: NotificationFacts): Rule {
  const { kind } = open.notification;
  if (!endsWithSession(kind)) return {};
  const [rule, ofSome] = RULES[kind];
  return isPrompt(open) || isSlow(open) ? ofSome : rule;
}

/** The kinds of open notifications that matter to what an input changes: one that asks ends no other that asks, however many are open. */
export function mayEnd(incoming: Incoming): readonly Kind[] {
  const asks =
    incoming.type === 'hook' && incoming.parsed.signal === 'waiting' && incoming.parsed.kind === 'agent.waiting';
  return asks ? ENDED_BY_SESSION.filter((kind) => RULES[kind].some((rule) => 'waiting' in rule)) : ENDED_BY_SESSION;
}

/** Reasons of an end that are the person's own act. */
const OWN_ACTS: ReadonlySet<string> = new Set(['clear', 'logout', 'prompt_input_exit', 'user_exit']);
/** Ms within which a client ends by itself after its only turn: nobody has read the finish by then. */
const ENDS_AFTER_FINISH = 10_000;

/** A clean end says that the person has seen the finish; one that only follows it, as without a terminal, says nothing. */
function isSeen({ event }: InputState, since: number): boolean {
  return !event.abnormal && (OWN_ACTS.has(event.reason ?? '') || event.at - since >= ENDS_AFTER_FINISH);
}

/** What came first on its way and is over by what began before it, with why; null: it is none. Of a finish or a failure: its session's end, which cut off nothing; of an end: a finish that met an open prompt. */
function overtaken({ event, incoming }: InputState, open: NotificationFacts, { facts }: StageContext): string | null {
  const { record } = facts;
  if (record === null) return null;
  const { end, finished } = memoryOf(record);
  if (event.kind === 'session.ended' && open.event?.id === finished?.id)
    return beforeFinish(record, incoming.startedAt) === record ? null : 'its session had ended before';
  if (open.event?.id !== end?.id) return null;
  if (event.kind === 'agent.finished') return finishedBeforeEnd(record, event) ? 'its turn had ended before' : null;
  const failed = event.kind === 'session.failed' && failedBeforeEnd(record, incoming.startedAt);
  return failed ? 'its turn had failed before' : null;
}

/** Signals that concern a session with all its subagents. */
const WHOLE: ReadonlySet<SessionSignal> = new Set<SessionSignal>([
  'prompted',
  'started',
  'interrupted',
  'ended',
  'failed',
]);

/** Whether the input speaks for whoever asked: a subagent speaks for itself only. */
function concerns({ incoming }: InputState, signal: SessionSignal, open: NotificationFacts, whole: boolean): boolean {
  const speaker = incoming.type === 'hook' ? (incoming.parsed.subagent?.id ?? null) : null;
  const asker = askedBySubagent(open);
  if (speaker !== null) return open.notification.kind === 'agent.waiting' && asker === speaker;
  if (WHOLE.has(signal)) return true;
  return whole || asker === null;
}

/** When it was raised, Unix ms; a time ahead of now is of a clock that was set back since. */
function raisedAt({ event, notification }: NotificationFacts, now: number): number {
  const at = event?.at ?? notification.createdAt;
  return at > now ? 0 : at;
}

/** Ms from when it was raised until `at`, Unix ms; null: nobody knows, as a clock was set back since. */
function openFor(open: NotificationFacts, at: number, now: number): number | null {
  const since = raisedAt(open, now);
  return since === 0 ? null : at - since;
}

function words(rule: Rule, signal: SessionSignal, ms: number | null): string {
  const what = rule[signal] ?? '';
  if (ms === null) return what;
  const took = formatElapsed(ms / 1_000);
  if (what.startsWith('answered')) return `${what} ${took === null ? 'at once' : `after ${took}`}`;
  return took === null ? `${what} right after` : `${what} ${took} later`;
}

/** Who answered it from elsewhere, and after what time; null: nobody did. */
function answeredElsewhere(open: NotificationFacts, now: number): string | null {
  const { acknowledged } = open.notification;
  if (acknowledged?.answered !== true || !isPrompt(open)) return null;
  const ms = openFor(open, acknowledged.at, now);
  if (ms === null) return acknowledgedWords(acknowledged);
  const took = formatElapsed(ms / 1_000);
  return `${acknowledgedWords(acknowledged)} ${took === null ? 'at once' : `after ${took}`}`;
}

/** The open notifications that this input resolves. */
function resolvedBy(state: InputState, signal: SessionSignal, context: StageContext): readonly NotificationFacts[] {
  const { incoming } = state;
  const { facts, now } = context;
  const whole = signal === 'finished' && incoming.type === 'hook' && stillRunning(incoming.parsed, facts).length === 0;
  const found = facts.open.filter((open) => {
    if (overtaken(state, open, context) !== null) return true;
    const since = raisedAt(open, now);
    if (since > incoming.receivedAt || ruleOf(open)[signal] === undefined) return false;
    if (open.notification.kind === 'agent.finished' && signal === 'ended' && !isSeen(state, since)) return false;
    return concerns(state, signal, open, whole);
  });
  const isWaiting = (open: NotificationFacts): boolean => open.notification.kind === 'agent.waiting';
  if (incoming.type !== 'hook' || (signal !== 'activity' && signal !== 'resolved')) return found;
  const answered = matchingRequests(found.filter(isWaiting), incoming.parsed);
  return found.filter((open) => !isWaiting(open) || answered.includes(open));
}

/** A notification that is over: its row as it is to stand, and what that means on its channels. `now`: Unix ms. */
export function resolveNotification(
  open: NotificationFacts,
  profiles: ChannelProfiles,
  resolution: Resolution,
  now: number,
): Resolved {
  const { revision, plan } = planChanges(open, profiles, resolution);
  const { why, at } = resolution;
  const notification = {
    ...open.notification,
    state: 'resolved',
    resolved: { at, why },
    revision,
    updatedAt: now,
  } as const;
  return { notification, plan };
}

/** "answered in the terminal after 40 s (retract on desktop)". */
function noteOf({ notification, plan }: Resolved, { channels }: NotificationFacts): string {
  const later = new Set(channels.flatMap((one) => (one.sends === 'scheduled' ? [`${one.step} ${one.channel}`] : [])));
  const shown = plan.filter(({ step, channel }) => !later.has(`${step} ${channel}`));
  const changes = shown.map(({ operation, channel }) => `${operation} on ${channel}`);
  const done = changes.length > 0 ? ` (${changes.join(', ')})` : '';
  return `${notification.title}: ${notification.resolved?.why ?? ''}${done}`;
}

/** Why an open one is over by what came. */
function whyOf(
  open: NotificationFacts,
  state: InputState,
  signal: SessionSignal,
  at: number,
  context: StageContext,
): string {
  return (
    overtaken(state, open, context) ??
    answeredElsewhere(open, context.now) ??
    words(ruleOf(open), signal, openFor(open, at, context.now))
  );
}

/** Ends these, each with why; what they have unsent is taken back, and what was sent is changed. */
function ended(
  state: InputState,
  found: readonly { readonly open: NotificationFacts; readonly why: string }[],
  { facts, now }: StageContext,
): InputState {
  const at = Math.min(state.incoming.receivedAt, now);
  const overs = found.map(({ open, why }) => ({
    open,
    over: resolveNotification(open, facts.profiles, { why, at }, now),
  }));
  const resolved = overs.map(({ over }) => over);
  const notes = overs.map(({ open, over }) => noteOf(over, open));
  const cancel = resolved.map(
    ({ notification }) => ({ notificationId: notification.id, because: 'resolved' }) as const,
  );
  const next = {
    ...state,
    resolved: [...state.resolved, ...resolved],
    cancel: [...state.cancel, ...cancel],
    timersToSet: [
      ...state.timersToSet,
      ...batchesOver(
        resolved.flatMap(({ notification }) => notification.eventIds),
        facts,
        now,
      ),
    ],
  };
  return addVerdict(next, 'resolve', 'change', `resolved ${notes.join('; ')}`);
}

/** Resolves what the session has moved on from. */
export const resolve: InputStage = (state, context) => {
  const signal = signalOf(state, context.facts.record);
  if (signal === null) return state;
  const found = resolvedBy(state, signal, context);
  const kept = keepWaiting(state, found, context);
  if (found.length === 0) return kept;
  const at = Math.min(state.incoming.receivedAt, context.now);
  return ended(
    kept,
    found.map((open) => ({ open, why: whyOf(open, state, signal, at, context) })),
    context,
  );
};

/** The oldest ones give way to this event's own, where the session would keep too many open with it. */
export const makeRoom: InputStage = (state, context) => {
  const { open, surplus } = context.facts;
  if (!endsWithSession(state.event.kind)) return state;
  const over = new Set(state.resolved.map(({ notification }) => notification.id));
  if (surplus.length - over.size <= MOST_OPEN - LEFT_OPEN) return state;
  const oldest = open.filter(({ notification: { id } }) => surplus.includes(id) && !over.has(id));
  const why = `its session has ${LEFT_OPEN} later ones open`;
  return ended(
    state,
    oldest.slice(0, surplus.length - over.size).map((one) => ({ open: one, why })),
    context,
  );
};

/** A permission or a question that waits for the person. */
function isPrompt({ notification }: NotificationFacts): boolean {
  return asksSomebody(notification);
}

/** Its session's row waits as long as one of its prompts is open. `resolved`: the notifications that this input resolves. */
function keepWaiting(state: InputState, resolved: readonly NotificationFacts[], { facts }: StageContext): InputState {
  const before = facts.record;
  if (before?.state !== 'waiting' || state.record?.state !== 'working') return state;
  const left = facts.open.filter((open) => isPrompt(open) && !resolved.includes(open)).at(-1);
  if (left === undefined) return state;
  const record = {
    ...state.record,
    state: 'waiting',
    since: before.since,
    waitingFor: left.notification.detail,
  } as const;
  return addVerdict({ ...state, record }, 'session', 'change', 'working -> waiting: another prompt is open');
}
