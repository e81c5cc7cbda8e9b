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
import { limitKeyOf, limitOf } from '../../../model/agent/limits.ts';
import { sessionKeyOf } from '../../../model/ids.ts';
import type { SessionRecord } from '../../../model/session/session.ts';
import { failureOf } from '../../../model/session/stopped.ts';
import { readGoOnPlans, readPlansOf } from '../../../store/go-on-plans.ts';
import { canFocus } from '../../../daemon/sessions/focus.ts';
import { type Reach, reachOf } from '../../reading/delivery-reach.ts';
import { numberThings } from '../../reading/pending-numbers.ts';

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
  /** The notification's first, or the failure that nobody was notified of; null: none, or not kept any more. */
  readonly event: Event | null;
  readonly reach: Reach;
  /** When Belfry lets its session go on, Unix ms; null: that is not planned. */
  readonly continuesAt: number | null;
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
      const event = stored?.event ?? null;
      const common = { ...sent, reach, notification, event, continuesAt: await continuesAt(store, event) };
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
  const of = async (question: Question): Promise<Unnumbered> => {
    const nobody = { notified: [], inDigest: new Set<string>(), undelivered: new Map(), reach: new Map() };
    const event = question.kind === 'text' ? await failureBefore(store, question) : null;
    return {
      id: question.id,
      notification: null,
      question,
      event,
      continuesAt: await continuesAt(store, event),
      unanswerable: null,
      ...nobody,
    };
  };
  const all = lines.flat();
  return [
    ...all.filter(({ question }) => question !== null),
    ...(await Promise.all(alone.map(of))),
    ...all.filter(({ question }) => question === null),
  ];
}

/** The failure that its session stopped with and that nobody was notified of; null: it has not failed. */
async function failureBefore(store: StoreReader, { sessionKey }: Question): Promise<Event | null> {
  const record = await store.session(sessionKeyOf(sessionKey));
  const id = record?.state === 'failed' ? failureOf(record) : null;
  return id === null ? null : ((await store.event(id))?.event ?? null);
}

/** Of a failure its session's; of a limit the soonest of those that it stopped. */
async function continuesAt(store: StoreReader, event: Event | null): Promise<number | null> {
  const plans = event === null ? [] : [...(await plansAfter(event, store)).values()];
  return plans.length === 0 ? null : Math.min(...plans);
}

async function plansAfter(event: Event, store: StoreReader): Promise<ReadonlyMap<string, number>> {
  const { id, kind, sessionId, agent, attributes } = event;
  if (kind === 'session.failed' && sessionId !== null)
    return readGoOnPlans(store, [{ session: { ...event, sessionId }, failure: id }]);
  if (kind !== 'limit.reached' && kind !== 'limit.reset') return new Map();
  const sessions = await store.sessions({ agent });
  const isStopped = (record: SessionRecord): boolean => {
    const limit = limitOf(record);
    return limit !== null && limitKeyOf(record, limit.name) === attributes['key'];
  };
  return readPlansOf(store, sessions.filter(isStopped));
}

/** Whether somebody has to answer at the terminal, since nothing carries an answer there. */
export function waitsAtTerminal({ notification, question }: PendingRow): boolean {
  const { kind, detail } = notification ?? {};
  return question === null && kind === 'agent.waiting' && (detail === 'permission' || detail === 'question');
}

/** Whether there is a way to the terminal of what waits there. `env`: of this process. */
export async function canFocusRow(row: PendingRow, store: StoreReader, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { event } = row;
  if (event === null || event.sessionId === null || !waitsAtTerminal(row)) return false;
  return canFocus({ ...event, sessionId: event.sessionId }, store, env);
}
