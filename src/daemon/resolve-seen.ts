// Resolves a notification whose person saw what it is about: nothing of it goes out any more, and what was sent is changed.
import type { Notification } from '../model/notification.ts';
import { notificationFacts, resolveNotification } from '../pipeline/index.ts';
import type { Decision } from '../store/contract.ts';
import type { AcknowledgeDeps } from './acknowledge.ts';
import { buildChanges } from './build-changes.ts';
import { channelProfiles } from './channel-profiles.ts';
import { decideAgain } from './decide-again.ts';

async function decisionOf(
  notification: Notification,
  why: string,
  { store, config, now }: AcknowledgeDeps,
): Promise<Decision> {
  const { id, version, eventIds } = notification;
  const at = now();
  const stored = eventIds[0] === undefined ? null : await store.event(eventIds[0]);
  const facts = notificationFacts(notification, stored?.event ?? null, await store.deliveryProgress([id]));
  const resolved = resolveNotification(facts, channelProfiles(config()), { why, at }, at);
  const verdicts = [{ stage: 'presence', verdict: 'change', note: why }] as const;
  return {
    entryId: `seen:${id}:${version}`,
    at,
    events: stored === null ? [] : [{ event: stored.event, fingerprint: stored.fingerprint, verdicts }],
    notifications: [resolved.notification],
    cancel: [{ notificationId: id, because: 'resolved' }],
    deliveries: await buildChanges(notification, resolved.plan, store, at),
    timers: { set: [], clear: [] },
    sessions: [],
  };
}

/** `evidence`: what shows that it was seen. One that is not open any more stays as it is. Rejects when others write it all the time. */
export async function resolveSeen(id: string, evidence: string, deps: AcknowledgeDeps): Promise<void> {
  const decision = await decideAgain(() => resolveOnce(id, evidence, deps), `notification ${id}`);
  if (decision === null) return;
  deps.wake([...new Set(decision.deliveries.map(({ channel }) => channel))]);
  deps.bus.publish({ type: 'decided', decision });
}

/** Null: nothing was to be written. */
async function resolveOnce(id: string, evidence: string, deps: AcknowledgeDeps): Promise<Decision | null | 'conflict'> {
  const notification = await deps.store.notification(id);
  if (notification?.state !== 'open') return null;
  const decision = await decisionOf(notification, `seen: ${evidence}`, deps);
  const result = await deps.store.commitDecision(decision);
  return result === 'written' ? decision : result === 'conflict' ? 'conflict' : null;
}
