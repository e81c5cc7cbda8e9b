// What waits for a person, by id: read once, then kept by the rows that the stream brings. Every list of it is a view.
import { batch, computed, effect, signal } from '@preact/signals';
import type { ApiResult, StreamRows } from '../../http/api/contract.ts';
import { access, call } from '../api/access.ts';
import { problemText } from '../api/live.ts';
import { watchRows } from '../api/stream.ts';
import { RowTable } from './row-table.ts';
import { groupOf, type Notification, type Question, type WaitingItem } from './waiting-item.ts';

type Rows = NonNullable<StreamRows>;

/** Most notifications that are listed; those that matter least are left out. */
const MAX_LISTED = 200;

const notifications = new RowTable<Notification>(({ id }) => id);
const questions = new RowTable<Question>(({ id }) => id);
/** Ids of the notifications that are listed: others are over, or stand in the group that they are in. */
const listed = signal<ReadonlySet<string>>(new Set());
/** How many are open in all; null: not read yet. */
const total = signal<number | null>(null);

/** Why it could not be read; null: it could. */
export const waitingProblem = signal<string | null>(null);
/** Whether it was read. */
export const isWaitingRead = computed(() => total.value !== null);

/** What was settled in this tab, in words, by the id of its question and notification: it waits no more, before the stream says so. */
const settledHere = signal<ReadonlyMap<string, string>>(new Map());

const openQuestions = computed(() =>
  questions.all.value.filter(({ state, id }) => state === 'open' && !settledHere.value.has(id)),
);
const listedRows = computed(() => notifications.all.value.filter(({ id }) => listed.value.has(id)));

/** Each question, with its notification where that is known, and the notifications that ask nothing; the oldest first. */
export const waiting = computed(() => itemsOf(listedRows.value, openQuestions.value));

/** How many open ones are not listed. */
export const beyond = computed(() => {
  const alone = openQuestions.value.filter((one) => !listed.value.has(one.notification_id));
  return Math.max(0, (total.value ?? 0) - listed.value.size - alone.length);
});

/** How many hold an agent up. */
export const blocking = computed(() => waiting.value.filter((item) => groupOf(item) === 'blocking').length);

/** As they were, so that what did not change is the same object and is not drawn again. */
let before: ReadonlyMap<string, WaitingItem> = new Map();

function itemsOf(open: readonly Notification[], asked: readonly Question[]): readonly WaitingItem[] {
  const known = new Map(open.map((one) => [one.id, one]));
  const asking = new Set(asked.map(({ notification_id }) => notification_id));
  const items: WaitingItem[] = [
    ...asked.map((question) => ({
      key: question.id,
      question,
      notification: known.get(question.notification_id) ?? null,
    })),
    ...open
      .filter(({ id }) => !asking.has(id) && !settledHere.value.has(id))
      .map((notification) => ({ key: notification.id, question: null, notification })),
  ];
  const since = ({ notification }: WaitingItem): string => notification?.happened_at ?? '';
  const sorted = items
    .map((item) => {
      const old = before.get(item.key);
      return old?.question === item.question && old.notification === item.notification ? old : item;
    })
    .sort((a, b) => since(a).localeCompare(since(b)));
  before = new Map(sorted.map((item) => [item.key, item]));
  return sorted;
}

/** Ms after which something that was settled here shows again if it still waits. */
const TRUSTED = 10_000;

/** Notes that something was settled here. `ids`: of its question and its notification. */
export function noteSettled(ids: readonly string[], words: string): void {
  settledHere.value = new Map([...settledHere.value, ...ids.map((id) => [id, words] as const)]);
  setTimeout(() => {
    settledHere.value = new Map([...settledHere.value].filter(([id]) => !ids.includes(id)));
  }, TRUSTED);
}

/** Puts what a question asks now, as a refusal of its answer says it. */
export const putQuestion = (question: Question): void => questions.put([question]);

/** Puts what is to come of a notification now, before the stream says so. */
export function putNext(id: string, next: Notification['next']): void {
  const row = notifications.get(id);
  if (row !== undefined) notifications.put([{ ...row, next }]);
}

/** How something was settled, in words; null: nobody has said yet. */
export function endingOf({ key, question, notification }: WaitingItem): string | null {
  const asked = question === null ? undefined : questions.get(question.id);
  if (asked !== undefined && asked.closed !== null) return `Over: ${asked.closed}`;
  const own = settledHere.value.get(key);
  if (own !== undefined) return own;
  if (asked !== undefined && asked.answered_by !== null) return `Answered by ${asked.answered_by}`;
  const row = notification === null ? undefined : notifications.get(notification.id);
  if (row === undefined) return null;
  if (row.resolved !== null) return `Over: ${row.resolved.why}`;
  return row.acknowledged === null ? null : `Acknowledged by ${row.acknowledged.by} (${row.acknowledged.via})`;
}

/** Rows that came while the list was read, which are newer than what is read; null: it is not being read. */
let meanwhile: Rows[] | null = null;
let isAskedAgain = false;

/** Reads the list. One read at a time. */
export async function readWaiting(): Promise<void> {
  if (meanwhile !== null) {
    isAskedAgain = true;
    return;
  }
  const came: Rows[] = [];
  meanwhile = came;
  try {
    const read = await call('notifications.list', { limit: MAX_LISTED });
    batch(() => takeAll(read));
    waitingProblem.value = null;
    batch(() => {
      for (const rows of came) apply(rows);
    });
  } catch (error) {
    waitingProblem.value = problemText(error);
  }
  meanwhile = null;
  if (!isAskedAgain) return;
  isAskedAgain = false;
  await readWaiting();
}

/** Everything changes at once: half of it would be another order. */
function takeAll({ notifications: rows, questions: alone, total: count }: ApiResult<'notifications.list'>): void {
  const asked = [...alone, ...rows.flatMap((one) => one.questions)];
  notifications.put(rows);
  questions.put(asked);
  closeOthers(asked);
  listed.value = new Set(rows.map(({ id }) => id));
  total.value = count;
  keepEnded();
}

/** Questions that a whole list does not have are over; how they ended was missed. */
function closeOthers(open: readonly Question[]): void {
  const ids = new Set(open.map(({ id }) => id));
  questions.put(
    questions.all
      .peek()
      .filter(({ id, state }) => state === 'open' && !ids.has(id))
      .map((one) => ({ ...one, state: 'closed' as const })),
  );
}

function apply({ waiting: change }: Rows): void {
  if (change === null) return;
  notifications.put(change.notifications);
  // Those that are over come by themselves, after those that the notifications have.
  questions.put([...change.notifications.flatMap((one) => one.questions), ...change.questions]);
  const gone = new Set(change.gone);
  const added = change.notifications.filter(({ id }) => !gone.has(id));
  listed.value = new Set([...[...listed.value].filter((id) => !gone.has(id)), ...added.map(({ id }) => id)]);
  total.value = change.total;
  keepEnded();
}

/** Rows of what is over that are kept, for how it ended. */
const MAX_ENDED = 300;

function keepEnded(): void {
  const over = notifications.all.peek().filter(({ id }) => !listed.value.has(id));
  for (const { id } of over.slice(0, -MAX_ENDED)) notifications.remove(id);
  const answered = questions.all.peek().filter(({ state }) => state !== 'open');
  for (const { id } of answered.slice(0, -MAX_ENDED)) questions.remove(id);
}

watchRows((rows) => {
  if (rows === 'everything') return void readWaiting();
  meanwhile?.push(rows);
  batch(() => apply(rows));
});

// At once; what changes until the stream is open is read with that.
effect(() => {
  if (access.value === 'in') void readWaiting();
});
