// Makes the outbox rows of a decision: one a channel, at the channel's level.
import { createHash } from 'node:crypto';
import type { Config } from '../model/config.ts';
import { type Delivery, newDelivery } from '../model/delivery.ts';
import { type Event, sessionKey } from '../model/event.ts';
import type { Context } from '../model/notification.ts';
import { render } from '../pipeline/index.ts';
import { atLevel, type Redactor, redactNotification } from '../redaction/index.ts';

/** The same for the same event and channel, so that a decision made again after a crash makes the same rows. */
export function deliveryId(eventId: string, channel: string): string {
  return `dlv_${createHash('sha256').update(`${eventId}\n${channel}`).digest('base64url').slice(0, 24)}`;
}

/** Rows for these channels, due at once. `who`: the agent as shown to people. */
export function buildDeliveries(
  event: Event,
  channels: readonly string[],
  context: Context,
  who: string,
  at: { readonly config: Config; readonly redactor: Redactor; readonly now: number },
): readonly Delivery[] {
  const { config, now } = at;
  const whole = redactNotification(render(event, context, who), at.redactor);
  return channels.map((channel) => {
    const level = config.channels.find((c) => c.name === channel)?.level ?? config.redaction.level;
    return {
      id: deliveryId(event.id, channel),
      eventId: event.id,
      channel,
      sessionKey: sessionKey(event),
      notification: atLevel(whole, level),
      ...newDelivery(now),
    };
  });
}
