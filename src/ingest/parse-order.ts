// When what was journaled is parsed: its hook exits first, and nothing overtakes what was journaled before it.
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Ms from the acknowledgement to parsing, unless the hook is seen to have exited before: that comes first. On few processors the agent
 * that waits for the hook would notice if the daemon continued at once; and parsing 10 MB takes longer than a hook should wait.
 */
const YIELD_MS = 5;

/** One call for each entry, in the order of the journal; resolves when it is its turn. `gone` aborts when its hook has exited. */
export function createParseOrder(): (gone: AbortSignal | undefined) => Promise<void> {
  let before: Promise<void> = Promise.resolve();
  return (gone) => {
    const own = pause(YIELD_MS, undefined, { signal: gone }).catch(() => undefined); // its hook has exited
    before = Promise.all([before, own]).then(() => undefined);
    return before;
  };
}
