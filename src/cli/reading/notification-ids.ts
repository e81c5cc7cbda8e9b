// Which notifications an ID means: an event's, a delivery's, a question's, its own, or what is open in a session.
import { EXIT, UserError } from '../../model/errors.ts';
import { notificationIdOf, sessionKeyText } from '../../model/ids.ts';
import type { Identified, StoreReader } from '../../store/contract.ts';
import { identified } from './with-store.ts';

/** Ids of the notifications; throws where one of these is unknown or was not sent to anyone. */
export async function notificationsNamed(store: StoreReader, texts: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(texts.map((text) => named(store, text)));
  return [...new Set(found.flat())];
}

async function named(store: StoreReader, text: string): Promise<readonly string[]> {
  const meant = await identified(store, text);
  if (meant === null)
    throw new UserError(`nothing has the id "${text}": \`belfry pending\` lists what is open`, EXIT.notFound);
  const ids = await notificationsOf(store, meant);
  if (ids.length === 0)
    throw new UserError(
      `${meant.what} ${text} was not sent to anyone, so there is nothing to acknowledge`,
      EXIT.notFound,
    );
  return ids;
}

/** Ids; empty: none was made. */
export async function notificationsOf(store: StoreReader, { what, id }: Identified): Promise<readonly string[]> {
  switch (what) {
    case 'notification':
      return [id];
    case 'question': {
      const question = await store.question(id);
      return question ? [question.notificationId] : [];
    }
    case 'delivery':
      return (await store.deliveries({ ids: [id], limit: 1 })).map(({ notificationId }) => notificationId);
    case 'session':
      return ofSession(store, id);
    case 'event': {
      const own = await store.notification(notificationIdOf(id));
      if (own) return [own.id];
      return (await store.deliveries({ eventId: id, limit: 1 })).map(({ notificationId }) => notificationId);
    }
  }
}

/** Those that are open; where none is, the latest, to say how it stands. */
async function ofSession(store: StoreReader, sessionId: string): Promise<readonly string[]> {
  const sessions = (await store.sessions({})).filter((session) => session.sessionId === sessionId);
  const found = await Promise.all(
    sessions.map((session) => store.notifications({ threadKey: sessionKeyText(session) })),
  );
  const all = found.flat();
  const open = all.filter(({ state }) => state === 'open');
  return (open.length > 0 ? open : all.slice(-1)).map(({ id }) => id);
}
