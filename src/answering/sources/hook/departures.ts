// Hooks that have left on their own: a client ends its hook and reports its tool at the same moment, in either order, so the reason waits a little.
import type { Clock } from '../../../lib/clock.ts';
import type { Wait } from '../../questions/wait.ts';

/** Ms in which an input may still say why. */
const NAMING = 300;
/** Where none does. */
const UNKNOWN = 'the agent no longer waits';

/** Departed hooks whose reason is not settled. */
export interface Departures {
  readonly add: (wait: Wait) => void;
  /** Settles those of which `why` knows the reason. */
  readonly name: (why: (wait: Wait) => string | null) => void;
  /** Settles all of them as they are. */
  readonly settle: () => void;
}

/** `settled` is called once for each. */
export function createDepartures(clock: Clock, settled: (wait: Wait, why: string) => void): Departures {
  const open = new Map<Wait, () => void>();
  const end = (wait: Wait, why: string): void => {
    open.get(wait)?.();
    open.delete(wait);
    settled(wait, why);
  };
  return {
    add: (wait) =>
      void open.set(
        wait,
        clock.setTimer(NAMING, () => end(wait, UNKNOWN)),
      ),
    name: (why) => {
      for (const wait of [...open.keys()]) {
        const known = why(wait);
        if (known !== null) end(wait, known);
      }
    },
    settle: () => {
      for (const wait of [...open.keys()]) end(wait, UNKNOWN);
    },
  };
}
