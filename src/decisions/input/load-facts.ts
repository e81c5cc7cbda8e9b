// What the pipeline is to know of an input, read before it decides.
import type { Clock } from '../../lib/clock.ts';
import type { Agent, SessionSignal } from '../../model/agent/agent.ts';
import type { ChannelProfiles } from '../../model/channel/profile.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Event } from '../../model/event/event.ts';
import { isDigestHold } from '../../model/delivery/holds.ts';
import { notificationIdOf, type SessionKey } from '../../model/ids.ts';
import type { Incoming, IncomingHook } from '../../model/event/incoming.ts';
import type { Notification } from '../../model/notification/notification.ts';
import type { DeliveryProgress } from '../../model/delivery/delivery.ts';
import type { ClientProcess, SessionRecord } from '../../model/session/session.ts';
import {
  DEDUPE_WINDOW_MS,
  type Facts,
  fingerprintOf,
  mayBeReportedTwice,
  mayEnd,
  memoryOf,
  noFacts,
  notificationFacts,
  type Notified,
  ownSignal,
  rememberedEvents,
  STORM,
} from '../../pipeline/index.ts';
import type { DecisionFacts, FactsKey, Store } from '../../store/contract.ts';

/** Signals after which it matters which subagents run, and the states in which they do. */
const ENDS_WORK: ReadonlySet<string> = new Set(['finished', 'subagent-finished']);
const RUNNING: ReadonlySet<string> = new Set(['started', 'working', 'waiting', 'background', 'unknown']);
/** Signals after which a subagent that is a session of its own runs no more. */
const IS_OVER: ReadonlySet<SessionSignal> = new Set<SessionSignal>(['finished', 'interrupted', 'failed', 'ended']);
/** Ms for which a subagent that says nothing counts as running, where no `background_wait` is set. */
const BACKGROUND_MS = 600_000;

/** Most notifications of a session looked at for those of the last minute: the latest. */
const MOST_IN_A_MINUTE = 100;

/** What a session was sent in the last minute, where it may be a storm; `now`: Unix ms. */
export const recentSends = (now: number): FactsKey['sends'] => ({
  since: now - STORM.windowMs,
  least: STORM.limit,
  most: MOST_IN_A_MINUTE,
});

/** Those of the sessions that this one began that still run. */
export function stillRunning(
  children: readonly SessionRecord[],
  { host, user }: Pick<SessionKey, 'host' | 'user'>,
): readonly SessionRecord[] {
  return children.filter((child) => child.host === host && child.user === user && RUNNING.has(child.state));
}

/** Since when (Unix ms) those that this input's session began have said something if they count; null: they do not matter, as no work is over. */
export function runningSince(incoming: Incoming, config: Config, now: number): FactsKey['children'] {
  if (incoming.type !== 'hook' || !ENDS_WORK.has(incoming.parsed.signal) || incoming.parsed.running !== null)
    return null;
  return { since: now - (config.agents[incoming.agent]?.background_wait ?? BACKGROUND_MS) };
}

/** The session whose finish waits for this subagent and for no other any more; null: there is none, or this one still runs. */
export async function waitingParent(
  store: Pick<Store, 'session' | 'sessions'>,
  child: SessionRecord | null,
  signal: SessionSignal | null,
): Promise<SessionRecord | null> {
  if (child === null || child.parentSessionId === null || signal === null || !IS_OVER.has(signal)) return null;
  const { agent, host, user, parentSessionId } = child;
  const parent = await store.session({ agent, host, user, sessionId: parentSessionId });
  if (parent === null || memoryOf(parent).held === undefined || parent.subagents.length > 0) return null;
  const children = await store.sessions({ agent, since: parent.firstSeen, parent: parentSessionId });
  const others = stillRunning(children, parent);
  return others.every(({ sessionId }) => sessionId === child.sessionId) ? parent : null;
}

/** Most events of other agents compared with, for a second report by another client. */
const MAX_REPORTS = 20;

/** What is asked for them. */
export interface FactsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: () => Config;
  /** Of the channels of the settings in force. */
  readonly profiles: () => ChannelProfiles;
  readonly agents: (name: string) => Agent | undefined;
  /** The user's home, for `~` in routes. */
  readonly home: string;
  /** Git or folder name and branch of a working folder; never throws. Of one elsewhere, which is not looked at, its name. */
  readonly place: (cwd: string, isElsewhere: boolean) => Promise<Facts['place']>;
  /** The client's process among a hook's ancestors, when it is alive on this machine or was when the hook ran. */
  readonly client: (agent: Agent, origin: IncomingHook['origin']) => Promise<ClientProcess | null>;
  /** The window in which a prompt was given to this process, where its terminal does not name it; never rejects. */
  readonly promptWindow: (pid: number) => Promise<string | null>;
}

/** Sends that count: sent, in a digest, or on their way. */
function channelsNotified(
  rows: readonly DeliveryProgress[],
  notificationId: string,
): Pick<Notified, 'channels' | 'held'> {
  const sends = rows.filter((row) => row.notificationId === notificationId && row.operation === 'send');
  const counted = sends.filter(({ state }) => state !== 'cancelled' && state !== 'dead');
  const isHeld = ({ heldBy, state }: DeliveryProgress): boolean =>
    heldBy !== null && isDigestHold(heldBy) && state === 'pending';
  const channelsOf = (of: readonly DeliveryProgress[]): readonly string[] => [
    ...new Set(of.map(({ channel }) => channel)),
  ];
  return { channels: channelsOf(counted.filter((row) => !isHeld(row))), held: channelsOf(counted.filter(isHeld)) };
}

