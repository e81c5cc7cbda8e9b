// Makes the outbox rows of a decision: one a channel, at the channel's level.
import type { Config } from '../model/config.ts';
import { type Delivery, newDelivery } from '../model/delivery.ts';
import type { Event } from '../model/event.ts';
import { deliveryIdOf, notificationIdOf, threadKeyOf } from '../model/ids.ts';
import type { Context } from '../model/notification.ts';
import { render } from '../pipeline/index.ts';
import { atLevel, type Redactor, redactContent } from '../redaction/index.ts';

/** Rows for these channels, due at once. `who`: the agent as shown to people. */
export function buildDeliveries(
  event: Event,
  channels: readonly string[],
  context: Context,
  who: string,
  at: { readonly config: Config; readonly redactor: Redactor; readonly now: number },
): readonly Delivery[] {
  const { config, now } = at;
  const whole = redactContent(render(event, context, who), at.redactor);
  return channels.map((channel) => {
    const level = config.channels.find((c) => c.name === channel)?.level ?? config.redaction.level;
    return {
      id: deliveryIdOf(event.id, channel),
      notificationId: notificationIdOf(event.id),
      eventId: event.id,
      channel,
      threadKey: threadKeyOf(event),
      content: atLevel(whole, level),
      ...newDelivery(now),
    };
  });
}
