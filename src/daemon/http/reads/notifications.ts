// What waits for a person: open notifications with their questions.
import type { ApiCall, ApiResult } from '../../../http/api/contract.ts';
import { FIRST_REMINDER } from '../../../dispatch/escalation.ts';
import { sanitize } from '../../../lib/text/text.ts';
import type { Delivery, DeliveryState } from '../../../model/delivery/delivery.ts';
import type { Event } from '../../../model/event/event.ts';
import { pathKeyOf, sessionKeyText } from '../../../model/ids.ts';
import { happenedAt, type Notification } from '../../../model/notification/notification.ts';
import type { Question } from '../../../model/question/question.ts';
import { isReportedBy, reportsStopped } from '../../../model/session/stopped.ts';
import { answersOf } from '../../../model/question/allowed-answers.ts';
import { seenOf } from '../../../model/question/seen.ts';
import { reasonsOf } from '../../../pipeline/index.ts';
import {
  byNotification,
  channelsReached,
  type Pending,
  type PendingNotification,
  rankOf,
  readPending,
  sendsOf,
} from '../../../store/pending.ts';
import type { StoreReader } from '../../../store/contract.ts';
import { readGoOnPlans } from '../../../store/go-on-plans.ts';
import { takesInstruction } from '../../sessions/instructable.ts';
import { allStopped } from '../../sessions/stopped-sessions.ts';
import type { ReadContext } from './context.ts';

type Row = ApiResult<'notifications.list'>['notifications'][number];
type QuestionRow = ApiResult<'questions.list'>['questions'][number];

export async function listNotifications(
  context: ReadContext,
  { query }: ApiCall<'notifications.list'>,
): Promise<ApiResult<'notifications.list'>> {
  const { store } = context;
  const { state, limit } = query;
  const { notifications: waiting, questions, total } = state.includes('open') ? await readListed(store) : NONE;
  const states = state.filter((one) => one !== 'open');
  const others = states.length === 0 ? [] : await store.notifications({ states, limit });
  const listed = new Set(waiting.map(({ notification: { id } }) => id));
  const found = [
    ...waiting.map(({ notification }) => notification),
    ...others.toReversed().filter(({ id }) => !listed.has(id)),
  ];
  const known = new Map(waiting.map(({ notification: { id }, notified }) => [id, notified]));
  return {
    notifications: await notificationRows(context, found.slice(0, limit), known),
    questions: questions.slice(-limit).map(questionJson),
    total,
  };
}

/** What waits for a person, in the order in which it is listed. */
export interface Listed extends Pick<Pending, 'notifications' | 'questions'> {
  /** With those that no list has. */
  readonly total: number;
}

const NONE: Listed = { notifications: [], questions: [], total: 0 };

export async function readListed(store: StoreReader): Promise<Listed> {
  const { notifications, questions, beyond } = await readPending(store);
  return {
    notifications: [...notifications].sort(byRank),
    questions,
    total: notifications.length + questions.length + beyond,
  };
}

const byRank = (a: PendingNotification, b: PendingNotification): number =>
  rankOf(a) - rankOf(b) || b.notification.createdAt - a.notification.createdAt;

export async function listQuestions(
  { store }: ReadContext,
  { query }: ApiCall<'questions.list'>,
): Promise<ApiResult<'questions.list'>> {
  return { questions: (await store.questions({ states: query.state, limit: query.limit })).map(questionJson) };
}

/** As lists show it, with what its answer is to carry back; the nonce stays here. */
export function questionJson(question: Question): QuestionRow {
  const { id, notificationId, sessionKey, kind, state, subject, deadline, answeredBy, closed } = question;
  return {
    id,
    kind,
    state,
    closed,
    notification_id: notificationId,
    session_key: pathKeyOf(sessionKey),
    subject: typeof subject === 'object' && subject !== null ? { ...subject } : {},
    answers: [...answersOf(question)],
    seen: seenOf(question),
    deadline: new Date(deadline).toISOString(),
    answered_by: answeredBy,
  };
}

/** States of a delivery that is still to arrive. */
const UNSENT: ReadonlySet<DeliveryState> = new Set(['pending', 'leased', 'paused']);

