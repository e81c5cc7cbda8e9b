// Resolves a notification that is over for another reason than what its session reports: nothing of it goes out any more, and what was sent is changed.
import { NOT_OVER, type Notification } from '../model/notification/notification.ts';
import { seenWords } from '../model/notification/resolution.ts';
import type { Verdict } from '../model/event/verdict.ts';
import { notificationFacts, resolveNotification } from '../pipeline/index.ts';
import type { DecidingDeps } from './deciding-deps.ts';

/** How it ended. */
interface End {
  /** What decided it, for the entry: one decision of each version of the notification. */
  readonly by: string;
  /** For people. */
  readonly why: string;
  /** What the notification's event says of it. */
  readonly verdicts: readonly Verdict[];
}

/** `endOf`: how it ended, Unix ms given; null: it goes on. Rejects when others write it all the time. */
async function resolve(
  id: string,
  endOf: (notification: Notification, now: number) => End | null,
  { store, writer, now, profiles }: DecidingDeps,
): Promise<void> {
  await writer.write(async () => {
    const notification = await store.notification(id);
    if (notification === null) return null;
    const at = now();
    const end = endOf(notification, at);
    if (end === null) return null;
    const [first] = notification.eventIds;
    const stored = end.verdicts.length === 0 || first === undefined ? null : await store.event(first);
    const facts = notificationFacts(notification, stored?.event ?? null, await store.deliveryProgress([id]));
    return {
      entryId: `${end.by}:${id}:${notification.version}`,
      at,
      events: stored === null ? [] : [{ event: stored.event, fingerprint: stored.fingerprint, verdicts: end.verdicts }],
      changed: [resolveNotification(facts, profiles(), { why: end.why, at }, at)],
      cancel: [{ notificationId: id, because: 'resolved' }],
    };
  }, `notification ${id}`);
}

/** Its person saw what it is about; `evidence`: what shows that. One that is not open any more stays as it is. */
export function resolveSeen(id: string, evidence: string, deps: DecidingDeps): Promise<void> {
  const why = seenWords(evidence);
  const verdicts = [{ stage: 'presence', verdict: 'change', note: why }] as const;
  return resolve(id, ({ state }) => (state === 'open' ? { by: 'seen', why, verdicts } : null), deps);
}

/** What Belfry says of itself is over; `whyOf`: for people, Unix ms given. */
export function resolveNotice(
  id: string,
  whyOf: (notice: Notification, now: number) => string,
  deps: DecidingDeps,
): Promise<void> {
  const isOpen = ({ state }: Notification): boolean => NOT_OVER.some((open) => open === state);
  return resolve(
    id,
    (notice, now) => (isOpen(notice) ? { by: 'recovered', why: whyOf(notice, now), verdicts: [] } : null),
    deps,
  );
}
