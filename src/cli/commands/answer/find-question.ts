// Which question an ID means: its own, its notification's, that of an event or session, or a number of `belfry pending`; and what was shown of it.
import { EXIT, UserError } from '../../../model/errors.ts';
import { notificationIdOf, sessionKeyOf } from '../../../model/ids.ts';
import type { Question } from '../../../model/question/question.ts';
import { seenOf } from '../../../model/question/seen.ts';
import type { Paths } from '../../../runtime/paths.ts';
import type { Identified, StoreReader } from '../../../store/contract.ts';
import { notificationsOf } from '../../reading/notification-ids.ts';
import { isNumber, listedLast, thingNumbered } from '../../reading/pending-numbers.ts';
import { identified } from '../../reading/with-store.ts';

/** A question, and the value that its answer proves it was seen by. */
export interface FoundQuestion {
  readonly question: Question;
  readonly seen: string;
  /** Only the session was named: whatever it asks by now, which nobody may have seen. */
  readonly isUnseen: boolean;
}

/** None is meant; `of`: what the ID is of, null where nothing has it. */
export interface NoQuestion {
  readonly of: Identified | null;
}

/** Latest questions that are looked through. */
const MAX_QUESTIONS = 5_000;
/** Characters of an id that are looked up. */
const SHORTEST = 8;

/** UserError: more than one is meant, or nothing has that number. */
export async function findQuestion(
  store: StoreReader,
  paths: Pick<Paths, 'state'>,
  text: string,
): Promise<FoundQuestion | NoQuestion> {
  if (isNumber(text)) return findNumbered(store, paths, Number(text));
  const of = await identified(store, text);
  const questions = of === null ? await askedUnder(store, text) : await questionsOf(store, of);
  const found = onlyOne(questions, text);
  if (found === null) return { of };
  // What was listed last is what was seen; of what never was, the ID itself says which.
  const listed = await listedLast(paths, found.id);
  return { question: found, seen: listed?.seen ?? seenOf(found), isUnseen: of?.what === 'session' };
}

async function findNumbered(
  store: StoreReader,
  paths: Pick<Paths, 'state'>,
  number: number,
): Promise<FoundQuestion | NoQuestion> {
  const listed = await thingNumbered(paths, number);
  const question = listed.seen === null ? null : await store.question(listed.id);
  if (question !== null && listed.seen !== null) return { question, seen: listed.seen, isUnseen: false };
  return { of: await identified(store, listed.id) };
}

/** Of a session what is open; of anything else what was ever asked: whoever answers what is over hears who was first. */
async function questionsOf(store: StoreReader, of: Identified): Promise<readonly Question[]> {
  if (of.what === 'question') return [await store.question(of.id)].filter((one) => one !== null);
  const all = await store.questions({ limit: MAX_QUESTIONS });
  if (of.what === 'session') return openOf(all, of.id);
  const own = of.what === 'event' ? [notificationIdOf(of.id)] : [];
  const notifications = [...own, ...(await notificationsOf(store, of))];
  return latestOfEach(all.filter(({ notificationId }) => notifications.includes(notificationId)));
}

/** Where nobody was to be notified there is no notification, but its id. */
async function askedUnder(store: StoreReader, text: string): Promise<readonly Question[]> {
  if (text.length < SHORTEST) return [];
  return latestOfEach(
    (await store.questions({ limit: MAX_QUESTIONS })).filter(({ notificationId }) => notificationId.startsWith(text)),
  );
}

const openOf = (all: readonly Question[], sessionId: string): readonly Question[] =>
  all.filter(({ state, sessionKey }) => state === 'open' && sessionKeyOf(sessionKey).sessionId === sessionId);

/** What is put again after the daemon's restart is the same thing. */
function latestOfEach(questions: readonly Question[]): readonly Question[] {
  return [...new Map(questions.map((question) => [question.inputHash, question])).values()];
}

function onlyOne(found: readonly Question[], text: string): Question | null {
  if (found.length > 1)
    throw new UserError(
      `"${text}" means ${found.length} questions: type the number or id of one, \`belfry pending\` lists them (nothing was sent)`,
      EXIT.usage,
    );
  return found[0] ?? null;
}