/** With the session of their first event, their channels and their open questions. `reached`: channels that are known already. */
export async function notificationRows(
  { store, now }: ReadContext,
  found: readonly Notification[],
  reached: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<Row[]> {
  const firsts = found.flatMap(({ eventIds: [first] }) => first ?? []);
  const [progress, questions, events] = await Promise.all([
    store.deliveryProgress(found.map(({ id }) => id)),
    store.questions({ states: ['open'] }),
    store.eventsById(firsts),
  ]);
  const asked = byNotification(questions);
  const standing = await stoppedOf([...events.values()], questions, { store, now });
  const sends = sendsOf(progress);
  return Promise.all(
    found.map(async (notification) => {
      const event = events.get(notification.eventIds[0] ?? '') ?? null;
      const notified = reached.get(notification.id) ?? (await channelsReached(store, notification.id, sends)).notified;
      const unsent = progress.filter(
        ({ notificationId, operation, state }) =>
          notificationId === notification.id && operation === 'send' && UNSENT.has(state),
      );
      const waits = unsent.filter(({ state, due }) => state === 'pending' && due > now).map(({ due }) => due);
      return rowOf(notification, event, asked.get(notification.id) ?? [], {
        notified: [...notified],
        unsent: [...new Set(unsent.map(({ channel }) => channel))],
        due: waits.length === 0 ? null : at(Math.min(...waits)),
        next: nextSteps(unsent, now),
        stopped: event === null ? [] : standing(event),
      });
    }),
  );
}

/** The sessions that an event says have stopped, and that stand still yet; nothing is read where none of these is such an event. */
async function stoppedOf(
  events: readonly Event[],
  questions: readonly Question[],
  { store, now }: Pick<ReadContext, 'store' | 'now'>,
): Promise<(event: Event) => Row['stopped']> {
  if (!events.some(reportsStopped)) return () => [];
  const all = await allStopped(store, now);
  const plans = await readGoOnPlans(
    store,
    all.map(({ record, failed }) => ({ session: record, failure: failed.id })),
  );
  return (event) =>
    all
      .filter((one) => isReportedBy(one, event))
      .map(({ record, limit }) => {
        const key = sessionKeyText(record);
        const due = plans.get(key) ?? null;
        const resetsAt = limit?.resetsAt ?? null;
        return {
          key: pathKeyOf(key),
          continues_at: due === null ? null : at(due),
          resets_at: resetsAt === null ? null : at(resetsAt),
          takes_instruction: takesInstruction(key, questions) !== null,
        };
      });
}

/** Those of these sends that are planned for later, the soonest first. */
export function nextSteps(
  sends: readonly Pick<Delivery, 'channel' | 'step' | 'state' | 'due' | 'only' | 'heldBy'>[],
  now: number,
): Row['next'] {
  return sends
    .filter(({ state, due }) => state === 'pending' && due > now)
    .toSorted((a, b) => a.due - b.due)
    .map(({ channel, step, due, only, heldBy }) => ({
      channel,
      at: at(due),
      what: step === 0 ? 'first' : step < FIRST_REMINDER ? 'escalation' : 'reminder',
      only,
      held: heldBy !== null,
    }));
}

/** By {@link rankOf}. */
const GROUPS = ['blocking', 'blocking', 'failed', 'done'] as const;

/** Where a list of what waits has it. */
export const groupOf = (one: Parameters<typeof rankOf>[0]): Row['group'] => GROUPS[rankOf(one)] ?? 'done';

/** Longest text of a row, in graphemes. */
const MAX_TEXT = 4_000;

/** What was said besides the title: the error, the last words, what a tool is to do. */
function textOf(event: Event, title: string): string | null {
  const { presetText, attributes } = event;
  if (presetText !== null) return presetText.body || null;
  const words = attributes['last_assistant_message'];
  const said = reasonsOf(event, title);
  const all = typeof words === 'string' && !said.includes(words) ? [...said, words] : said;
  return sanitize(all.join('\n\n'), MAX_TEXT) || null;
}

const secondsOf = ({ attributes: { seconds } }: Event): number | null => (typeof seconds === 'number' ? seconds : null);

function rowOf(
  notification: Notification,
  event: Event | null,
  questions: readonly Question[],
  reached: Pick<Row, 'notified' | 'unsent' | 'due' | 'next' | 'stopped'>,
): Row {
  const [question] = questions;
  const { id, kind, detail, urgency, title, state, revision, createdAt, updatedAt, eventIds } = notification;
  const { acknowledged, resolved } = notification;
  const sessionId = event?.sessionId ?? null;
  return {
    id,
    kind,
    detail,
    urgency,
    group: groupOf({ notification, questions }),
    title,
    text: event === null ? null : textOf(event, title),
    state,
    revision,
    ...reached,
    since: at(createdAt),
    happened_at: at(happenedAt(notification, event)),
    updated_at: at(updatedAt),
    event_ids: [...eventIds],
    agent: event?.agent ?? null,
    session_id: sessionId,
    session_key: event === null || sessionId === null ? null : pathKeyOf(sessionKeyText({ ...event, sessionId })),
    project: event?.project ?? null,
    branch: event?.branch ?? null,
    cwd: event?.cwd ?? null,
    seconds: event === null ? null : secondsOf(event),
    acknowledged: acknowledged === null ? null : { ...acknowledged, at: at(acknowledged.at) },
    resolved: resolved === null ? null : { ...resolved, at: at(resolved.at) },
    question: question === undefined ? null : questionJson(question),
    questions: questions.map(questionJson),
  };
}

const at = (time: number): string => new Date(time).toISOString();
