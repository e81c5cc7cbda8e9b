// Acknowledges a notification: one decision that takes back what is unsent and changes what was sent.
import { notificationIdOf } from '../model/ids.ts';
import type { Acknowledgement, Notification } from '../model/notification/notification.ts';
import { acknowledgedWords } from '../model/notification/resolution.ts';
import { batchesOver } from '../dispatch/batch-plan.ts';
import { notificationFacts } from '../dispatch/notification-facts.ts';
import { planChanges } from '../dispatch/plan-changes.ts';
import type { Decision } from '../store/contract.ts';
import type { DecidingDeps } from './deciding-deps.ts';
import type { Plan } from './writer.ts';

/** Who, and through what. */
export type AcknowledgedBy = Omit<Acknowledgement, 'at'>;

/** `already`: it was not open any more. `decision`: what was written. */
export type Acknowledged =
  | { readonly result: 'acknowledged'; readonly notification: Notification; readonly decision: Decision }
  | { readonly result: 'already'; readonly notification: Notification };

/** An answer counts also where somebody has seen it before. */
function isNews({ state, acknowledged }: Notification, { answered }: AcknowledgedBy): boolean {
  return state === 'open' || (state === 'acknowledged' && answered === true && acknowledged?.answered !== true);
}

/** Of several at the same time one acknowledges it. Null: there is no such notification. */
export async function acknowledge(id: string, who: AcknowledgedBy, deps: DecidingDeps): Promise<Acknowledged | null> {
  const done = await deps.writer.write(async () => {
    const open = await deps.store.notification(id);
    return open !== null && isNews(open, who) ? acknowledgement(open, who, deps) : null;
  }, `notification ${id}`);
  if (done.result === 'written') {
    const notification = done.decision.notifications.find((one) => one.id === id);
    if (notification !== undefined) return { result: 'acknowledged', notification, decision: done.decision };
  }
  const notification = await deps.store.notification(id);
  return notification === null ? null : { result: 'already', notification };
}

/** Of a group or a digest, the open notifications of its events: whoever has seen it has seen them. */
async function coveredBy(
  { id, eventIds }: Notification,
  { store }: Pick<DecidingDeps, 'store'>,
): Promise<readonly Notification[]> {
  const own = eventIds.map(notificationIdOf).filter((one) => one !== id);
  return own.length === 0 ? [] : store.notifications({ ids: own, states: ['open'], limit: own.length });
}

/** One notification that is acknowledged: its event, its row, and what changes on its channels. */
async function acknowledgedOne(
  notification: Notification,
  acknowledged: NonNullable<Notification['acknowledged']>,
  { store, profiles }: DecidingDeps,
) {
  const { id, eventIds } = notification;
  const { at } = acknowledged;
  const why = acknowledgedWords(acknowledged);
  const stored = eventIds[0] === undefined ? null : await store.event(eventIds[0]);
  const facts = notificationFacts(notification, stored?.event ?? null, await store.deliveryProgress([id]));
  const { plan, revision } = planChanges(facts, profiles(), { why, at });
  const row = { ...notification, state: 'acknowledged', acknowledged, revision, updatedAt: at } as const;
  return { stored, why, changed: { notification: row, plan } };
}

async function acknowledgement(notification: Notification, who: AcknowledgedBy, deps: DecidingDeps): Promise<Plan> {
  const { id, version } = notification;
  const { store } = deps;
  const at = deps.now();
  const all = [notification, ...(await coveredBy(notification, deps))];
  const parts = await Promise.all(all.map((one) => acknowledgedOne(one, { at, ...who }, deps)));
  const eventIds = all.flatMap((one) => one.eventIds);
  const groups = await store.notifications({ covers: eventIds, states: ['open'] });
  const timers = await store.timers(groups.map(({ threadKey }) => threadKey));
  const groupTimers = new Map(timers.map((timer) => [timer.id, timer]));
  const events = new Map(
    parts.flatMap(({ stored, why }): readonly (readonly [string, Decision['events'][number]])[] => {
      if (stored === null) return [];
      const { event, fingerprint } = stored;
      return [[event.id, { event, fingerprint, verdicts: [{ stage: 'ack', verdict: 'change', note: why }] }]];
    }),
  );
  return {
    // One acknowledgement of each version, and one answer.
    entryId: `ack:${id}:${version}${who.answered === true ? ':answered' : ''}`,
    at,
    events: [...events.values()],
    changed: parts.map(({ changed }) => changed),
    cancel: all.map((one) => ({ notificationId: one.id, because: 'acknowledged' })),
    timers: { set: batchesOver(eventIds, { groups, groupTimers }, at) },
  };
}
