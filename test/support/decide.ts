// The pipeline alone: inputs made field by field, and a player that keeps what the store would.
import type { ParsedHook } from '../../src/model/agent/agent.ts';
import type { Config } from '../../src/model/settings/config.ts';
import type { Event } from '../../src/model/event/event.ts';
import type { Incoming, IncomingEvent, IncomingHook } from '../../src/model/event/incoming.ts';
import { type Acknowledgement, LEFT_OPEN, MOST_OPEN } from '../../src/model/notification/notification.ts';
import type { SessionRecord } from '../../src/model/session/session.ts';
import type { Silence } from '../../src/model/event/verdict.ts';
import { openNotification } from '../../src/decisions/new-rows.ts';
import {
  decide,
  type Facts,
  DEDUPE_WINDOW_MS,
  fingerprintOf,
  mayBeReportedTwice,
  mayEnd,
  type NotificationFacts,
  type Notified,
  type InputState,
} from '../../src/pipeline/index.ts';
import { madeEvent, NOON, WHERE } from './made.ts';

export function madeParsed(more: Partial<ParsedHook> = {}): ParsedHook {
  return {
    kind: 'agent.finished',
    signal: 'finished',
    hookEvent: 'Stop',
    sessionId: 'session-1',
    cwd: '/home/dev/src/payments',
    message: null,
    reason: null,
    abnormal: false,
    byUser: false,
    turnBegan: false,
    detail: null,
    urgency: 'normal',
    lastAssistantMessage: null,
    prompt: null,
    tool: null,
    toolUseId: null,
    isSignal: false,
    transcript: null,
    occurrence: null,
    correlationKey: null,
    isFollowUp: false,
    speculative: false,
    running: null,
    resumesWithinMs: null,
    settlesWithinMs: null,
    subagent: null,
    parentSessionId: null,
    title: null,
    seconds: null,
    limit: null,
    unknown: {},
    ...more,
  };
}

let serial = 0;

/** A hook input `at` ms after noon; the digest is made of what was parsed, as equal payloads are parsed equally. */
export function madeHook(at: number, parsed: Partial<ParsedHook> = {}, more: Partial<IncomingHook> = {}): IncomingHook {
  serial += 1;
  const whole = madeParsed(parsed);
  return {
    type: 'hook',
    entryId: `entry-${serial}`,
    source: 'socket',
    startedAt: NOON + at,
    receivedAt: NOON + at,
    agent: 'generic',
    ...WHERE,
    parsed: whole,
    origin: { pid: 1, ppid: 1, env: {} },
    digest: JSON.stringify(whole),
    ...more,
  };
}

/** An event with words of its own. */
export function madeOwn(at: number, event: Partial<Event> = {}, occurrence: string | null = null): IncomingEvent {
  serial += 1;
  const whole = madeEvent({ id: `own-${serial}`, at: NOON + at, ...event });
  return {
    type: 'event',
    entryId: whole.id,
    source: 'belfry',
    startedAt: NOON + at,
    receivedAt: NOON + at,
    event: whole,
    occurrence,
  };
}

export const PROMPTED: Partial<ParsedHook> = {
  kind: 'agent.other',
  signal: 'prompted',
  hookEvent: 'UserPromptSubmit',
  urgency: 'low',
};
export const ENDED: Partial<ParsedHook> = {
  kind: 'session.ended',
  signal: 'ended',
  hookEvent: 'SessionEnd',
  urgency: 'low',
};
export const ASKS: Partial<ParsedHook> = {
  kind: 'agent.waiting',
  signal: 'waiting',
  hookEvent: 'Notification',
  detail: 'permission',
};

/** Settings with one catch-all route to the channel `team`. */
export const PLAIN_CONFIG: Config = {
  api: {},
  context: { messages: 3, timeout: 3_000, kinds: ['agent.finished'] },
  agents: {},
  channels: ['team', 'audit'].map((name) => ({ name, type: 'webhook', level: null, settings: {} })),
  routes: [{ to: ['team'], also: false, when: 'always' }],
  watches: {},
  messages: { title: {}, body: {} },
  quiet: { hours: [], urgent: 'pass' },
  presence: { looking: true, idle: 180_000 },
  redaction: { level: 'full', patterns: [] },
  retention: { days: 30, size: 200_000_000 },
  daemon: { autostart: true },
  answer: { kinds: ['permission', 'question', 'finished'], wait: 3_600_000, channels: [] },
  remotes: {},
  network: { proxy: 'env' },
  limits: { low: 90 },
  resume: { on: [], text: 'continue', most: 3 },
  http: { listen: [], hosts: [], metrics: true },
};

