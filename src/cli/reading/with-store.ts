// Reads the store beside a running daemon or without one; ids by their beginning.
import { EXIT, UserError } from '../../model/errors.ts';
import type { Question } from '../../model/question/question.ts';
import type { Identified, StoredEvent, StoreReader } from '../../store/contract.ts';
import { resolveOwnPaths } from '../../runtime/own-paths.ts';
import { notificationIdOf, sessionKeyOf } from '../../model/ids.ts';
import { idOf, isNumber, numbered } from './pending-numbers.ts';

/** Opens the store for reading, closes it afterwards. */
export async function withStore<T>(work: (store: StoreReader) => Promise<T>): Promise<T> {
  const { openReader } = await import('../../store/open-reader.ts');
  const store = await openReader(resolveOwnPaths().database, 'all');
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Anything shorter is a whole id. */
const SHORTEST = 4;
/** Most ids of each kind that are read. */
const MAX_IDS = 50;

/** What an ID means: that of an event, a notification, a question, a delivery or a session, whole or an unambiguous beginning of it. Null: nothing has it. */
export async function identified(store: StoreReader, text: string): Promise<Identified | null> {
  const found = await store.beginning(text, MAX_IDS);
  const whole = found.find(({ id }) => id === text);
  if (whole || text.length < SHORTEST) return whole ?? null;
  const [first] = found;
  if (first && found.length < MAX_IDS && found.every((other) => other === first || isReplay(other, first)))
    return first;
  if (first) throw new UserError(`more than one id begins with "${text}": type more of it`, EXIT.usage);
  return null;
}

/** A replay's id is that of its delivery and more. */
function isReplay({ what, id }: Identified, of: Identified): boolean {
  return what === 'delivery' && of.what === 'delivery' && id.startsWith(of.id);
}

/** The event that an ID means: of a delivery its own, of a session its latest. A number is that of what `belfry pending` listed under it. */
export async function eventOf(store: StoreReader, text: string): Promise<StoredEvent> {
  const { event } = await meant(store, text);
  return event;
}

/** The same, with the delivery where the ID is that of one. */
export async function meant(
  store: StoreReader,
  text: string,
): Promise<{ readonly event: StoredEvent; readonly delivery: string | null }> {
  const found = await identified(store, await idOf(resolveOwnPaths(), text));
  const event = found === null ? null : await eventBehind(store, found);
  if (found === null || event === null)
    throw new UserError(`no event has the id "${text}": \`belfry events\` lists them`, EXIT.notFound);
  return { event, delivery: found.what === 'delivery' ? found.id : null };
}

async function eventBehind(store: StoreReader, { what, id }: Identified): Promise<StoredEvent | null> {
  if (what === 'event') return store.event(id);
  if (what === 'session') return (await store.events({ session: id, limit: 1 }))[0] ?? null;
  if (what === 'notification') return eventOfNotification(store, id);
  if (what === 'question') {
    const question = await store.question(id);
    return (
      question && ((await eventOfNotification(store, question.notificationId)) ?? (await eventAsking(store, question)))
    );
  }
  const [delivery] = await store.deliveries({ ids: [id], limit: 1 });
  return delivery ? store.event(delivery.eventId) : null;
}

async function eventOfNotification(store: StoreReader, id: string): Promise<StoredEvent | null> {
  const [eventId] = (await store.notification(id))?.eventIds ?? [];
  return eventId === undefined ? null : store.event(eventId);
}

/** The event of a question that nobody was to be notified of: there is no notification, but its id. */
async function eventAsking(store: StoreReader, { notificationId, sessionKey }: Question): Promise<StoredEvent | null> {
  const events = await store.events({ session: sessionKeyOf(sessionKey).sessionId, limit: MAX_IDS });
  return events.find(({ event }) => notificationIdOf(event.id) === notificationId) ?? null;
}

/** Whether a session of this id was ever seen. */
export async function isKnownSession(store: StoreReader, id: string): Promise<boolean> {
  return (await store.beginning(id, MAX_IDS)).some((found) => found.what === 'session' && found.id === id);
}

/** The session whose id begins so, or of what has that number in `belfry pending`; an id that was never seen is used as typed. */
export async function sessionNamed(store: StoreReader, text: string): Promise<string> {
  const found = (await store.beginning(text, 2)).filter(({ what }) => what === 'session');
  if (found.some(({ id }) => id === text)) return text;
  if (isNumber(text) && (await numbered(resolveOwnPaths(), Number(text))) !== null) return sessionNumbered(store, text);
  if (text.length < SHORTEST) return text;
  if (found.length > 1)
    throw new UserError(`more than one session id begins with "${text}": type more of it`, EXIT.usage);
  return found[0]?.id ?? text;
}

async function sessionNumbered(store: StoreReader, number: string): Promise<string> {
  const { event } = await eventOf(store, number);
  if (event.sessionId !== null) return event.sessionId;
  throw new UserError(
    `number ${number} of \`belfry pending\` belongs to no session: \`belfry sessions\` lists them`,
    EXIT.notFound,
  );
}

/** UUIDs begin with the time: shorter beginnings would rarely be enough. */
const SHORT_ID = 13;
/** Most ids that are looked up one by one; longer lists show them whole. */
const MAX_LOOKUPS = 200;

/** Beginnings of these ids by which every command finds them: of one length, as short as possible. */
export async function shortIds(store: StoreReader, ids: readonly string[]): Promise<(id: string) => string> {
  const unique = [...new Set(ids)];
  if (unique.length > MAX_LOOKUPS) return (id) => id;
  let length = SHORT_ID;
  for (const id of unique) while (length < id.length && (await isAmbiguous(store, id.slice(0, length)))) length++;
  return (id) => id.slice(0, length);
}

async function isAmbiguous(store: StoreReader, prefix: string): Promise<boolean> {
  const [first, ...others] = await store.beginning(prefix, MAX_IDS);
  return first !== undefined && others.some((other) => !isReplay(other, first));
}

/** An id to type after a command: its shortest beginning that is enough. */
export async function shortId(store: StoreReader, id: string): Promise<string> {
  return (await shortIds(store, [id]))(id);
}
