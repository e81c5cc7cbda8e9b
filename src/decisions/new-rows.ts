// The rows that a decision makes of an event: its notification, and one of the outbox for each channel and step, in the channel's words and at its level.
import type { Config } from '../model/settings/config.ts';
import { type Delivery, newDelivery, type PlannedDelivery, rowFields } from '../model/delivery/delivery.ts';
import type { Event } from '../model/event/event.ts';
import { deliveryIdOf, notificationIdOf, threadKeyOf } from '../model/ids.ts';
import { type Context, type Notification, NOTIFICATION_LIFETIME } from '../model/notification/notification.ts';
import type { StopCause } from '../model/session/stop-causes.ts';
import { applyWording, laterContent, render } from '../pipeline/index.ts';
import { atLevel, redactContent, type Redactor } from '../redaction/index.ts';

/**
 * `before`: the row as it was read, if there is one; it is opened again. `title`: redacted. `now`, `last`: Unix ms; it lives on after the
 * last of what is planned of it.
 */
export function openNotification(
  event: Event,
  title: string,
  before: Notification | null,
  now: number,
  last = now,
): Notification {
  const { kind, detail, urgency } = event;
  return {
    id: notificationIdOf(event.id),
    threadKey: threadKeyOf(event),
    kind,
    detail,
    urgency,
    title,
    state: 'open',
    revision: before?.revision ?? 1,
    version: before?.version ?? 0,
    eventIds: [event.id],
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    acknowledged: null,
    resolved: null,
    expiresAt: Math.max(now, last) + NOTIFICATION_LIFETIME,
  };
}

/** Ms after the first send, which quiet hours may make more than was planned. */
const since = ({ after = 0, due }: PlannedDelivery, first: number): number => Math.max(after, due - first);

/** Rows of what is planned of the event's notification. `who`: the agent as shown to people; `continues`: after what it can be let go on. */
export function buildDeliveries(
  event: Event,
  plan: readonly PlannedDelivery[],
  context: Context,
  who: string,
  at: {
    readonly config: Config;
    readonly redactor: Redactor;
    readonly now: number;
    readonly continues: readonly StopCause[];
  },
): readonly Delivery[] {
  const { config, now, continues } = at;
  const resume = config.resume.on.filter((cause) => continues.includes(cause));
  const whole = render(event, context, who, resume);
  const usual = redactContent(whole, at.redactor);
  const notificationId = notificationIdOf(event.id);
  const first = Math.min(...plan.flatMap(({ step, due, unheldDue }) => (step === 0 ? [unheldDue ?? due] : [])));
  return plan.map((one) => {
    const planned = rowFields(one);
    const { channel } = planned;
    const own = config.channels.find((c) => c.name === channel);
    const level = own?.level ?? config.redaction.level;
    const worded = applyWording(whole, who, [own?.messages ?? null, config.messages]);
    const content = worded === whole ? usual : redactContent(worded, at.redactor);
    return {
      ...newDelivery(now),
      ...planned,
      id: deliveryIdOf(event.id, channel, { notificationId, ...planned }),
      notificationId,
      eventId: event.id,
      threadKey: threadKeyOf(event),
      scheduled: planned.heldBy !== undefined || planned.due > now, // the hold may have ended meanwhile
      content: atLevel(one.after === undefined ? content : laterContent(content, since(one, first), one.after), level),
    };
  });
}
