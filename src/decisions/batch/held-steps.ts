// What follows what is let out of a hold: escalation and reminders of notifications that nobody was notified of yet.
import { FIRST_REMINDER } from '../../dispatch/escalation.ts';
import { firstNotified } from '../../dispatch/later-steps.ts';
import { REMIND, reminderOf } from '../../dispatch/remind.ts';
import type { ChannelProfiles } from '../../model/channel/profile.ts';
import { type Delivery, newDelivery } from '../../model/delivery/delivery.ts';
import { deliveryIdOf } from '../../model/ids.ts';
import type { Escalation } from '../../model/settings/routes.ts';
import type { Timer } from '../../model/event/verdict.ts';
import type { StoreReader } from '../../store/contract.ts';

/** Most sends of one notification that are read. */
const MAX_SENDS = 1_000;

/** What is let out together, with what follows it. */
export interface HeldSteps {
  /** Rows that go out now, further steps whose time has come among them. */
  readonly now: readonly Delivery[];
  /** Further steps held here that count from the batch, each by itself: their rows, and those that take their place. */
  readonly alone: readonly { readonly row: Delivery; readonly next: readonly Delivery[] }[];
  /** Notifications whose further steps are the batch's: several that count from it would all come at the same time. */
  readonly shared: ReadonlySet<string>;
  /** What these have planned, and the timers of their reminders. */
  readonly replaced: readonly Delivery[];
  readonly timers: readonly Timer[];
  /** What the batch plans for them. */
  readonly escalate: readonly Escalation[];
  readonly repeat: number | null;
}

const isLater = ({ step, state }: Delivery): boolean => step > 0 && (state === 'pending' || state === 'paused');

/** A further step, planned again: it counts from the batch. A reminder is not: its timer knows that people are notified now. */
function planAgain(row: Delivery, due: number, now: number): readonly Delivery[] {
  const { notificationId, eventId, channel, threadKey, step, unless, only, content } = row;
  if (step >= FIRST_REMINDER) return [];
  const of = { notificationId, operation: 'send', revision: row.revision + 1, step } as const;
  const own = { ...of, id: deliveryIdOf(eventId, channel, of), eventId, channel, threadKey, unless, only, content };
  return [{ ...newDelivery(now), ...own, due, scheduled: true }];
}

/** Reads what follows these rows, which one hold lets out. `isOpen`: whether a notification still concerns anybody. `now`: Unix ms. */
export async function heldSteps(
  rows: readonly Delivery[],
  isOpen: (notificationId: string) => boolean,
  {
    store,
    profiles,
  }: { readonly store: Pick<StoreReader, 'deliveries' | 'timers'>; readonly profiles: ChannelProfiles },
  now: number,
): Promise<HeldSteps> {
  const isForPeople = (channel: string): boolean => profiles.get(channel)?.audience === 'people';
  const ids = [...new Set(rows.map(({ notificationId }) => notificationId))];
  /** When people were notified of it; null: nobody was. One that is missing needs no step any more. */
  const notified = new Map<string, number | null>();
  const unsent = new Map<string, readonly Delivery[]>();
  for (const notificationId of ids) {
    const sends = await store.deliveries({ notificationId, operations: ['send'], limit: MAX_SENDS });
    // Also where it was tried in vain, as before an outage: people are notified now.
    const isFirst = rows.some((row) => row.notificationId === notificationId && row.step === 0);
    const at = firstNotified(sends, { isForPeople, now }) ?? (isFirst ? null : undefined);
    if (at !== undefined && !sends.some(({ step, state }) => step > 0 && state === 'sent'))
      notified.set(notificationId, at);
    unsent.set(notificationId, sends.filter(isLater));
  }
  const set = await store.timers(ids.map((id) => `${REMIND}:${id}`));
  const reminded = new Map(set.map((timer) => [reminderOf(timer)?.notification ?? '', timer]));
  const counting = ids.filter(
    (id) =>
      notified.get(id) === null && isOpen(id) && ((unsent.get(id) ?? []).length > 0 || reminded.get(id) !== undefined),
  );
  const shared = new Set(counting.length > 1 ? counting : []);
  const replaced = [...shared].flatMap((id) => unsent.get(id) ?? []);
  const timers = [...shared].flatMap((id) => reminded.get(id) ?? []);
  const repeats = timers.flatMap((timer) => reminderOf(timer)?.repeat ?? []);

  const dueOf = ({ step, notificationId, content: { after } }: Delivery): number | null => {
    const at = notified.get(notificationId);
    if (step === 0 || at === undefined || after === undefined) return null;
    return at === null || at + after > now ? (at ?? now) + after : null;
  };
  const others = rows.filter((row) => row.step === 0 || !shared.has(row.notificationId));
  return {
    now: others.filter((row) => dueOf(row) === null),
    alone: others.flatMap((row) => {
      const due = dueOf(row);
      return due === null ? [] : [{ row, next: planAgain(row, due, now) }];
    }),
    shared,
    replaced,
    timers,
    escalate: replaced.flatMap(({ channel, step, content: { after } }) =>
      after === undefined || step >= FIRST_REMINDER ? [] : [{ after, to: [channel] }],
    ),
    repeat: repeats.length > 0 ? Math.min(...repeats) : null,
  };
}
