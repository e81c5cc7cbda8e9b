// When each agent was last heard of, from the ledger.
import type { Paths } from '../../wire/paths.ts';

/** Unix ms by agent; empty when the journal cannot be read, which another check tells. */
export async function lastEvents(paths: Paths): Promise<ReadonlyMap<string, number>> {
  const { openReader } = await import('../../store/open.ts');
  const last = new Map<string, number>();
  try {
    const store = await openReader(paths.database);
    try {
      for (const { agent, lastEvent } of await store.sessions({}))
        last.set(agent, Math.max(lastEvent, last.get(agent) ?? 0));
    } finally {
      await store.close();
    }
  } catch {
    return new Map(); // told by the check of the journal
  }
  return last;
}
