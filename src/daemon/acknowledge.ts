// Acknowledges a notification: one decision that takes back what is unsent and changes what was sent.
import type { Config } from '../model/config.ts';
import type { Acknowledgement, Notification } from '../model/notification.ts';
import { acknowledgedWords } from '../model/resolution.ts';
import { notificationIdOf } from '../model/ids.ts';
import { groupsOver } from '../pipeline/groups-over.ts';
import { notificationFacts } from '../pipeline/notification-facts.ts';
import { planChanges } from '../pipeline/plan-changes.ts';
import type { Decision, Store } from '../store/contract.ts';
import { groupTimersOf } from './group-facts.ts';
import { buildChanges } from './build-changes.ts';
import { channelProfiles } from './channel-profiles.ts';
import { decideAgain } from './decide-again.ts';
import type { EventBus } from './event-bus.ts';

/** Who, and through what. */
export type AcknowledgedBy = Omit<Acknowledgement, 'at'>;

/** `already`: it was not open any more. `decision`: what was written. */
export type Acknowledged =
  | { readonly result: 'acknowledged'; readonly notification: Notification; readonly decision: Decision }
  | { readonly result: 'already'; readonly notification: Notification };

/** What it is decided by. */
interface AcknowledgeFacts {
  readonly store: Store;
  readonly config: Config;
  /** Unix ms. */
  readonly now: number;
}

/** An answer counts also where somebody has seen it before. */
function isNews({ state, acknowledged }: Notification, { answered }: AcknowledgedBy): boolean {
  return state === 'open' || (state === 'acknowledged' && answered === true && acknowledged?.answered !== true);
}

/** Of several at the same time one acknowledges it. Null: there is no such notification. */
export function acknowledge(id: string, who: AcknowledgedBy, facts: AcknowledgeFacts): Promise<Acknowledged | null> {
  return decideAgain(() => acknowledgeOnce(id, who, facts), `notification ${id}`);
}

async function acknowledgeOnce(
  id: string,
  who: AcknowledgedBy,
  facts: AcknowledgeFacts,
): Promise<Acknowledged | null | 'conflict'> {
  const { store } = facts;
  const notification = await store.notification(id);
  if (notification === null) return null;
  if (!isNews(notification, who)) return { result: 'already', notification };
  const decision = await acknowledgement(notification, who, facts);
  if ((await store.commitDecision(decision)) !== 'written') return 'conflict'; // somebody else wrote it first
  return { result: 'acknowledged', notification: decision.notifications[0] ?? notification, decision };
}

/** What acknowledging at once needs. */
export interface AcknowledgeDeps {
  readonly store: Store;
  readonly now: () => number;
  readonly config: () => Config;
  readonly wake: (channels: readonly string[]) => void;
  readonly bus: Pick<EventBus, 'publish'>;
}

/** The same, and lets those know who act upon it. */
export async function acknowledgeNow(
  id: string,
  who: AcknowledgedBy,
  deps: AcknowledgeDeps,
): Promise<Acknowledged | null> {
  const { store, now, config, wake, bus } = deps;
  const done = await acknowledge(id, who, { store, config: config(), now: now() });
  if (done?.result === 'acknowledged') {
    wake([...new Set(done.decision.deliveries.map(({ channel }) => channel))]);
    bus.publish({ type: 'decided', decision: done.decision });
  }
  return done;
}

/** Of a group or a digest, the open notifications of its events: whoever has seen it has seen them. */
async function coveredBy({ id, eventIds }: Notification, store: Store): Promise<readonly Notification[]> {
  const own = eventIds.map(notificationIdOf).filter((one) => one !== id);
  return own.length === 0 ? [] : store.notifications({ ids: own, states: ['open'], limit: own.length });
}

/** One notification that is acknowledged: its row, and what changes on its channels. */
async function acknowledgedOne(
  notification: Notification,
  acknowledged: NonNullable<Notification['acknowledged']>,
  { store, config }: { readonly store: Store; readonly config: Config },
): Promise<Pick<Decision, 'events' | 'notifications' | 'deliveries'>> {
  const { id, eventIds } = notification;
  const { at } = acknowledged;
  const why = acknowledgedWords(acknowledged);
  const stored = eventIds[0] === undefined ? null : await store.event(eventIds[0]);
  const facts = notificationFacts(notification, stored?.event ?? null, await store.deliveryProgress([id]));
  const { plan, revision } = planChanges(facts, channelProfiles(config), { why, at });
  const verdicts = [{ stage: 'ack', verdict: 'change', note: why }] as const;
  return {
    events: stored === null ? [] : [{ event: stored.event, fingerprint: stored.fingerprint, verdicts }],
    notifications: [{ ...notification, state: 'acknowledged', acknowledged, revision, updatedAt: at }],
    deliveries: await buildChanges(notification, plan, store, at),
  };
}

async function acknowledgement(
  notification: Notification,
  who: AcknowledgedBy,
  { store, config, now }: AcknowledgeFacts,
): Promise<Decision> {
  const { id, version } = notification;
  const acknowledged = { at: now, ...who };
  const all = [notification, ...(await coveredBy(notification, store))];
  const parts = await Promise.all(all.map((one) => acknowledgedOne(one, acknowledged, { store, config })));
  const eventIds = all.flatMap((one) => one.eventIds);
  const groups = await store.notifications({ covers: eventIds, states: ['open'] });
  const groupTimers = await groupTimersOf(groups, store);
  const events = new Map(parts.flatMap((part) => part.events).map((decided) => [decided.event.id, decided]));
  return {
    entryId: `ack:${id}:${version}`, // one acknowledgement of each version
    at: now,
    events: [...events.values()],
    notifications: parts.flatMap((part) => part.notifications),
    cancel: all.map((one) => ({ notificationId: one.id, because: 'acknowledged' })),
    deliveries: parts.flatMap((part) => part.deliveries),
    timers: { set: groupsOver(eventIds, { groups, groupTimers }, now), clear: [] },
    sessions: [],
  };
}
