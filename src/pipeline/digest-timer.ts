// The timer at the end of a hold, when one digest takes the place of what was held.
import type { Timer } from '../model/verdict.ts';

/** Kind of the timers that end a hold. */
export const DIGEST = 'digest';

/** One for each hold, `quiet` or `mute:ID`. `due`: Unix ms. `force`: somebody asked for it, whatever is quiet or muted then. */
export function digestTimer(hold: string, due: number, force = false): Timer {
  return { id: `${DIGEST}:${hold}`, kind: DIGEST, due, data: { hold, force } };
}
