// One thing that waits for a person: a question with its notification, or a notification that asks nothing.
import type { ApiResult } from '../../http/api/contract.ts';

export type Notification = ApiResult<'notifications.list'>['notifications'][number];
export type Question = ApiResult<'questions.list'>['questions'][number];
export type Group = Notification['group'];

export interface WaitingItem {
  /** The same for as long as it waits: of its question, else of its notification. */
  readonly key: string;
  readonly question: Question | null;
  readonly notification: Notification | null;
}

/** What it is in a list: whatever asks something holds an agent up. */
export const groupOf = ({ question, notification }: WaitingItem): Group =>
  question === null ? (notification?.group ?? 'done') : 'blocking';
