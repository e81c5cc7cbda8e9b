// Telegram at work: its operations, each within its time, and the answers that people press.
import type { ChannelTools, OpenChannel, SendContext } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { asOutcome, createOperations } from '../shared/operations.ts';
import { type CallBounds, callBounds } from '../shared/call-bounds.ts';
import { telegramText } from './message.ts';
import { Posts, receiptSchema } from './posts.ts';
import { receiveAnswers } from './receive.ts';
import type { TelegramSettings } from './settings.ts';

const NO_RECEIPT: Outcome = { ok: false, reason: 'client', error: 'it is not known which message to change' };

/** Opens it; connects to nothing. */
export function openTelegram(settings: TelegramSettings, tools: ChannelTools): OpenChannel {
  const { now, log } = tools;
  const operations = createOperations();
  const posts = new Posts(settings, tools);

  const perform = (context: SendContext, work: (bounds: CallBounds) => Promise<Outcome>): Promise<Outcome> =>
    operations.run(context.signal, (signal) => work(callBounds(context.timeoutMs, signal, now)));

  return {
    send: (message, context) => {
      const text = asOutcome(() => telegramText(message));
      return 'ok' in text ? Promise.resolve(text) : perform(context, (bounds) => posts.send(message, text, bounds));
    },
    update: async (message, receipt, context) => {
      const at = receiptSchema.safeParse(receipt).data;
      if (!at) return NO_RECEIPT;
      const text = asOutcome(() => telegramText(message));
      return 'ok' in text ? text : perform(context, (bounds) => posts.edit(message, text, at, bounds));
    },
    retract: async (_message, receipt, context) => {
      const at = receiptSchema.safeParse(receipt).data;
      return at ? perform(context, (bounds) => posts.remove(at, bounds)) : { ok: true };
    },
    receive: (on, signal) =>
      operations.run(signal, (either) => receiveAnswers(settings, { on, signal: either, now, log })),
    close: operations.close,
  };
}
