// What has changed, as rows: what a follower of the stream draws without asking again.
import type { StreamRows } from '../../../http/api/contract.ts';
import { sessionKeyOf } from '../../../model/ids.ts';
import { effectiveState } from '../../../model/session/effective-state.ts';
import type { Change } from '../../../store/contract.ts';
import type { ReadContext } from './context.ts';
import { deliveryRow } from './deliveries.ts';
import { summaries } from './events.ts';
import { notificationRows, questionJson, readListed } from './notifications.ts';
import { sessionRows } from './sessions.ts';

export interface ChangedRowsCall {
  readonly changes: readonly Pick<Change, 'type' | 'id'>[];
  /** Ids of the notifications and questions that the follower has listed; null: it has just read them. */
  readonly listed: readonly string[] | null;
}

export interface ChangedRows {
  /** What the follower has listed from now on. */
  readonly listed: readonly string[];
  readonly rows: NonNullable<StreamRows>;
}

/** Notifications that a follower lists, as many as the page asks for at first. */
export const MAX_LISTED = 200;

/** Changes of these may move what waits. */
const WAITING: ReadonlySet<Change['type']> = new Set(['notification', 'question', 'delivery']);

type Waiting = NonNullable<NonNullable<StreamRows>['waiting']>;

export async function changedRows(context: ReadContext, { changes, listed }: ChangedRowsCall): Promise<ChangedRows> {
  const { store, now, displayName } = context;
  const ids = (type: Change['type']): string[] => [
    ...new Set(changes.filter((change) => change.type === type).map(({ id }) => id)),
  ];
  const [events, sessions, deliveries] = await Promise.all([
    Promise.all(ids('event').map((id) => store.event(id))),
    Promise.all(ids('session').map((id) => store.session(sessionKeyOf(id)))),
    ids('delivery').length === 0 ? [] : store.deliveries({ ids: ids('delivery') }),
  ]);
  const touched = new Set([...ids('notification'), ...deliveries.map(({ notificationId }) => notificationId)]);
  const waits = listed === null || changes.some(({ type }) => WAITING.has(type));
  const found = waits ? await changedWaiting(context, { touched, asked: ids('question'), listed }) : null;
  return {
    listed: found?.listed ?? listed ?? [],
    rows: {
      events: summaries(
        events.filter((one) => one !== null),
        displayName,
      ),
      sessions: await sessionRows(
        context,
        sessions.filter((one) => one !== null).map((record) => effectiveState(record, now)),
      ),
      deliveries: deliveries.map(deliveryRow),
      waiting: found?.waiting ?? null,
    },
  };
}

interface Touched {
  /** Ids of notifications that changed, or a delivery of which did. */
  readonly touched: ReadonlySet<string>;
  /** Ids of questions that changed. */
  readonly asked: readonly string[];
  readonly listed: readonly string[] | null;
}

/** What is listed now, with the rows of what changed or is not in the list any more: how it ended is in them. */
async function changedWaiting(
  context: ReadContext,
  { touched, asked, listed }: Touched,
): Promise<{ readonly listed: readonly string[]; readonly waiting: Waiting }> {
  const { store } = context;
  const { notifications, questions, total } = await readListed(store);
  const shown = notifications.slice(0, MAX_LISTED);
  const alone = questions.slice(-MAX_LISTED);
  const current = [...shown.map(({ notification: { id } }) => id), ...alone.map(({ id }) => id)];
  const before = new Set(listed ?? current);
  const now = new Set(current);
  const gone = [...before].filter((id) => !now.has(id));
  const changed = await Promise.all(asked.map((id) => store.question(id)));
  const rewritten = new Set([...touched, ...changed.flatMap((one) => one?.notificationId ?? [])]);
  const open = shown.filter(({ notification: { id } }) => rewritten.has(id) || !before.has(id));
  const ended = gone.length === 0 ? [] : await store.notifications({ ids: gone });
  const reached = new Map(open.map(({ notification: { id }, notified }) => [id, notified]));
  const rows = [...open.map(({ notification }) => notification), ...ended];
  const added = alone.filter(({ id }) => !before.has(id) && !asked.includes(id));
  return {
    listed: current,
    waiting: {
      notifications: await notificationRows(context, rows, reached),
      questions: [...changed.filter((one) => one !== null), ...added].map(questionJson),
      gone,
      total,
    },
  };
}
