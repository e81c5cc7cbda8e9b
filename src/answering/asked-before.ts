// A question that code inside a client puts again, to a daemon that has started since: it belongs to the notification of before.
import { STOPPED } from '../ipc/ask.ts';
import { sessionKeyText } from '../model/ids.ts';
import type { Store } from '../store/contract.ts';
import { RESTARTED } from './answered-words.ts';
import type { Asked } from './wait.ts';

/** Questions that are over, the latest, that are looked through. */
const RECENT = 200;

/** What was settled in any other way is over: the same input is a new question then. */
const BY_DAEMON: readonly unknown[] = [STOPPED, RESTARTED];

/** The notification's id; null: no daemon left it open. */
export async function askedBefore(
  store: Pick<Store, 'questions'>,
  { answering, session, digest }: Asked,
): Promise<string | null> {
  if (answering.inside === undefined) return null;
  const key = sessionKeyText(session);
  const over = await store.questions({ states: ['closed', 'answered'], limit: RECENT });
  const last = over.findLast((one) => one.sessionKey === key && one.inputHash === digest);
  return last !== undefined && BY_DAEMON.includes(last.closed) ? last.notificationId : null;
}
