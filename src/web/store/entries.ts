// The inbox's entries in their places: what waits stays where it is, what is settled stays for some seconds, what is new goes below or is held back.
import { groupOf, type Group, type WaitingItem } from './waiting-item.ts';

/** One of those that an entry is about. */
export interface Line {
  readonly item: WaitingItem;
  /** Unix ms when it was gone from what waits; null: it waits. */
  readonly settledAt: number | null;
}

/** One line of the list: one thing, or several sessions that ask for the same. */
export interface Entry {
  /** The same for as long as it is listed: of the first thing that it was about. */
  readonly key: string;
  readonly group: Group;
  readonly lines: readonly Line[];
  /** It came while somebody pointed at the list, and is not shown yet. */
  readonly isHeld: boolean;
}

/** Ms that what is settled stays. */
export const STAYS = 5_000;

/** How the places are kept. */
export interface Keeping {
  /** Unix ms. */
  readonly now: number;
  /** Of the entry that is being looked at: it stays until somebody goes on. */
  readonly selected: string | null;
  /** Somebody points at the list, so that nothing in it may move. */
  readonly holds: boolean;
}

/** Whether something of it waits. */
export const isOpen = ({ lines }: Entry): boolean => lines.some(({ settledAt }) => settledAt === null);

/** What sessions that ask for the same have in common; null: nothing is like it. */
export function likeness({ question, notification }: WaitingItem): string | null {
  if (question === null || question.kind !== 'permission' || question.answered_by !== null) return null;
  const { subject, answers } = question;
  if (!answers.includes('allow')) return null;
  return JSON.stringify([subject['agent'] ?? notification?.agent, subject['tool'], subject['text']]);
}

/** The entries now, after those of before. */
export function keepEntries(
  before: readonly Entry[],
  items: readonly WaitingItem[],
  { now, selected, holds }: Keeping,
): readonly Entry[] {
  const known = new Set(before.flatMap(({ lines }) => lines.map(({ item }) => item.key)));
  const left = new Map(items.map((item) => [item.key, item]));
  const take = (item: WaitingItem): Line => {
    left.delete(item.key);
    return { item, settledAt: null };
  };
  const keepLine = (line: Line, group: Group, stays: boolean): readonly Line[] => {
    const same = left.get(line.item.key);
    if (same !== undefined && groupOf(same) === group) {
      const taken = take(same);
      return [same === line.item && line.settledAt === null ? line : taken];
    }
    // A notification's question has come, or is over and the notification still waits.
    const next = [...left.values()].find((item) => !known.has(item.key) && isOfSame(item, line.item));
    const settledAt = line.settledAt ?? now;
    const isLong = now - settledAt >= STAYS;
    const isFollowed = line.item.question === null ? next !== undefined : isLong;
    if (isFollowed && next !== undefined && groupOf(next) === group) return [take(next)];
    // What only has a question now is in that one's group.
    const isElsewhere = line.item.question === null && next !== undefined;
    if ((isLong || isElsewhere) && !stays) return [];
    return [line.settledAt === null ? { ...line, settledAt } : line];
  };
  const kept = before.flatMap((entry): Entry[] => {
    const stays = entry.key === selected;
    const lines = onlyAlike(entry.lines.flatMap((line) => keepLine(line, entry.group, stays)));
    const isSame = lines.length === entry.lines.length && lines.every((line, at) => line === entry.lines[at]);
    const isHeld = entry.isHeld && holds;
    if (lines.length === 0) return [];
    return [isSame && isHeld === entry.isHeld ? entry : { ...entry, lines, isHeld }];
  });
  const shown = new Set(kept.flatMap(({ lines }) => lines.map(({ item }) => item.key)));
  return withNew(
    kept,
    items.filter(({ key }) => left.has(key) || !shown.has(key)),
    take,
    holds,
  );
}

/** Of several lines only those that still ask for the same: what changed is shown by itself, and answered by itself. */
function onlyAlike(lines: readonly Line[]): readonly Line[] {
  const first = lines.find(({ settledAt }) => settledAt === null);
  if (lines.length < 2 || first === undefined) return lines;
  const alike = likeness(first.item);
  return lines.filter((line) => line === first || line.settledAt !== null || likeness(line.item) === alike);
}

/** What is new joins those that ask for the same, or goes below. What is not asked goes on top of its group: the newest first. */
function withNew(
  kept: readonly Entry[],
  items: readonly WaitingItem[],
  take: (item: WaitingItem) => Line,
  holds: boolean,
): readonly Entry[] {
  const settled = kept.flatMap(({ lines }) => lines.filter(({ settledAt }) => settledAt !== null));
  const entries = [...kept];
  for (const item of items) {
    // Its question was settled a moment ago, and says so.
    if (item.question === null && settled.some((line) => isOfSame(item, line.item))) continue;
    const alike = likeness(item);
    const at =
      alike === null
        ? -1
        : entries.findIndex((entry) => isOpen(entry) && entry.lines.some((line) => likeness(line.item) === alike));
    const entry = entries[at];
    if (entry !== undefined) entries[at] = { ...entry, lines: [...entry.lines, take(item)] };
    else {
      const group = groupOf(item);
      const added: Entry = { key: item.key, group, lines: [take(item)], isHeld: holds };
      if (group === 'blocking') entries.push(added);
      else entries.unshift(added);
    }
  }
  return entries;
}

/** Whether both are of one notification. */
const isOfSame = (a: WaitingItem, b: WaitingItem): boolean =>
  a.notification !== null && a.notification.id === (b.notification?.id ?? b.question?.notification_id);
