// What waits for a person now: open notifications and open questions, each thing once.
import type { Kind } from '../model/event/event.ts';
import type { Notification } from '../model/notification/notification.ts';
import { type DeliveryProgress, IN_DIGEST, IN_GROUP } from '../model/delivery/delivery.ts';
import type { Question } from '../model/question/question.ts';
import type { StoreReader } from './contract.ts';

/** One notification that nobody has dealt with, or whose question is not answered yet. */
export interface PendingNotification {
  readonly notification: Notification;
  /** Those that are open. */
  readonly questions: readonly Question[];
  /** Channels that it was sent to, also in a digest. */
  readonly notified: readonly string[];
  /** Those of them that only got it in a digest. */
  readonly inDigest: ReadonlySet<string>;
  /** Channels that were to be sent it and were not reached: "failed" or "paused". */
  readonly undelivered: ReadonlyMap<string, 'failed' | 'paused'>;
}

/** All of it. */
export interface Pending {
  /** Those with questions first, then the rest, oldest first. */
  readonly notifications: readonly PendingNotification[];
  /** Open questions of no notification: none was made, or it is not kept any more. */
  readonly questions: readonly Question[];
  /** Open notifications beyond those that are looked at, the least of all. */
  readonly beyond: number;
}

/** Most of each that are looked at. */
const MOST = 1_000;

/** Something failed: an agent, or Belfry itself. */
const WENT_WRONG: readonly Kind[] = [
  'session.failed',
  'session.ended',
  'limit.reached',
  'computer.failed',
  'channel.failing',
  'watch.failing',
  'settings.broken',
  'journal.failing',
];

/** Kinds by how much somebody has to know of them; undefined: whatever is left. */
const RANKED: readonly (readonly Kind[] | undefined)[] = [['agent.waiting'], WENT_WRONG, undefined];

/** Its place in a list that may be cut: what holds an agent up, then what went wrong, then the rest. From 0. */
export function rankOf({
  notification: { kind, urgency },
  questions,
}: Pick<PendingNotification, 'notification' | 'questions'>): number {
  if (questions.length > 0) return 0;
  if (kind === 'agent.waiting') return 1;
  return urgency === 'urgent' || WENT_WRONG.includes(kind) ? 2 : 3;
}

/** Open notifications: those that matter most, and of these the newest, so that none is pushed out by how many others there are. */
async function openByRank(store: StoreReader): Promise<readonly Notification[]> {
  const found = new Map<string, Notification>();
  for (const kinds of RANKED) {
    const open = await store.notifications({ states: ['open'], ...(kinds && { kinds }), limit: MOST });
    for (const one of open.toReversed()) if (found.size < MOST) found.set(one.id, one);
  }
  return [...found.values()];
}

/** What was sent by hand to be read, such as `belfry send`: nobody has to do anything about it, and nothing ends it. */
const isToBeRead = ({ kind }: Notification): boolean => kind === 'test' || kind === 'belfry.upgraded';

/** Of a group or a digest; a digest of an earlier version keeps nothing of its members. */
const isBatch = ({ group, detail }: Notification): boolean => group !== undefined || detail === 'digest';

/**
 * Each thing stands there once: as the group or the digest that people have seen, or, where one of its events asks something or was sent
 * by itself too, each of its events by itself. The ids of the others.
 */
function hiddenRows(rows: readonly (PendingNotification & { readonly own: readonly string[] })[]): readonly string[] {
  const byEvent = new Map(
    rows.flatMap((row) => (isBatch(row.notification) ? [] : [[row.notification.eventIds[0] ?? '', row] as const])),
  );
  return rows.flatMap(({ notification }) => {
    if (!isBatch(notification)) return [];
    const members = notification.eventIds.flatMap((id) => byEvent.get(id) ?? []);
    const isApart = members.some(({ questions, own }) => questions.length > 0 || own.length > 0);
    return isApart ? [notification.id] : members.map((member) => member.notification.id);
  });
}

