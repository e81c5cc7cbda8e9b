// The inbox: its entries, the one that is looked at, and how each one ended.
import { batch, computed, effect, signal } from '@preact/signals';
import { placesOf, titleOf } from '../lib/cards/entry-words.ts';
import { place, setQuery } from '../lib/place.ts';
import { announceNew } from '../parts/frame/announcer.tsx';
import { type Entry, isOpen, keepEntries, STAYS } from './entries.ts';
import { isWaitingRead, waiting } from './waiting.ts';
import type { Group } from './waiting-item.ts';

/** Every entry, those that are held back too. */
export const entries = signal<readonly Entry[]>([]);

/** In the order of the list. */
export const GROUPS: readonly Group[] = ['blocking', 'failed', 'done'];

/** Those of a group that are shown. */
export const shownEntries = computed(() =>
  GROUPS.flatMap((group) => entries.value.filter((entry) => entry.group === group && !entry.isHeld)),
);

/** Somebody points at the list. */
const isPointedAt = signal(false);
/** Where no address names one: what is shown beside the list. */
const chosen = signal<string | null>(null);

/** The key that the address names: of an entry, or of anything that it is about. */
export const named = computed(() => place.value.query.get('item'));

/** The entry that is looked at; undefined: none, or what the address names is over. */
export const selected = computed(() => {
  const key = named.value ?? chosen.value;
  return key === null ? undefined : entries.value.find((entry) => isAbout(entry, key));
});

const isAbout = (entry: Entry, key: string): boolean =>
  entry.key === key ||
  entry.lines.some(({ item }) => [item.key, item.notification?.id, item.question?.notification_id].includes(key));

/** What the address names waits no more, and nothing here says how it ended. */
export const isNamedOver = computed(() => named.value !== null && selected.value === undefined && isWaitingRead.value);

function look(): void {
  const now = Date.now();
  const before = entries.peek();
  const items = waiting.value;
  const current = selected.peek();
  // What is looked at stays until somebody goes on, unless there is nothing to go on to.
  const stays = current !== undefined && (isOpen(current) || items.length > 0 || named.peek() !== null);
  const next = keepEntries(before, items, { now, selected: stays ? current.key : null, holds: isPointedAt.value });
  if (next.length !== before.length || next.some((entry, at) => entry !== before[at])) {
    entries.value = next;
    sayNew(next);
  }
  clearTimeout(timer);
  const first = Math.min(...next.flatMap(({ lines }) => lines.flatMap(({ settledAt }) => settledAt ?? [])));
  if (first > now - STAYS) timer = setTimeout(look, first + STAYS - now);
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Keys of what was there already; null: nothing was read yet. */
let known: ReadonlySet<string> | null = null;

/** Says to those who hear the page what holds an agent up from now on. */
function sayNew(all: readonly Entry[]): void {
  const added = all.filter((entry) => entry.group === 'blocking' && isOpen(entry) && known?.has(entry.key) === false);
  const [first] = added.map(({ lines }) => lines[0]?.item);
  known = new Set(all.map(({ key }) => key));
  if (added.length > 1) announceNew(`${added.length} new questions`);
  else if (first !== undefined && added[0] !== undefined) announceNew(`New: ${placesOf(added[0])}: ${titleOf(first)}`);
}

effect(look);
effect(() => {
  if (isWaitingRead.value) known ??= new Set(entries.peek().map(({ key }) => key));
});

/** Says whether somebody points at the list; what was held back is shown once nobody does. */
export function pointAtList(isAt: boolean): void {
  isPointedAt.value = isAt;
}

/** Shows what was held back. */
export function showHeld(): void {
  entries.value = entries.value.map((entry) => (entry.isHeld ? { ...entry, isHeld: false } : entry));
}

/** Looks at this entry from now on. `inAddress`: as a page of its own, which back leaves. */
export function select(key: string, inAddress: boolean): void {
  batch(() => {
    chosen.value = key;
    if (inAddress || named.value !== null) setQuery({ item: key });
  });
  look();
}

/** The entry that was settled here while nothing else waited: the next that comes takes its place. */
export const isLeft = signal<string | null>(null);

/** The next that waits, after this one, else before it; those that hold an agent up come first. Undefined: nothing else does. */
export function nextOpen(from: Entry | undefined): Entry | undefined {
  const all = shownEntries.value;
  const at = from === undefined ? -1 : all.findIndex(({ key }) => key === from.key);
  const turned = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at))].filter(isOpen);
  return (
    turned.find(({ group }) => group === 'blocking') ?? turned.find(({ group }) => group === 'failed') ?? turned[0]
  );
}