function notifiedOf(eventIds: readonly string[], { progress, open, known }: DecisionFacts): Facts['notified'] {
  const entries = eventIds.flatMap((eventId): readonly (readonly [string, Notified])[] => {
    const id = notificationIdOf(eventId);
    if (!progress.some(({ notificationId }) => notificationId === id)) return [];
    const row = open.find((notification) => notification.id === id) ?? known.get(id);
    return [[eventId, { ...channelsNotified(progress, id), resolved: row?.state === 'resolved' }]];
  });
  return new Map(entries);
}

/** What the outbox knows of a session's notifications, and of the events named. */
function outboxFacts(
  found: DecisionFacts,
  eventIds: readonly string[],
): Pick<Facts, 'notified' | 'open' | 'surplus' | 'groups' | 'groupTimers' | 'plannedSends'> {
  const { open, surplus, progress, firsts, groups, groupTimers, plannedSends } = found;
  const rowsOf = new Map<string, DeliveryProgress[]>();
  for (const row of progress) rowsOf.set(row.notificationId, [...(rowsOf.get(row.notificationId) ?? []), row]);
  const facts = open.map((notification) => {
    const event = firsts.get(notification.eventIds[0] ?? '') ?? null;
    return notificationFacts(notification, event, rowsOf.get(notification.id) ?? []);
  });
  return { notified: notifiedOf(eventIds, found), open: facts, surplus, groups, groupTimers, plannedSends };
}

/** What other agents may have reported of this session in the last moments, of the same kind. */
function reportsByOthers(incoming: Incoming): FactsKey['byOthers'] {
  if (!mayBeReportedTwice(incoming)) return null;
  const { agent, parsed, receivedAt } = incoming;
  const since = receivedAt - DEDUPE_WINDOW_MS;
  return { agent, sessionId: parsed.sessionId ?? '', kind: parsed.kind, since, limit: MAX_REPORTS };
}

async function factsOf(key: FactsKey, store: Pick<Store, 'factsFor'>): Promise<DecisionFacts> {
  const [found] = await store.factsFor([key]);
  if (found === undefined) throw new Error('the store says nothing of a decision');
  return found;
}

/** Facts of an input, with the notification of its own event; null: there is none yet. */
export async function loadFacts(
  incoming: Incoming,
  deps: FactsDeps,
): Promise<Facts & { readonly before: Notification | null }> {
  const { store, clock } = deps;
  const from = incoming.type === 'hook' ? incoming : incoming.event;
  const { host, user, agent } = from;
  const sessionId = incoming.type === 'hook' ? incoming.parsed.sessionId : incoming.event.sessionId;
  const eventId = incoming.type === 'hook' ? incoming.entryId : incoming.event.id;
  const ownOf = (events: readonly Event[]): readonly Event[] =>
    events.filter((event) => event.host === host && event.user === user);
  const key = incoming.type === 'hook' ? incoming.parsed.correlationKey : null;
  const eventsOf: FactsKey['events'] = ({ record, same, byOthers }) => {
    // Who got another client's report matters; that is rare.
    const reports = same !== null && same.agent !== agent ? [...ownOf(byOthers), same] : ownOf(byOthers);
    return [...rememberedEvents(record, key), ...reports.map(({ id }) => id)];
  };
  const now = clock.now();
  const found = await factsOf(
    {
      eventId,
      now,
      session: sessionId === null ? null : { host, user, agent, sessionId },
      same: fingerprintOf(incoming),
      byOthers: reportsByOthers(incoming),
      children: runningSince(incoming, deps.config(), now),
      ends: mayEnd(incoming),
      events: eventsOf,
      sends: recentSends(now),
    },
    store,
  );
  const { record, same, silences } = found;
  const signal = incoming.type === 'hook' ? incoming.parsed.signal : ownSignal(incoming.event);
  const cwd =
    incoming.type === 'hook' ? (incoming.parsed.cwd ?? incoming.origin.cwd ?? record?.cwd ?? null) : incoming.event.cwd;
  const known = deps.agents(agent);
  const none = noFacts(deps.home);
  const [place, process, parent] = await Promise.all([
    cwd === null ? none.place : deps.place(cwd, Object.hasOwn(deps.config().remotes, host)),
    incoming.type === 'hook' && sessionId !== null && known ? deps.client(known, incoming.origin) : null,
    waitingParent(store, record, signal),
  ]);
  const client = process ?? record?.process ?? null;
  const pid = client?.where === undefined ? client?.pid : undefined;
  const window = signal === 'prompted' && pid !== undefined ? await deps.promptWindow(pid) : null;
  return {
    ...none,
    ...outboxFacts(found, eventsOf(found)),
    profiles: deps.profiles(),
    record,
    children: stillRunning(found.children, from),
    waitingParent: parent,
    silences,
    place,
    process,
    window,
    same,
    reportsByOthers: ownOf(found.byOthers),
    before: found.known.get(notificationIdOf(eventId)) ?? null,
  };
}

/** Facts of a finish whose hold is over, of the session's row as it was read. */
export async function loadHeldFacts(
  event: Event,
  record: SessionRecord,
  deps: FactsDeps,
): Promise<Facts & { readonly before: Notification | null }> {
  const now = deps.clock.now();
  const remembered = rememberedEvents(record, null);
  const found = await factsOf(
    {
      eventId: event.id,
      now,
      session: record,
      same: null,
      byOthers: null,
      children: { since: record.firstSeen },
      ends: [],
      events: () => remembered,
      sends: recentSends(now),
    },
    deps.store,
  );
  return {
    ...noFacts(deps.home),
    ...outboxFacts(found, remembered),
    profiles: deps.profiles(),
    record,
    children: stillRunning(found.children, record),
    silences: found.silences,
    before: found.known.get(notificationIdOf(event.id)) ?? null,
  };
}
