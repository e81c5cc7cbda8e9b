// What waits for a person: open notifications with their questions, and questions without one.
import type { ApiResult } from '../../http/api/contract.ts';
import { call } from './access.ts';

type Notification = ApiResult<'notifications.list'>['notifications'][number];
type Question = ApiResult<'questions.list'>['questions'][number];

export interface Waiting {
  readonly notifications: readonly { readonly notification: Notification; readonly questions: readonly Question[] }[];
  readonly questions: readonly Question[];
}

/** Most that are shown at once. */
const MOST = 200;

export async function readWaiting(signal: AbortSignal): Promise<Waiting> {
  const [{ notifications }, { questions }] = await Promise.all([
    call('notifications.list', { limit: MOST }, signal),
    call('questions.list', { limit: MOST }, signal),
  ]);
  const shown = new Set(notifications.map(({ id }) => id));
  return {
    notifications: notifications
      .map((notification) => ({
        notification,
        questions: questions.filter(({ notification_id }) => notification_id === notification.id),
      }))
      .sort((a, b) => rankOf(a) - rankOf(b)),
    questions: questions.filter(({ notification_id }) => !shown.has(notification_id)),
  };
}

/** What holds an agent up comes first, then what is urgent; else the order of the interface stays. */
function rankOf({ notification: { kind, urgency }, questions }: Waiting['notifications'][number]): number {
  if (questions.length > 0) return 0;
  if (urgency === 'urgent') return 1;
  return kind === 'agent.waiting' ? 2 : 3;
}

/** How many things that is: a notification counts once, or each of its questions. */
export const countOf = ({ notifications, questions }: Waiting): number =>
  notifications.reduce((sum, one) => sum + Math.max(1, one.questions.length), questions.length);
