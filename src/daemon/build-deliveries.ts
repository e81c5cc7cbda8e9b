// Makes the outbox rows of a decision: one a channel, at the channel's level.
import type { Config } from '../model/config.ts';
import { type Delivery, newDelivery } from '../model/delivery.ts';
import type { Event } from '../model/event.ts';
import { deliveryIdOf, notificationIdOf, threadKeyOf } from '../model/ids.ts';
import type { Context } from '../model/notification.ts';
import type { PlannedDelivery } from '../model/planned-delivery.ts';
import { render } from '../pipeline/index.ts';
import { atLevel, type Redactor, redactContent } from '../redaction/index.ts';

/** Rows of what is planned of the event's notification. `who`: the agent as shown to people. */
export function buildDeliveries(
  event: Event,
  plan: readonly PlannedDelivery[],
  context: Context,
  who: string,
  at: { readonly config: Config; readonly redactor: Redactor; readonly now: number },
): readonly Delivery[] {
  const { config, now } = at;
  const whole = redactContent(render(event, context, who), at.redactor);
  const notificationId = notificationIdOf(event.id);
  return plan.map(({ reason: _reason, ...planned }) => {
    const { channel } = planned;
    const level = config.channels.find((c) => c.name === channel)?.level ?? config.redaction.level;
    return {
      ...newDelivery(now),
      ...planned,
      id: deliveryIdOf(event.id, channel, { notificationId, ...planned }),
      notificationId,
      eventId: event.id,
      threadKey: threadKeyOf(event),
      scheduled: planned.due > now,
      content: atLevel(whole, level),
    };
  });
}
