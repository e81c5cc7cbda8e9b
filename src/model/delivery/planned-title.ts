// The title of a later message before it is sent: what it will say has not happened yet.
import { dayTime } from '../time/clock-time.ts';
import type { DeliveryState } from './delivery.ts';

/** How the title of an escalation or a reminder ends, as src/dispatch/escalation.ts writes it. */
const NOTE = / \(not acknowledged for [^()]{1,40}\)$/;

/** What of a delivery its title depends on; times in Unix ms. */
interface Titled {
  readonly title: string;
  readonly state: DeliveryState;
  readonly due: number;
  readonly updatedAt: number;
}

/** "payments: finished (if nobody acknowledges it by 14:20)"; without that where it was taken back before, and as it was sent otherwise. `now`: Unix ms. */
export function plannedTitle({ title, state, due, updatedAt }: Titled, now: number): string {
  if (state === 'cancelled' && updatedAt < due) return title.replace(NOTE, '');
  if (due <= now || (state !== 'pending' && state !== 'paused')) return title;
  return title.replace(NOTE, () => ` (if nobody acknowledges it by ${dayTime(due, now)})`);
}
