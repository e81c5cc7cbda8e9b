// What waits for a person: open notifications with their questions, and questions without one.
import type { ApiResult } from '../../http/api/contract.ts';
import { call } from './access.ts';

type Notification = ApiResult<'notifications.list'>['notifications'][number];
type Question = ApiResult<'questions.list'>['questions'][number];

export interface Waiting {
  readonly notifications: readonly { readonly notification: Notification; readonly question: Question | null }[];
  readonly questions: readonly Question[];
}

/** Most that are shown at once. */
const MOST = 200;

export async function readWaiting(signal: AbortSignal): Promise<Waiting> {
  const [{ notifications }, { questions }] = await Promise.all([
    call('notifications.list', { limit: MOST }, signal),
    call('questions.list', { limit: MOST }, signal),
  ]);
  const open = new Map(questions.map((question) => [question.notification_id, question]));
  const shown = new Set(notifications.map(({ id }) => id));
  return {
    notifications: notifications
      .map((notification) => ({ notification, question: open.get(notification.id) ?? null }))
      .sort((a, b) => rankOf(a) - rankOf(b)),
    questions: questions.filter(({ notification_id }) => !shown.has(notification_id)),
  };
}

/** What holds an agent up comes first, then what is urgent; else the order of the interface stays. */
function rankOf({ notification: { kind, urgency }, question }: Waiting['notifications'][number]): number {
  if (question !== null) return 0;
  if (urgency === 'urgent') return 1;
  return kind === 'agent.waiting' ? 2 : 3;
}

/** How many things that is. */
export const countOf = ({ notifications, questions }: Waiting): number => notifications.length + questions.length;