export async function readPending(store: StoreReader): Promise<Pending> {
  const [open, questions] = await Promise.all([openByRank(store), store.questions({ states: ['open'], limit: MOST })]);
  if (open.length === 0 && questions.length === 0) return { notifications: [], questions: [], beyond: 0 };
  const beyond = open.length < MOST ? 0 : (await store.counts()).notifications.open - open.length;
  const asked = byNotification(questions);
  const ids = new Set(open.map(({ id }) => id));
  // An acknowledged one whose question is open still waits for an answer.
  const others = await Promise.all([...asked.keys()].filter((id) => !ids.has(id)).map((id) => store.notification(id)));
  const all = [...open, ...others.filter((one) => one !== null)];
  const progress = await store.deliveryProgress(all.map(({ id }) => id));
  const sends = sendsOf(progress);
  const pending = await Promise.all(
    all.map(async (notification) => {
      const { own, notified, inDigest } = await channelsReached(store, notification.id, sends);
      return {
        notification,
        own,
        questions: asked.get(notification.id) ?? [],
        notified,
        inDigest,
        undelivered: undeliveredOf(progress, notification.id, own),
      };
    }),
  );
  const inOther = new Set(hiddenRows(pending));
  const isShown = (row: PendingNotification): boolean =>
    !inOther.has(row.notification.id) && (!isToBeRead(row.notification) || row.questions.length > 0);
  const rank = ({ questions: own }: PendingNotification): number => (own.length === 0 ? 1 : 0);
  const known = new Set(all.map(({ id }) => id));
  return {
    notifications: pending
      .filter(isShown)
      .sort((a, b) => rank(a) - rank(b) || a.notification.createdAt - b.notification.createdAt),
    questions: questions.filter(({ notificationId }) => !known.has(notificationId)),
    beyond,
  };
}

/** A client may ask several things at once, of which one notification tells. */
export function byNotification(questions: readonly Question[]): ReadonlyMap<string, readonly Question[]> {
  const found = new Map<string, Question[]>();
  for (const question of questions) {
    const own = found.get(question.notificationId);
    if (own === undefined) found.set(question.notificationId, [question]);
    else own.push(question);
  }
  return found;
}

/** Those that reached a channel, or were taken into a digest, by notification. */
type Sends = ReadonlyMap<string, readonly DeliveryProgress[]>;

/** Channels that a notification was sent to by itself (`own`), all that it came to, groups and digests included, and those that only a digest came to. */
export async function channelsReached(
  store: StoreReader,
  id: string,
  sends: Sends,
): Promise<{
  readonly own: readonly string[];
  readonly notified: readonly string[];
  readonly inDigest: ReadonlySet<string>;
}> {
  const reached = sends.get(id) ?? [];
  const own = reached.filter(({ state }) => state === 'sent').map(({ channel }) => channel);
  const covered = reached.length > own.length ? await inBatches(store, id) : [];
  const digests = covered.filter(({ digest, channel }) => digest && !own.includes(channel));
  const notified = [...new Set([...own, ...covered.map(({ channel }) => channel)])];
  return { own, notified, inDigest: new Set(digests.map(({ channel }) => channel)) };
}

/** Of the outbox's rows, what {@link channelsReached} looks at. */
export function sendsOf(rows: readonly DeliveryProgress[]): Sends {
  const found = new Map<string, DeliveryProgress[]>();
  for (const row of rows) {
    const { notificationId, operation, state, heldBy } = row;
    if (operation !== 'send' || !(state === 'sent' || (state === 'superseded' && heldBy))) continue;
    found.set(notificationId, [...(found.get(notificationId) ?? []), row]);
  }
  return found;
}

/** Where a later message arrived, such as a reminder, the person was reached. */
function undeliveredOf(
  rows: readonly DeliveryProgress[],
  id: string,
  reached: readonly string[],
): ReadonlyMap<string, 'failed' | 'paused'> {
  const failed = rows.filter(
    ({ notificationId, operation, state, channel }) =>
      notificationId === id &&
      operation === 'send' &&
      (state === 'dead' || state === 'paused') &&
      !reached.includes(channel),
  );
  return new Map(failed.map(({ channel, state }) => [channel, state === 'dead' ? 'failed' : 'paused']));
}

/** A channel on which a group or a digest took the place of what was held, and has arrived. */
interface Covered {
  readonly channel: string;
  readonly digest: boolean;
}

async function inBatches(store: StoreReader, id: string): Promise<readonly Covered[]> {
  const rows = await store.deliveries({ notificationId: id, states: ['superseded'], limit: MOST });
  const reached = rows.map(async ({ channel, lastError }): Promise<readonly Covered[]> => {
    const note = [IN_DIGEST, IN_GROUP].find((one) => lastError?.startsWith(one));
    if (note === undefined || lastError === null) return [];
    const notificationId = lastError.slice(note.length);
    const sent = await store.deliveries({ notificationId, channel, states: ['sent'], limit: 1 });
    return sent.map((batch) => ({ channel: batch.channel, digest: note === IN_DIGEST }));
  });
  return (await Promise.all(reached)).flat();
}
