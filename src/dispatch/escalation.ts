// Escalation: what is sent later unless somebody has acknowledged, answered or resolved it. Reminders are planned in `remind.ts`.
import type { Escalation } from '../model/settings/routes.ts';
import type { Only, PlannedDelivery } from '../model/delivery/delivery.ts';
import type { NotificationContent } from '../model/notification/notification.ts';
import { formatElapsed } from '../model/quantities.ts';
import { sanitizeLine } from '../lib/text/text.ts';

/** Reminders are numbered from here, so that a step added to the settings never gets the number of a reminder. */
export const FIRST_REMINDER = 100;
/** Longest title, in graphemes. */
const TITLE = 150;

/** What the first send decides for what follows it. */
export interface FirstSend {
  /** When it is due, Unix ms: `after` and `repeat` count from it. */
  readonly due: number;
  readonly revision: number;
  readonly only: Only;
}

/** What every later step has of the first send. */
export const later = ({ revision, only }: FirstSend) =>
  ({ operation: 'send', revision, unless: 'acknowledged', only }) as const;

/** "not acknowledged for 2 min". `ms`: since the first send. */
export function unacknowledgedFor(ms: number): string {
  return `not acknowledged for ${formatElapsed(ms / 1_000) ?? '1 s'}`;
}

/** The steps of the routes that matched, in order of time: step 1, 2, ... One channel is sent to once a step. */
export function planEscalation(escalate: readonly Escalation[], first: FirstSend): readonly PlannedDelivery[] {
  const times = [...new Set(escalate.map(({ after }) => after))].sort((a, b) => a - b);
  return times.flatMap((after, i) => {
    const channels = new Set(escalate.filter((step) => step.after === after).flatMap(({ to }) => to));
    const step = { ...later(first), step: i + 1, due: first.due + after, after, reason: unacknowledgedFor(after) };
    return [...channels].map((channel) => ({ channel, ...step }));
  });
}

/** The content of a later step: its title says for how long nobody has acknowledged it. `ms`: since the first send, `after`: as it was planned. */
export function laterContent(content: NotificationContent, ms: number, after = ms): NotificationContent {
  const note = ` (${unacknowledgedFor(ms)})`;
  return { ...content, title: `${sanitizeLine(content.title, TITLE - note.length)}${note}`, after };
}

/** A later step that comes `ms` later than it was planned: it says so. */
export function laterBy(content: NotificationContent, ms: number): NotificationContent {
  const { title, after = 0 } = content;
  const note = ` (${unacknowledgedFor(after)})`;
  return title.endsWith(note)
    ? laterContent({ ...content, title: title.slice(0, -note.length) }, after + ms)
    : { ...content, after: after + ms };
}
