// What waits for a person now: open notifications and open questions, each thing once.
import type { Kind } from '../model/event.ts';
import type { Notification } from '../model/notification.ts';
import { type DeliveryProgress, IN_DIGEST } from '../model/planned-delivery.ts';
import type { Question } from '../model/question.ts';
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

/** What a group shows stands there once, as the group. */
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
    all.map(async (notification): Promise<PendingNotification> => {
      const { own, notified } = await channelsReached(store, notification.id, sends);
      return {
        notification,
        questions: asked.get(notification.id) ?? [],
        notified,
        inDigest: new Set(notified.filter((channel) => !own.includes(channel))),
        undelivered: undeliveredOf(progress, notification.id, own),
      };
    }),
  );
  const isShown = ({ notification, notified, questions: own }: PendingNotification): boolean => {
    const { inGroup } = notification;
    if (isToBeRead(notification)) return own.length > 0;
    return inGroup === undefined || !ids.has(inGroup) || notified.length > 0 || own.length > 0;
  };
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

/** Channels that a notification was sent to by itself (`own`), and all that it came to, digests included. */
export async function channelsReached(
  store: StoreReader,
  id: string,
  sends: Sends,
): Promise<{ readonly own: readonly string[]; readonly notified: readonly string[] }> {
  const reached = sends.get(id) ?? [];
  const own = reached.filter(({ state }) => state === 'sent').map(({ channel }) => channel);
  const covered = reached.length > own.length ? await inDigests(store, id) : [];
  return { own, notified: [...new Set([...own, ...covered])] };
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

/** Channels on which a digest took the place of what was held, and has arrived. */
async function inDigests(store: StoreReader, id: string): Promise<readonly string[]> {
  const rows = await store.deliveries({ notificationId: id, states: ['superseded'], limit: MOST });
  const reached = rows.map(async ({ channel, lastError }): Promise<readonly string[]> => {
    if (!lastError?.startsWith(IN_DIGEST)) return [];
    const notificationId = lastError.slice(IN_DIGEST.length);
    const sent = await store.deliveries({ notificationId, channel, states: ['sent'], limit: 1 });
    return sent.map((digest) => digest.channel);
  });
  return (await Promise.all(reached)).flat();
}
