// When each agent was last heard of, from the session record.
import type { Paths } from '../../../runtime/paths.ts';

/** Unix ms by agent; empty when the journal cannot be read, which another check reports. */
export async function lastEvents(paths: Paths): Promise<ReadonlyMap<string, number>> {
  const { openReader } = await import('../../../store/open.ts');
  try {
    const store = await openReader(paths.database);
    try {
      return await store.lastEvents();
    } finally {
      await store.close();
    }
  } catch {
    return new Map(); // reported by the check of the journal
  }
}
