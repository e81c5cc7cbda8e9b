// What the client may yet decide by itself, or explain, is sent only when it has not.
import type { Incoming } from '../../model/event/incoming.ts';
import type { PlannedDelivery } from '../../model/delivery/planned-delivery.ts';
import { addVerdict, type PipelineState, type Stage } from '../pipeline-state.ts';

/** When that is settled. An input of a clock that was ahead waits no longer for that. */
export function settlesOf(incoming: Incoming, now: number): PipelineState['settles'] {
  const ms = incoming.type === 'hook' ? incoming.parsed.settlesWithinMs : null;
  return ms === null ? null : { at: Math.min(incoming.receivedAt, now) + ms, ms };
}

/** Moves the sends to when it is settled; whatever resolves the notification before takes them back, also from records: nobody was asked. */
export const settle: Stage = (state) => {
  const { settles, plan } = state;
  if (settles === null || plan.length === 0) return state;
  const later = plan.map(
    (planned): PlannedDelivery => ({
      ...planned,
      due: Math.max(planned.due, settles.at),
      unless: planned.unless === 'none' ? 'resolved' : planned.unless,
    }),
  );
  const note = `sent in ${settles.ms / 1_000} s, unless something before then makes it moot`;
  return addVerdict({ ...state, plan: later }, 'settle', 'change', note);
};
