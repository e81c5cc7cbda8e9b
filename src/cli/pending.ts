// `belfry pending`: what waits for a person now, read from the store, so without a daemon too.
import { clockTime, shortTime } from '../model/clock-time.ts';
import type { Event } from '../model/event.ts';
import type { Notification } from '../model/notification.ts';
import { subjectSchema } from '../model/answering.ts';
import type { Question } from '../model/question.ts';
import { seenOf } from '../model/seen.ts';
import { terminalOnly } from '../model/terminal-only.ts';
import { cutGraphemes, oneLine } from '../lib/text.ts';
import type { StoreReader } from '../store/contract.ts';
import { byNotification, type PendingNotification, readPending } from '../store/pending.ts';
import type { Define } from './entry.ts';
import { iso } from '../model/row-json.ts';
import { answersTo } from './question-answers.ts';
import { type Reach, reachOf, sentWord } from './reach.ts';
import { type Cell, type ListColumn, printRows } from './table-output.ts';
import { ago } from './time-args.ts';
import { shortIds, withStore } from './with-store.ts';

/** One line: a notification, with its question where it has one; or a question. `event`: its first; null: none, or not kept any more. */
interface Pending extends Pick<PendingNotification, 'notified' | 'inDigest' | 'undelivered'> {
  /** What `belfry answer` and `ack` are to be given. */
  readonly id: string;
  readonly notification: Notification | null;
  readonly question: Question | null;
  readonly event: Event | null;
  readonly reach: Reach;
  /** Why nobody can answer it from elsewhere, where that was wanted. */
  readonly unanswerable: string | null;
}

/** Characters. */
const LONGEST_TITLE = 200;

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
      const found = await readLines(store);
      const ids = found.map(({ id }) => id);
      return { all: found, short: io.tty && !io.json ? await shortIds(store, ids) : (id: string) => id };
    });
    if (io.json) return io.data(all.map(pendingJson));
    const now = Date.now();
    const rows = all.map(({ id, notification, question, ...sent }): Cell[] => [
      { text: notification === null ? '' : sinceWords(notification.createdAt, io.tty ? now : null), tone: 'dim' },
      { text: waitsFor(notification, question), tone: question === null ? 'plain' : 'notice' },
      notification?.title ?? titleOf(question),
      question === null ? (sent.unanswerable === null ? '' : 'only at its terminal') : answersTo(question).join(', '),
      ...sentTo(sent),
      { text: short(id), tone: 'dim' },
    ]);
    await printRows(io, COLUMNS, rows, 'nothing is waiting for you');
  });
};

const sinceWords = (at: number, now: number | null): string => (now === null ? clockTime(at) : ago(at, now));

/** The channels, and in one word whether they were reached. */
function sentTo(of: Pick<Pending, 'notified' | 'inDigest' | 'undelivered' | 'reach'>): Cell[] {
  const { notified, inDigest, undelivered, reach } = of;
  const reached = notified.map((name) => (inDigest.has(name) ? `${name} (in a digest)` : name));
  const missed = [...undelivered].map(([name, how]) => `${name} (${how})`);
  const tone = missed.length > 0 ? 'bad' : 'plain';
  return [
    { text: [...reached, ...missed].join(', ') || 'nobody yet', tone },
    { text: sentWord(reach), tone },
  ];
}

/** Questions first. Where a notification has several, each is named by its own id. */
async function readLines(store: StoreReader): Promise<readonly Pending[]> {
  const { notifications, questions: alone } = await readPending(store);
  const over = byNotification(
    notifications.length === 0 ? [] : await store.questions({ states: ['closed', 'answered'] }),
  );
  const lines = await Promise.all(
    notifications.map(async ({ notification, questions, ...sent }): Promise<readonly Pending[]> => {
      const [eventId] = notification.eventIds;
      const stored = eventId === undefined ? null : await store.event(eventId);
      const reach: Reach = eventId === undefined ? new Map() : await reachOf(store, eventId);
      const common = { ...sent, reach, notification, event: stored?.event ?? null };
      const last = over.get(notification.id)?.at(-1);
      const unanswerable = questions.length > 0 || last === undefined ? null : terminalOnly(last, Date.now());
      if (questions.length === 0) return [{ ...common, id: notification.id, question: null, unanswerable }];
      const isOne = questions.length === 1;
      return questions.map((question) => ({
        ...common,
        id: isOne ? notification.id : question.id,
        question,
        unanswerable,
      }));
    }),
  );
  const of = (question: Question): Pending => {
    const nobody = { notified: [], inDigest: new Set<string>(), undelivered: new Map(), reach: new Map() };
    return { id: question.id, notification: null, question, event: null, unanswerable: null, ...nobody };
  };
  const [asking, others] = [lines.flat().filter(isAsking), lines.flat().filter((line) => !isAsking(line))];
  return [...asking, ...alone.map(of), ...others];
}

const isAsking = ({ question }: Pending): boolean => question !== null;

function waitsFor(notification: Notification | null, question: Question | null): string {
  if (question !== null) return `${question.kind} until ${shortTime(question.deadline, Date.now())}`;
  if (notification === null) return '';
  const { kind, detail } = notification;
  const what = kind.slice(kind.indexOf('.') + 1); // "waiting", "finished"
  return detail === null ? what : `${what}: ${detail}`;
}

/** Of a question without a notification. */
function titleOf(question: Question | null): string {
  const shown = question === null ? null : subjectSchema.safeParse(question.subject);
  if (!shown?.success) return '';
  const { agent, tool, text } = shown.data;
  return [agent, tool, cutGraphemes(oneLine(text), LONGEST_TITLE)].filter((part) => part).join(': ');
}

/** Field names are stable. */
function pendingJson({ id, notification, event, question, unanswerable, ...sent }: Pending): unknown {
  const { notified, inDigest, undelivered } = sent;
  const { agent, sessionId, cwd } = (question && subjectSchema.safeParse(question.subject).data) ?? {};
  return {
    id: notification?.id ?? id,
    kind: notification?.kind ?? (question?.kind === 'text' ? 'agent.finished' : 'agent.waiting'),
    detail: notification?.detail ?? null,
    urgency: notification?.urgency ?? null,
    title: notification?.title ?? titleOf(question),
    state: notification?.state ?? null,
    since: iso(notification?.createdAt ?? null),
    event_id: notification?.eventIds[0] ?? null,
    events: notification?.eventIds ?? [],
    agent: event?.agent ?? agent ?? null,
    session_id: event?.sessionId ?? sessionId ?? null,
    project: event?.project ?? null,
    cwd: event?.cwd ?? cwd ?? null,
    notified,
    in_digest: [...inDigest],
    undelivered: [...undelivered.keys()],
    unanswerable,
    question:
      question === null
        ? null
        : {
            ...{ id: question.id, kind: question.kind, subject: question.subject },
            answers: answersTo(question),
            seen: seenOf(question),
            deadline: iso(question.deadline),
          },
  };
}
