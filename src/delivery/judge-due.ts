// What may have changed by the time a send is due: whether its person is there, and whether it is quiet or muted now.
import type { LeasedDelivery } from '../model/delivery.ts';
import { WAITS } from '../model/holds.ts';
import type { DeliveryDeps } from './deps.ts';
import { dependsOnPresence, judgePresence } from './judge-presence.ts';
import type { OutcomeRecorder } from './record-outcome.ts';

/** Whether it goes out; `note`: why, for people. */
export type Due = { readonly goesOut: true; readonly note: string | null } | { readonly goesOut: false };

const HELD_BACK: Due = { goesOut: false };

/** What does not go out now is put off, or done. */
export async function judgeDue(
  delivery: LeasedDelivery,
  recorder: Pick<OutcomeRecorder, 'postpone' | 'drop'>,
  { judge, clock }: Pick<DeliveryDeps, 'judge' | 'clock'>,
): Promise<Due> {
  if (judge === undefined || delivery.operation !== 'send') return { goesOut: true, note: null };
  const hold = await judge.hold(delivery);
  if (hold !== null) {
    const { until: due, ...to } = hold;
    await recorder.postpone(delivery, { due, ...to, shiftLater: 0 });
    await judge.held(hold);
    return HELD_BACK;
  }
  if (!dependsOnPresence(delivery)) return { goesOut: true, note: null };
  const presence = await judge.presence(delivery.content.event, delivery.only);
  const now = clock.now();
  const judged = judgePresence(delivery, presence, now);
  const { note } = judged;
  if (judged.verdict === 'send') return { goesOut: true, note };
  if (judged.verdict === 'seen') {
    await judge.seen(delivery, note);
    await recorder.drop(delivery, 'cancelled', `seen: ${note}`);
    return HELD_BACK;
  }
  const waits = { due: judged.until, heldBy: null, timer: null, shiftLater: judged.until - now };
  await recorder.postpone(delivery, { ...waits, note: `${WAITS}${note}` });
  return HELD_BACK;
}
