// Makes the outbox rows of a decision: one a channel and step, in the channel's words and at its level.
import type { Config } from '../model/settings/config.ts';
import { type Delivery, newDelivery } from '../model/delivery/delivery.ts';
import type { Event } from '../model/event/event.ts';
import { deliveryIdOf, notificationIdOf, threadKeyOf } from '../model/ids.ts';
import type { Context } from '../model/notification/notification.ts';
import { type PlannedDelivery, rowFields } from '../model/delivery/planned-delivery.ts';
import { applyWording, laterContent, render } from '../pipeline/index.ts';
import { atLevel, type Redactor, redactContent } from '../redaction/index.ts';

/** Ms after the first send, which quiet hours may make more than was planned. */
const since = ({ after = 0, due }: PlannedDelivery, first: number): number => Math.max(after, due - first);

/** Rows of what is planned of the event's notification. `who`: the agent as shown to people. */
export function buildDeliveries(
  event: Event,
  plan: readonly PlannedDelivery[],
  context: Context,
  who: string,
  at: { readonly config: Config; readonly redactor: Redactor; readonly now: number },
): readonly Delivery[] {
  const { config, now } = at;
  const whole = render(event, context, who);
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
