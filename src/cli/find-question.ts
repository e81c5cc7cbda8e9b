// Which question an ID means: its own, whole or the beginning of it, or that of the session, event or notification it belongs to.
import { EXIT, UserError } from '../model/errors.ts';
import { type SessionKey, sessionKeyText } from '../model/ids.ts';
import type { Question } from '../model/question.ts';
import type { StoreReader } from '../store/contract.ts';
import { eventOf } from './with-store.ts';

/** Shorter beginnings are not looked up; those of a question's id begin with this. */
const PREFIX = 'qst_';
const SHORTEST = PREFIX.length + 4;
/** Latest questions that are looked through. */
const MOST = 5_000;

/** Null: no question is meant. UserError: more than one is. */
export async function findQuestion(store: StoreReader, text: string): Promise<Question | null> {
  const all = await store.questions({ limit: MOST });
  const whole = all.find(({ id }) => id === text);
  if (whole) return whole;
  if (text.startsWith(PREFIX) && text.length >= SHORTEST)
    return onlyOne(
      all.filter(({ id }) => id.startsWith(text)),
      text,
    );
  const notified = all.filter(
    ({ notificationId }) => notificationId === text || (text.length >= SHORTEST && notificationId.startsWith(text)),
  );
  if (notified.length > 0) return onlyOne(preferOpen(notified), text);
  const session = await sessionBehind(store, text);
  if (session === null) return null;
  const key = sessionKeyText(session);
  return onlyOne(preferOpen(all.filter(({ sessionKey }) => sessionKey === key)), text);
}

/** Of what is over the latest: whoever answers it hears who was first. */
const preferOpen = (found: readonly Question[]): readonly Question[] => {
  const open = found.filter(({ state }) => state === 'open');
  return open.length > 0 ? open : found.slice(-1);
};

async function sessionBehind(store: StoreReader, text: string): Promise<SessionKey | null> {
  try {
    const { event } = await eventOf(store, text);
    return event.sessionId === null ? null : { ...event, sessionId: event.sessionId };
  } catch (error) {
    if (error instanceof UserError && error.exit === EXIT.notFound) return null;
    throw error;
  }
}

function onlyOne(found: readonly Question[], text: string): Question | null {
  if (found.length > 1)
    throw new UserError(`"${text}" means ${found.length} questions: type the id of one (nothing was sent)`, EXIT.usage);
  return found[0] ?? null;
}
