// A question that is put again, to a daemon that has started since or lost its session: it belongs to the notification of before.
import { endingOf } from '../../model/question/endings.ts';
import { sessionKeyText } from '../../model/ids.ts';
import type { Store } from '../../store/contract.ts';
import type { Asked } from './asker.ts';

/** Questions that are over, the latest, that are looked through. */
const RECENT = 200;

/** The notification's id; null: this was not asked before, or was settled, so that the same input is a new question. */
export async function askedBefore(
  store: Pick<Store, 'questions'>,
  { session, digest }: Pick<Asked, 'session' | 'digest'>,
): Promise<string | null> {
  const key = sessionKeyText(session);
  const over = await store.questions({ states: ['closed', 'answered'], limit: RECENT });
  const last = over.findLast((one) => one.sessionKey === key && one.inputHash === digest);
  const how = endingOf(last?.closed)?.how;
  return last !== undefined && (how === 'lost' || how === 'unconfirmed') ? last.notificationId : null;
}
