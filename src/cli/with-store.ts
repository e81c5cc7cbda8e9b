// Reads the store beside a running daemon or without one; ids by their beginning.
import { EXIT, UserError } from '../model/errors.ts';
import type { Identified, StoredEvent, StoreReader } from '../store/contract.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';

/** Opens the store for reading, closes it afterwards. */
export async function withStore<T>(work: (store: StoreReader) => Promise<T>): Promise<T> {
  const { openReader } = await import('../store/open.ts');
  const store = await openReader(resolveOwnPaths().database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Beginnings shorter than this are taken for whole ids. */
const SHORTEST = 4;
/** Most ids of each kind that are read. */
const MOST = 50;

/** What an ID means: that of an event, a delivery or a session, whole or an unambiguous beginning of it. Null: nothing has it. */
async function identified(store: StoreReader, text: string): Promise<Identified | null> {
  const found = await store.beginning(text, MOST);
  const whole = found.find(({ id }) => id === text);
  if (whole || text.length < SHORTEST) return whole ?? null;
  const [first] = found;
  if (first && found.length < MOST && found.every((other) => other === first || isReplay(other, first))) return first;
  if (first) throw new UserError(`"${text}" begins more than one id: give more of it`, EXIT.usage);
  return null;
}

/** A replay's id is that of its delivery and more. */
function isReplay({ what, id }: Identified, of: Identified): boolean {
  return what === 'delivery' && of.what === 'delivery' && id.startsWith(of.id);
}

/** The event that an ID means: of a delivery its own, of a session its latest. */
export async function eventOf(store: StoreReader, text: string): Promise<StoredEvent> {
  const { event } = await meant(store, text);
  return event;
}

/** The same, with the delivery where the ID is that of one. */
export async function meant(
  store: StoreReader,
  text: string,
): Promise<{ readonly event: StoredEvent; readonly delivery: string | null }> {
  const found = await identified(store, text);
  const event = found === null ? null : await eventBehind(store, found);
  if (found === null || event === null)
    throw new UserError(`there is no event "${text}": \`belfry events\` lists them`, EXIT.notFound);
  return { event, delivery: found.what === 'delivery' ? found.id : null };
}

async function eventBehind(store: StoreReader, { what, id }: Identified): Promise<StoredEvent | null> {
  if (what === 'event') return store.event(id);
  if (what === 'session') return (await store.events({ session: id, limit: 1 }))[0] ?? null;
  const [delivery] = await store.deliveries({ ids: [id], limit: 1 });
  return delivery ? store.event(delivery.eventId) : null;
}

/** The session whose id begins so; one that was never seen is taken as it was typed. */
export async function sessionNamed(store: StoreReader, text: string): Promise<string> {
  const found = (await store.beginning(text, 2)).filter(({ what }) => what === 'session');
  if (found.some(({ id }) => id === text) || text.length < SHORTEST) return text;
  if (found.length > 1) throw new UserError(`"${text}" begins more than one session id: give more of it`, EXIT.usage);
  return found[0]?.id ?? text;
}

/** The shortest prefixes that distinguish these ids; UUIDs begin with the time, so they are at least 13 long. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  let length = 13;
  while (length < 36 && new Set(ids.map((id) => id.slice(0, length))).size < new Set(ids).size) length++;
  return (id) => id.slice(0, length);
}
