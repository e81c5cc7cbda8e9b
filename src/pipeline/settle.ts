// Stage 8: what the client may yet decide by itself, or explain, is sent only when it has not.
import type { PlannedDelivery } from '../model/planned-delivery.ts';
import { addVerdict, type Stage } from './pipeline-state.ts';

/** Moves the sends to when it is settled; whatever resolves the notification before takes them back, also from records: nobody was asked. */
export const settle: Stage = (state, { now }) => {
  const { incoming, plan } = state;
  const ms = incoming.type === 'hook' ? incoming.parsed.settlesWithinMs : null;
  if (ms === null || plan.length === 0) return state;
  // An input of a clock that was ahead waits no longer for that.
  const settled = Math.min(incoming.receivedAt, now) + ms;
  const later = plan.map(
    (planned): PlannedDelivery => ({
      ...planned,
      due: Math.max(planned.due, settled),
      unless: planned.unless === 'none' ? 'resolved' : planned.unless,
    }),
  );
  const note = `sent in ${ms / 1_000} s, unless something before then makes it moot`;
  return addVerdict({ ...state, plan: later }, 'settle', 'change', note);
};
