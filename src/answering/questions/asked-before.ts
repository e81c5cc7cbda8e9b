// A question that a client puts again, to a daemon that has started since or lost its session: it belongs to the notification of before.
import { STOPPED } from '../../ipc/ask.ts';
import { sessionKeyText } from '../../model/ids.ts';
import { UNCONFIRMED } from '../../model/terminal-only.ts';
import type { Store } from '../../store/contract.ts';
import { RESTARTED, SESSION_GONE } from '../messages/answered-words.ts';
import type { Answerable } from './wait.ts';

/** Questions that are over, the latest, that are looked through. */
const RECENT = 200;

/** What was settled in any other way is over: the same input is a new question then. */
const UNSETTLED: readonly unknown[] = [STOPPED, RESTARTED, SESSION_GONE, UNCONFIRMED];

/** The notification's id; null: this was not asked before, or was settled. */
export async function askedBefore(
  store: Pick<Store, 'questions'>,
  { session, digest }: Pick<Answerable, 'session' | 'digest'>,
): Promise<string | null> {
  const key = sessionKeyText(session);
  const over = await store.questions({ states: ['closed', 'answered'], limit: RECENT });
  const last = over.findLast((one) => one.sessionKey === key && one.inputHash === digest);
  return last !== undefined && UNSETTLED.includes(last.closed) ? last.notificationId : null;
}
