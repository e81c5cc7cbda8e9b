// What waits for a person, one row a thing: each open question, and each notification that nobody has dealt with.
import { type QuestionSubject, subjectSchema } from '../../../model/question/answering.ts';
import type { Event } from '../../../model/event/event.ts';
import type { Notification } from '../../../model/notification/notification.ts';
import type { Question } from '../../../model/question/question.ts';
import { seenOf } from '../../../model/question/seen.ts';
import { terminalOnly } from '../../../model/question/terminal-only.ts';
import type { Paths } from '../../../runtime/paths.ts';
import type { StoreReader } from '../../../store/contract.ts';
import { byNotification, type PendingNotification, readPending } from '../../../store/pending.ts';
import { type Reach, reachOf } from '../../reading/delivery-reach.ts';
import { numberThings } from './numbers.ts';

/** One row: a notification, with its question where it has one; or a question. */
export interface PendingRow extends Pick<PendingNotification, 'notified' | 'inDigest' | 'undelivered'> {
  /** What commands take besides its number; null: it could not be kept. */
  readonly id: string;
  readonly number: number | null;
  readonly notification: Notification | null;
  readonly question: Question | null;
  /** What the question shows; null: there is none, or it cannot be read. */
  readonly subject: QuestionSubject | null;
  /** The value of what is shown of the question. */
  readonly seen: string | null;
  /** The notification's first; null: none, or not kept any more. */
  readonly event: Event | null;
  readonly reach: Reach;
  /** Why nobody can answer it from elsewhere, where that was wanted. */
  readonly unanswerable: string | null;
}

type Unnumbered = Omit<PendingRow, 'number' | 'subject' | 'seen'>;

/** Questions first, then the rest, oldest first. Where a notification has several questions, each is named by its own id. */
export async function readRows(store: StoreReader, paths: Pick<Paths, 'state'>): Promise<readonly PendingRow[]> {
  const rows = await readUnnumbered(store);
  const shown = rows.map((row) => ({
    ...row,
    subject: row.question && (subjectSchema.safeParse(row.question.subject).data ?? null),
    seen: row.question && seenOf(row.question),
  }));
  const things = shown.map(({ id, question, seen }) => ({ id: question?.id ?? id, seen }));
  const numbers = await numberThings(paths, things);
  return shown.map((row, at) => ({ ...row, number: numbers[at] ?? null }));
}

async function readUnnumbered(store: StoreReader): Promise<readonly Unnumbered[]> {
  const { notifications, questions: alone } = await readPending(store);
  const over = byNotification(
    notifications.length === 0 ? [] : await store.questions({ states: ['closed', 'answered'] }),
  );
  const lines = await Promise.all(
    notifications.map(async ({ notification, questions, ...sent }): Promise<readonly Unnumbered[]> => {
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
  const of = (question: Question): Unnumbered => {
    const nobody = { notified: [], inDigest: new Set<string>(), undelivered: new Map(), reach: new Map() };
    return { id: question.id, notification: null, question, event: null, unanswerable: null, ...nobody };
  };
  const all = lines.flat();
  return [
    ...all.filter(({ question }) => question !== null),
    ...alone.map(of),
    ...all.filter(({ question }) => question === null),
  ];
}

/** Whether somebody has to answer at the terminal, since nothing carries an answer there. */
export function waitsAtTerminal({ notification, question }: PendingRow): boolean {
  const { kind, detail } = notification ?? {};
  return question === null && kind === 'agent.waiting' && (detail === 'permission' || detail === 'question');
}
