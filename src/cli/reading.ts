// Reads the store beside a running daemon or without one; ids by their beginning.
import { EXIT, UserError } from '../model/errors.ts';
import type { StoredEvent, StoreReader } from '../store/contract.ts';
import { ownPaths } from '../wire/surroundings.ts';

/** Opens the store for reading, closes it afterwards. */
export async function reading<T>(work: (store: StoreReader) => Promise<T>): Promise<T> {
  const { openReader } = await import('../store/open.ts');
  const store = await openReader(ownPaths().database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The one event whose id begins so. */
export async function eventOf(store: StoreReader, prefix: string): Promise<StoredEvent> {
  const exact = await store.event(prefix);
  if (exact) return exact;
  const ids = prefix.length < 4 ? [] : await store.eventIds(prefix, 2);
  if (ids.length > 1) throw new UserError(`"${prefix}" begins more than one id: give more of it`, EXIT.usage);
  const found = ids[0] === undefined ? null : await store.event(ids[0]);
  if (found) return found;
  throw new UserError(`there is no event "${prefix}": \`belfry events\` lists them`, EXIT.notFound);
}

/** The shortest beginnings that tell these ids apart; UUIDs begin with the time, so they are at least 13 long. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  let length = 13;
  while (length < 36 && new Set(ids.map((id) => id.slice(0, length))).size < new Set(ids).size) length++;
  return (id) => id.slice(0, length);
}
