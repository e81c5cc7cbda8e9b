// Another process may have written what a decision was made from: then it is made again, from its facts on.
import type { Committed } from './commit-decision.ts';

/** Times that it is made again. */
const MOST_CONFLICTS = 5;

/** Rejects when others wrote it every time. */
export async function decideAgain(once: () => Promise<Committed>): Promise<void> {
  for (let attempt = 1; (await once()) === 'conflict'; attempt++)
    if (attempt === MOST_CONFLICTS) throw new Error(`its session was written by others ${MOST_CONFLICTS} times`);
}
