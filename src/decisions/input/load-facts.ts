// What the pipeline is to know of an input, read before it decides.
import type { Clock } from '../../lib/clock.ts';
import type { Agent } from '../../model/agent/agent.ts';
import type { ChannelProfiles } from '../../model/channel/profile.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Event } from '../../model/event/event.ts';
import { isDigestHold } from '../../model/delivery/holds.ts';
import { notificationIdOf, threadKeyOf } from '../../model/ids.ts';
import type { Incoming, IncomingHook } from '../../model/event/incoming.ts';
import { ENDED_BY_SESSION, NOT_OVER, type Notification } from '../../model/notification/notification.ts';
import type { DeliveryProgress } from '../../model/delivery/planned-delivery.ts';
import type { ClientProcess, SessionRecord } from '../../model/session/session.ts';
import {
  type Facts,
  DEDUPE_WINDOW_MS,
  fingerprintOf,
  mayBeReportedTwice,
  noFacts,
  notificationFacts,
  type Notified,
  ownSignal,
  rememberedEvents,
} from '../../pipeline/index.ts';
import { ALL, type Store } from '../../store/contract.ts';
import { groupTimersOf, recentSends } from '../batch/group-facts.ts';
import { runningChildren, runningSubagents, waitingParent } from './running-subagents.ts';

/** Most events of other agents compared with, for a second report by another client. */
const MOST_REPORTS = 20;

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
  /** Git or folder name and branch of a working folder; never throws. */
  readonly place: (cwd: string) => Promise<Facts['place']>;
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

async function notifiedOf(
  eventIds: readonly string[],
  rows: readonly DeliveryProgress[],
  open: readonly Notification[],
  store: Pick<Store, 'notification'>,
): Promise<Facts['notified']> {
  const entries = eventIds.map(async (eventId): Promise<readonly (readonly [string, Notified])[]> => {
    const id = notificationIdOf(eventId);
    if (!rows.some(({ notificationId }) => notificationId === id)) return [];
    const row = open.find((notification) => notification.id === id) ?? (await store.notification(id));
    return [[eventId, { ...channelsNotified(rows, id), resolved: row?.state === 'resolved' }]];
  });
  return new Map((await Promise.all(entries)).flat());
}

/** The groups and storms that these are in. */
async function openGroups(
  open: readonly Notification[],
  store: Pick<Store, 'notifications'>,
): Promise<readonly Notification[]> {
  if (open.length === 0) return [];
  const found = await store.notifications({ covers: open.flatMap(({ eventIds }) => eventIds), states: ['open'] });
  return found.filter(({ group }) => group !== undefined);
}

/** What the outbox knows of a session's notifications, and of the events named. */
async function outboxFacts(
  { store, profiles, clock }: Pick<FactsDeps, 'store' | 'profiles' | 'clock'>,
  threadKey: string | null,
  eventIds: readonly string[],
): Promise<Pick<Facts, 'notified' | 'open' | 'groups' | 'groupTimers' | 'plannedSends' | 'profiles'>> {
  // All of them, however many: one that is left out goes on reminding.
  const ended = { states: NOT_OVER, kinds: ENDED_BY_SESSION, limit: ALL } as const;
  const open = threadKey === null ? [] : await store.notifications({ threadKey, ...ended });
  const ids = new Set([...open.map(({ id }) => id), ...eventIds.map(notificationIdOf)]);
  const rows = await store.deliveryProgress([...ids]);
  const rowsOf = new Map<string, DeliveryProgress[]>();
  for (const row of rows) rowsOf.set(row.notificationId, [...(rowsOf.get(row.notificationId) ?? []), row]);
  const firsts = open.flatMap(({ eventIds: [first] }) => first ?? []);
  const events = await store.eventsById(firsts);
  const facts = open.map((notification) => {
    const event = events.get(notification.eventIds[0] ?? '') ?? null;
    return notificationFacts(notification, event, rowsOf.get(notification.id) ?? []);
  });
  const groups = await openGroups(open, store);
  return {
    notified: await notifiedOf(eventIds, rows, open, store),
    open: facts,
    groups,
    groupTimers: await groupTimersOf(groups, store),
    plannedSends: threadKey === null ? new Map() : await recentSends(threadKey, store, clock.now()),
    profiles: profiles(),
  };
}

/** What other agents reported of this session in the last moments, of the same kind. */
async function reportsByOthers(incoming: Incoming, store: Pick<Store, 'events'>): Promise<readonly Event[]> {
  if (!mayBeReportedTwice(incoming)) return [];
  const { agent, parsed, receivedAt, host, user } = incoming;
  const session = parsed.sessionId ?? '';
  const since = receivedAt - DEDUPE_WINDOW_MS;
  const found = await store.events({ session, kinds: [parsed.kind], since, exceptAgent: agent, limit: MOST_REPORTS });
  return found.map(({ event }) => event).filter((event) => event.host === host && event.user === user);
}

/** Facts of an input. */
export async function loadFacts(incoming: Incoming, deps: FactsDeps): Promise<Facts> {
  const { store, clock } = deps;
  const from = incoming.type === 'hook' ? incoming : incoming.event;
  const { host, user, agent } = from;
  const sessionId = incoming.type === 'hook' ? incoming.parsed.sessionId : incoming.event.sessionId;
  const key = sessionId === null ? null : { host, user, agent, sessionId };
  const own = fingerprintOf(incoming);
  const [record, same, byOthers, silences, children] = await Promise.all([
    key === null ? null : store.session(key),
    own === null ? null : store.byFingerprint(own.fingerprint, own.since),
    reportsByOthers(incoming, store),
    store.silences(clock.now()),
    runningSubagents(store, incoming, deps.config(), clock.now()),
  ]);
  const signal = incoming.type === 'hook' ? incoming.parsed.signal : ownSignal(incoming.event);
  const cwd =
    incoming.type === 'hook' ? (incoming.parsed.cwd ?? incoming.origin.cwd ?? record?.cwd ?? null) : incoming.event.cwd;
  const known = deps.agents(agent);
  // Who got another client's report matters; that is rare.
  const others = same && same.event.agent !== agent ? [...byOthers, same.event] : byOthers;
  const eventIds = [...rememberedEvents(record), ...others.map(({ id }) => id)];
  const threadKey = key === null ? null : threadKeyOf({ id: incoming.entryId, ...key });
  const none = noFacts(deps.home);
  const [outbox, place, process, parent] = await Promise.all([
    outboxFacts(deps, threadKey, eventIds),
    cwd === null ? none.place : deps.place(cwd),
    incoming.type === 'hook' && sessionId !== null && known ? deps.client(known, incoming.origin) : null,
    waitingParent(store, record, signal),
  ]);
  const pid = (process ?? record?.process)?.pid;
  const window = signal === 'prompted' && pid !== undefined ? await deps.promptWindow(pid) : null;
  const found = { record, children, waitingParent: parent, silences, place, process, window };
  return { ...none, ...outbox, ...found, same: same?.event ?? null, reportsByOthers: byOthers };
}

/** Facts of a finish whose hold is over. */
export async function loadHeldFacts(event: Event, record: SessionRecord, deps: FactsDeps): Promise<Facts> {
  const silences = await deps.store.silences(deps.clock.now());
  const outbox = await outboxFacts(deps, threadKeyOf(event), rememberedEvents(record));
  const children = await runningChildren(deps.store, record, record.firstSeen);
  return { ...noFacts(deps.home), ...outbox, record, children, silences };
}
