// A question that code inside a client puts again, to a daemon that has started since: it belongs to the notification of before.
import { sessionKeyText } from '../model/ids.ts';
import type { Store } from '../store/contract.ts';
import type { Asked } from './wait.ts';

/** Closed questions, the latest, that are looked through. */
const RECENT = 200;

/** The notification's id; null: it was not asked before. */
export async function askedBefore(
  store: Pick<Store, 'questions'>,
  { answering, session, digest }: Asked,
): Promise<string | null> {
  if (answering.inside === undefined) return null;
  const key = sessionKeyText(session);
  const closed = await store.questions({ states: ['closed'], limit: RECENT });
  return closed.findLast((one) => one.sessionKey === key && one.inputHash === digest)?.notificationId ?? null;
}
