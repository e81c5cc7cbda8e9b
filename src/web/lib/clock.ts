// The time as the page's parts see it: one clock that ticks while somebody can see the tab, so that ages are redrawn together.
import { computed, signal } from '@preact/signals';

/** Ms between two looks at the clock. */
const TICK = 5_000;

/** Unix ms. */
export const now = signal(Date.now());

/** Whole minutes since 1970: what goes by the clock is read again with each, as quiet hours begin and end with one. */
export const minute = computed(() => Math.floor(now.value / 60_000));

function look(): void {
  if (!document.hidden) now.value = Date.now();
}

setInterval(look, TICK);
document.addEventListener('visibilitychange', look);
