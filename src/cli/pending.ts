// `belfry pending`: what waits for a person now, read from the store, so without a daemon too.
import { clockTime, shortTime } from '../model/clock-time.ts';
import type { Event } from '../model/event.ts';
import type { Notification } from '../model/notification.ts';
import { IN_DIGEST } from '../model/planned-delivery.ts';
import type { Question } from '../model/question.ts';
import type { StoreReader } from '../store/contract.ts';
import type { Define } from './entry.ts';
import { iso } from '../model/row-json.ts';
import { answersTo } from './question-answers.ts';
import { type Cell, type ListColumn, printRows } from './table-output.ts';
import { ago } from './time-args.ts';
import { shortIds, withStore } from './with-store.ts';

/** One notification that nobody has dealt with, or whose question is not answered yet. */
interface Pending {
  readonly notification: Notification;
  /** Its first event; null: not kept any more. */
  readonly event: Event | null;
  readonly question: Question | null;
  /** Channels that it was sent to, also in a digest. */
  readonly notified: readonly string[];
  /** Those of them that only got it in a digest. */
  readonly inDigest: ReadonlySet<string>;
}

/** Most of each that are listed. */
const MOST = 1_000;

const COLUMNS: readonly ListColumn[] = [
  { name: 'SINCE', rank: 1 },
  { name: 'WAITS FOR', rank: 3 },
  { name: 'TITLE', rank: 0, lines: 2 },
  { name: 'ANSWERS', rank: 2 },
  { name: 'NOTIFIED', rank: 4 },
  { name: 'ID', rank: 0 },
];

export const define: Define = (command, io) => {
  command.action(async () => {
    const { all, short } = await withStore(async (store) => {
      const found = await readPending(store);
      const ids = found.map(({ notification }) => notification.id);
      return { all: found, short: io.tty && !io.json ? await shortIds(store, ids) : (id: string) => id };
    });
    if (io.json) return io.data(all.map(pendingJson));
    const now = Date.now();
    const rows = all.map(({ notification, question, notified, inDigest }): Cell[] => [
      { text: io.tty ? ago(notification.createdAt, now) : clockTime(notification.createdAt), tone: 'dim' },
      { text: waitsFor(notification, question), tone: question === null ? 'plain' : 'notice' },
      notification.title,
      question === null ? '' : answersTo(question).join(', '),
      notified.length === 0
        ? 'nobody yet'
        : notified.map((name) => (inDigest.has(name) ? `${name} (in a digest)` : name)).join(', '),
      { text: short(notification.id), tone: 'dim' },
    ]);
    await printRows(io, COLUMNS, rows, 'nothing is waiting for you');
  });
};

/** Questions first, then the rest, oldest first. */
async function readPending(store: StoreReader): Promise<readonly Pending[]> {
  const [open, questions] = await Promise.all([
    store.notifications({ states: ['open'], limit: MOST }),
    store.questions({ states: ['open'], limit: MOST }),
  ]);
  const asked = new Map(questions.map((question) => [question.notificationId, question]));
  const ids = new Set(open.map(({ id }) => id));
  const others = await Promise.all([...asked.keys()].filter((id) => !ids.has(id)).map((id) => store.notification(id)));
  const all = [...open, ...others.filter((one) => one !== null)];
  const sends = (await store.deliveryProgress(all.map(({ id }) => id))).filter(
    ({ operation, state, heldBy }) => operation === 'send' && (state === 'sent' || (state === 'superseded' && heldBy)),
  );
  const pending = await Promise.all(
    all.map(async (notification): Promise<Pending> => {
      const [eventId] = notification.eventIds;
      const stored = eventId === undefined ? null : await store.event(eventId);
      const reached = sends.filter(({ notificationId }) => notificationId === notification.id);
      const own = reached.filter(({ state }) => state === 'sent').map(({ channel }) => channel);
      const covered = reached.length > own.length ? await inDigests(store, notification.id) : [];
      return {
        notification,
        event: stored?.event ?? null,
        question: asked.get(notification.id) ?? null,
        notified: [...new Set([...own, ...covered])],
        inDigest: new Set(covered.filter((channel) => !own.includes(channel))),
      };
    }),
  );
  const isShown = ({ notification: { inGroup }, notified, question }: Pending): boolean =>
    inGroup === undefined || !ids.has(inGroup) || notified.length > 0 || question !== null;
  const rank = ({ question }: Pending): number => (question === null ? 1 : 0);
  return pending
    .filter(isShown)
    .sort((a, b) => rank(a) - rank(b) || a.notification.createdAt - b.notification.createdAt);
}

/** Channels on which a digest took the place of what was held. */
async function inDigests(store: StoreReader, notificationId: string): Promise<readonly string[]> {
  const rows = await store.deliveries({ notificationId, states: ['superseded'], limit: MOST });
  return rows.filter(({ lastError }) => lastError?.startsWith(IN_DIGEST)).map(({ channel }) => channel);
}

function waitsFor({ kind, detail }: Notification, question: Question | null): string {
  if (question !== null) return `${question.kind} until ${shortTime(question.deadline, Date.now())}`;
  const what = kind.slice(kind.indexOf('.') + 1); // "waiting", "finished"
  return detail === null ? what : `${what}: ${detail}`;
}

/** Field names are stable. */
function pendingJson({ notification, event, question, notified, inDigest }: Pending): unknown {
  const { id, kind, detail, urgency, title, state, createdAt, eventIds } = notification;
  return {
    ...{ id, kind, detail, urgency, title, state, since: iso(createdAt) },
    event_id: eventIds[0] ?? null,
    events: eventIds,
    agent: event?.agent ?? null,
    session_id: event?.sessionId ?? null,
    project: event?.project ?? null,
    cwd: event?.cwd ?? null,
    notified,
    in_digest: [...inDigest],
    question:
      question === null
        ? null
        : {
            ...{ id: question.id, kind: question.kind, subject: question.subject },
            answers: answersTo(question),
            deadline: iso(question.deadline),
          },
  };
}
