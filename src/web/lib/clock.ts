// The time as the page's parts see it: one clock that ticks, so that ages are redrawn together.
import { signal } from '@preact/signals';

/** Ms between two looks at the clock. */
const TICK = 5_000;

/** Unix ms. */
export const now = signal(Date.now());

setInterval(() => {
  now.value = Date.now();
}, TICK);
