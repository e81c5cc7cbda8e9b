// `belfry pending`: what waits for a person now, read from the store, so without a daemon too.
import { clockTime, shortTime } from '../model/clock-time.ts';
import type { Event } from '../model/event.ts';
import type { Notification } from '../model/notification.ts';
import type { Question } from '../model/question.ts';
import type { StoreReader } from '../store/contract.ts';
import { type PendingNotification, readPending } from '../store/pending.ts';
import type { Define } from './entry.ts';
import { iso } from '../model/row-json.ts';
import { sentWord } from './event-rows.ts';
import { answersTo } from './question-answers.ts';
import { type Cell, type ListColumn, printRows } from './table-output.ts';
import { ago } from './time-args.ts';
import { shortIds, withStore } from './with-store.ts';

/** With its first event; null: not kept any more. */
type Pending = PendingNotification & { readonly event: Event | null };

const COLUMNS: readonly ListColumn[] = [
  { name: 'SINCE', rank: 1 },
  { name: 'WAITS FOR', rank: 3 },
  { name: 'TITLE', rank: 0, lines: 2 },
  { name: 'ANSWERS', rank: 2 },
  { name: 'SENT TO', rank: 4 },
  { name: 'SENT', rank: 0, insteadOf: 'SENT TO' },
  { name: 'ID', rank: 0 },
];

export const define: Define = (command, io) => {
  command.action(async () => {
    const { all, short } = await withStore(async (store) => {
      const found = await withEvents(store);
      const ids = found.map(({ notification }) => notification.id);
      return { all: found, short: io.tty && !io.json ? await shortIds(store, ids) : (id: string) => id };
    });
    if (io.json) return io.data(all.map(pendingJson));
    const now = Date.now();
    const rows = all.map(({ notification, question, ...reach }): Cell[] => [
      { text: io.tty ? ago(notification.createdAt, now) : clockTime(notification.createdAt), tone: 'dim' },
      { text: waitsFor(notification, question), tone: question === null ? 'plain' : 'notice' },
      notification.title,
      question === null ? '' : answersTo(question).join(', '),
      ...sentTo(reach),
      { text: short(notification.id), tone: 'dim' },
    ]);
    await printRows(io, COLUMNS, rows, 'nothing is waiting for you');
  });
};

/** The channels, and in one word whether they were reached. */
function sentTo({ notified, inDigest, undelivered }: Pick<Pending, 'notified' | 'inDigest' | 'undelivered'>): Cell[] {
  const reached = notified.map((name) => (inDigest.has(name) ? `${name} (in a digest)` : name));
  const missed = [...undelivered].map(([name, how]) => `${name} (${how})`);
  const tone = missed.length > 0 ? 'bad' : 'plain';
  return [
    { text: [...reached, ...missed].join(', ') || 'nobody yet', tone },
    { text: sentWord([...notified, ...undelivered.keys()], undelivered), tone },
  ];
}

async function withEvents(store: StoreReader): Promise<readonly Pending[]> {
  const found = await readPending(store);
  return Promise.all(
    found.map(async (pending) => {
      const [eventId] = pending.notification.eventIds;
      const stored = eventId === undefined ? null : await store.event(eventId);
      return { ...pending, event: stored?.event ?? null };
    }),
  );
}

function waitsFor({ kind, detail }: Notification, question: Question | null): string {
  if (question !== null) return `${question.kind} until ${shortTime(question.deadline, Date.now())}`;
  const what = kind.slice(kind.indexOf('.') + 1); // "waiting", "finished"
  return detail === null ? what : `${what}: ${detail}`;
}

/** Field names are stable. */
function pendingJson({ notification, event, question, notified, inDigest, undelivered }: Pending): unknown {
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
    undelivered: [...undelivered.keys()],
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