/** The channels that what was decided goes to. */
export const channelsOf = (state: InputState): readonly string[] =>
  state.plan.filter(({ heldBy, step }) => heldBy === undefined && step === 0).map(({ channel }) => channel);

const RUNNING: ReadonlySet<string> = new Set(['started', 'working', 'waiting', 'background', 'unknown']);

/** Decides one input after another, with facts as the store would give them. */
export function player(
  more: {
    config?: Partial<Config>;
    silences?: readonly Silence[];
    place?: Facts['place'];
    profiles?: Facts['profiles'];
  } = {},
) {
  const records = new Map<string, SessionRecord>();
  const events: { event: Event; fingerprint: string | null; channels: readonly string[] }[] = [];
  const notified = new Map<string, Notified>();
  let open: NotificationFacts[] = [];
  let clock = 0;
  const play = (incoming: Incoming): InputState => {
    clock = Math.max(clock, incoming.receivedAt);
    const agent = incoming.type === 'hook' ? incoming.agent : incoming.event.agent;
    const session = incoming.type === 'hook' ? incoming.parsed.sessionId : incoming.event.sessionId;
    const own = fingerprintOf(incoming);
    const ofSession = open.filter(({ event: e }) => e?.agent === agent && e.sessionId === session);
    const most = ofSession.length < MOST_OPEN ? 0 : ofSession.length + 1 - LEFT_OPEN;
    const surplus = ofSession.slice(0, most).map(({ notification: { id } }) => id);
    const facts: Facts = {
      record: records.get(`${agent}:${session}`) ?? null,
      children: [...records.values()].filter(
        (other) => other.parentSessionId !== null && other.parentSessionId === session && RUNNING.has(other.state),
      ),
      waitingParent: null,
      same:
        events.findLast((e) => own !== null && e.fingerprint === own.fingerprint && e.event.at >= own.since)?.event ??
        null,
      reportsByOthers: events
        .map(({ event }) => event)
        .filter((e) => mayBeReportedTwice(incoming) && e.kind === incoming.parsed.kind)
        .filter((e) => e.sessionId === session && e.agent !== agent && e.at >= incoming.receivedAt - DEDUPE_WINDOW_MS),
      notified,
      open: ofSession.filter(
        ({ notification: { id, kind } }) => surplus.includes(id) || mayEnd(incoming).includes(kind),
      ),
      surplus,
      groups: [],
      groupTimers: new Map(),
      plannedSends: new Map(),
      profiles: more.profiles ?? new Map(),
      silences: more.silences ?? [],
      place: more.place ?? { project: 'payments', branch: null },
      process: null,
      window: null,
      home: '/home/dev',
    };
    const matter = decide(incoming, { facts, config: { ...PLAIN_CONFIG, ...more.config }, now: clock });
    if (matter.record) records.set(`${agent}:${session}`, matter.record);
    const channels = channelsOf(matter);
    events.push({ event: matter.event, fingerprint: matter.fingerprint, channels });
    for (const { notification } of matter.resolved) {
      open = open.filter((other) => other.notification.id !== notification.id);
      for (const id of notification.eventIds)
        notified.set(id, { ...(notified.get(id) ?? { channels: [], held: [] }), resolved: true });
    }
    const held = matter.plan.filter(({ heldBy }) => heldBy !== undefined).map(({ channel }) => channel);
    if (channels.length + held.length > 0) {
      notified.set(matter.event.id, { channels, held, resolved: false });
      const sent = channels.map(
        (channel) => ({ channel, step: 0, sends: 'sent', due: null, retracted: false, revision: 1 }) as const,
      );
      open.push({
        notification: openNotification(matter.event, 'title', null, clock),
        event: matter.event,
        channels: sent,
      });
    }
    return matter;
  };
  /** Sets the clock to this many ms after noon, as `madeHook` counts; else it is the latest time of an input. */
  const setClock = (at: number): void => {
    clock = NOON + at;
  };
  /** Somebody acknowledges what is open, or answers it from elsewhere. */
  const acknowledge = (acknowledged: Acknowledgement): void => {
    open = open.map((one) => ({ ...one, notification: { ...one.notification, acknowledged } }));
  };
  return { play, records, setClock, acknowledge };
}

/** The last verdict's stage and word: "route: route". */
export function lastVerdict(matter: InputState): string {
  const last = matter.verdicts.at(-1);
  return `${last?.stage}: ${last?.verdict}`;
}
