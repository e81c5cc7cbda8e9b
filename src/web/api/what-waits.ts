// What waits for a person, each thing once: a question with its notification, or a notification that asks nothing here.
import type { ApiResult } from '../../http/api/contract.ts';
import { call } from './access.ts';

export type Notification = ApiResult<'notifications.list'>['notifications'][number];
export type Question = ApiResult<'questions.list'>['questions'][number];

export interface WaitingItem {
  /** The same for as long as it waits: of its question, else of its notification. */
  readonly key: string;
  readonly question: Question | null;
  readonly notification: Notification | null;
}

export interface Waiting {
  /** Oldest first. */
  readonly items: readonly WaitingItem[];
  /** How many notifications are open in all; more than are listed where the list is cut. */
  readonly total: number;
  /** How many of them are listed. */
  readonly listed: number;
}

/** Most notifications that are shown at once; the interface leaves out those that matter least. */
const MAX_SHOWN = 200;

export async function readWaiting(signal: AbortSignal): Promise<Waiting> {
  const { notifications, questions, total } = await call('notifications.list', { limit: MAX_SHOWN }, signal);
  const asked = notifications.flatMap((one) => one.questions);
  return {
    items: itemsOf(notifications, [...questions, ...asked]),
    total,
    listed: notifications.length + questions.length,
  };
}

/** Each question, with its notification where that is known; and the notifications that ask nothing. */
export function itemsOf(
  notifications: readonly Notification[],
  questions: readonly Question[],
): readonly WaitingItem[] {
  const known = new Map(notifications.map((one) => [one.id, one]));
  const asking = new Set(questions.map(({ notification_id }) => notification_id));
  const asked = questions.map((question) => ({
    key: question.id,
    question,
    notification: known.get(question.notification_id) ?? null,
  }));
  const plain = notifications
    .filter(({ id }) => !asking.has(id))
    .map((notification) => ({ key: notification.id, question: null, notification }));
  const since = ({ notification }: WaitingItem): string => notification?.since ?? '';
  return [...asked, ...plain].sort((a, b) => since(a).localeCompare(since(b)));
}

/** Whether an agent is held up by it. */
export const holdsUp = ({ question, notification }: WaitingItem): boolean =>
  question !== null || notification?.kind === 'agent.waiting';

/** Kinds of notifications that only say that an agent is done. */
export const FINISHED = ['agent.finished', 'subagent.finished'] as const satisfies readonly Notification['kind'][];

/** Whether it only says that an agent is done. */
export const isFinished = ({ question, notification }: WaitingItem): boolean =>
  question === null && FINISHED.some((kind) => kind === notification?.kind);

/** How each of these was settled, in words, by its key; what is not among the latest is left out. */
export async function readEndings(items: readonly WaitingItem[]): Promise<ReadonlyMap<string, string>> {
  const [{ questions }, { notifications }] = await Promise.all([
    items.some(({ question }) => question !== null)
      ? call('questions.list', { state: 'answered,closed', limit: MAX_SHOWN })
      : { questions: [] },
    items.some(({ question }) => question === null)
      ? call('notifications.list', { state: 'acknowledged,resolved,expired', limit: MAX_SHOWN })
      : { notifications: [] },
  ]);
  const keys = new Set(items.map(({ key }) => key));
  const endings = [
    ...questions.map((one) => [one.id, endOfQuestion(one)] as const),
    ...notifications.map((one) => [one.id, endOfNotification(one)] as const),
  ];
  return new Map(endings.filter(([key]) => keys.has(key)));
}

const endOfQuestion = ({ answered_by, closed }: Question): string =>
  answered_by === null ? `Over: ${closed ?? 'nobody waits for it any more'}` : `Answered by ${answered_by}`;

const endOfNotification = ({ acknowledged, resolved }: Notification): string => {
  if (resolved !== null) return `Over: ${resolved.why}`;
  return acknowledged === null ? 'Over' : `Acknowledged by ${acknowledged.by} (${acknowledged.via})`;
};
