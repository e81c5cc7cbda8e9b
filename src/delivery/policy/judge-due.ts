// What may have changed by the time a send is due: the gate is asked, and what does not go out now is put off, or done.
import type { ClaimedDelivery } from '../../store/contract.ts';
import { LONGEST_HOLD } from '../../model/delivery/holds.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { OutcomeRecorder } from './record-outcome.ts';

/** Whether it goes out; `note`: why, for people. */
export type Due = { readonly goesOut: true; readonly note: string | null } | { readonly goesOut: false };

const HELD_BACK: Due = { goesOut: false };

/** What does not go out now is put off, or done. */
export async function judgeDue(
  delivery: ClaimedDelivery,
  recorder: Pick<OutcomeRecorder, 'postpone' | 'drop'>,
  { judge, clock }: Pick<DeliveryDeps, 'judge' | 'clock'>,
): Promise<Due> {
  if (judge === undefined || delivery.operation !== 'send') return { goesOut: true, note: null };
  const asked = await judge.ask(delivery);
  const { note } = asked;
  switch (asked.verdict) {
    case 'go':
      return { goesOut: true, note };
    case 'hold': {
      const due = asked.until ?? clock.now() + LONGEST_HOLD;
      const timer = judge.timerOf(asked.by, due);
      await recorder.postpone(delivery, { due, heldBy: asked.by, timer, note: asked.note, shiftLater: 0 });
      await judge.held(asked.by);
      return HELD_BACK;
    }
    case 'wait': {
      const shiftLater = asked.leaves ? asked.until - clock.now() : 0;
      await recorder.postpone(delivery, { due: asked.until, heldBy: null, timer: null, note: asked.note, shiftLater });
      return HELD_BACK;
    }
    case 'seen':
      await judge.seen(delivery, asked.note);
      await recorder.drop(delivery, 'cancelled', `seen: ${asked.note}`);
      return HELD_BACK;
  }
}
