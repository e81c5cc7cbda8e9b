// Going from entry to entry: where the focus goes after an answer, and what the arrow keys do.
import { isNarrow } from '../lib/narrow.ts';
import type { Entry } from './entries.ts';
import { isLeft, nextOpen, select, selected, shownEntries } from './inbox.ts';

/** After this entry was settled here: to the next that waits, with the focus. */
export function goOn(from: Entry): void {
  const next = nextOpen(from);
  isLeft.value = next === undefined ? from.key : null;
  if (next !== undefined) select(next.key, false);
  // Its elements are there with the next frame.
  requestAnimationFrame(() => focusEntry(next?.key ?? from.key));
}

/** Looks at the next entry of the list, or the one before. */
export function step(by: 1 | -1): void {
  const all = shownEntries.value;
  const here = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['row'] : undefined;
  const at = all.findIndex(({ key }) => key === (here ?? selected.value?.key));
  const isInList = here !== undefined;
  const next = all[at < 0 ? (by === 1 ? 0 : all.length - 1) : isInList ? at + by : at];
  if (next === undefined) return;
  if (!isNarrow.value) select(next.key, false);
  focusEntry(next.key);
}

/** Its row, or its heading where no list is shown. */
export function focusEntry(key: string): void {
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`);
  const isShown = row !== null && row.offsetParent !== null;
  const target = isShown ? row : document.querySelector<HTMLElement>('[data-subject] h2');
  target?.focus({ preventScroll: !isShown });
  if (isShown) row.scrollIntoView({ block: 'nearest' });
}
