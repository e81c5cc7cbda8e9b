// Cards in their places: what waits stays where it is, what is settled stays for some seconds, what is new goes below.
import { holdsUp, type WaitingItem } from '../../api/what-waits.ts';

export interface KeptCard {
  readonly key: string;
  readonly item: WaitingItem;
  /** Unix ms when it was gone from what waits; null: it waits. */
  readonly settledAt: number | null;
}

/** Ms that a settled card stays. */
export const STAYS = 5_000;

/** The cards now, after those of before. `now`: Unix ms. */
export function keepPlaces(
  before: readonly KeptCard[],
  items: readonly WaitingItem[],
  now: number,
): readonly KeptCard[] {
  const known = new Set(before.map(({ key }) => key));
  const left = new Map(items.map((item) => [item.key, item]));
  const take = (item: WaitingItem): KeptCard => {
    left.delete(item.key);
    return { key: item.key, item, settledAt: null };
  };
  const kept = before.flatMap((card): KeptCard[] => {
    const same = left.get(card.key);
    if (same !== undefined) return [take(same)];
    // A notification's question has come, or is over and the notification still waits.
    const next = [...left.values()].find((item) => !known.has(item.key) && isOfSame(item, card.item));
    const settledAt = card.settledAt ?? now;
    const isGone = card.item.question === null ? next !== undefined : now - settledAt >= STAYS;
    if (!isGone && now - settledAt < STAYS) return [{ ...card, settledAt }];
    return next !== undefined && holdsUp(next) === holdsUp(card.item) ? [take(next)] : [];
  });
  const settled = kept.filter(({ settledAt }) => settledAt !== null);
  const isShown = (item: WaitingItem): boolean =>
    item.question === null && settled.some((card) => isOfSame(item, card.item));
  const added = [...left.values()].filter((item) => !isShown(item));
  return [...kept, ...added.map(take)];
}

/** Whether both are of one notification. */
const isOfSame = (a: WaitingItem, b: WaitingItem): boolean =>
  a.notification !== null && a.notification.id === (b.notification?.id ?? b.question?.notification_id);
