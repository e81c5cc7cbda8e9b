// A Slack app at work: its operations, each within its time, and what people press.
import type { ChannelTools, OpenChannel, SendContext } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { asOutcome, createOperations } from '../shared/operations.ts';
import { type CallBounds, callBounds } from '../shared/call-bounds.ts';
import { appMessage } from './message.ts';
import { createPlaceFinder } from './destination.ts';
import { type Body, GONE, Posts } from './posts.ts';
import type { SlackAppSettings } from './settings.ts';
import { receiptSchema } from './threads.ts';

const NO_RECEIPT: Outcome = { ok: false, reason: 'client', error: 'it is not known which message to change' };

/** Opens it; connects to nothing. */
export function openSlackApp(settings: SlackAppSettings, tools: ChannelTools): OpenChannel {
  const { now, log } = tools;
  const operations = createOperations();
  const findPlace = createPlaceFinder(settings);
  const posts = new Posts(settings, findPlace);

  const perform = (context: SendContext, work: (bounds: CallBounds) => Promise<Outcome>): Promise<Outcome> =>
    operations.run(context.signal, (signal) => work(callBounds(context.timeoutMs, signal, now)));

  return {
    send: async (message, context) => {
      const body = asOutcome(() => appMessage(message));
      return isOutcome(body) ? body : perform(context, (bounds) => posts.send(message, body, bounds));
    },
    update: async (message, receipt, context) => {
      const at = receiptSchema.safeParse(receipt).data;
      if (!at) return NO_RECEIPT;
      const body = asOutcome(() => appMessage(message));
      return isOutcome(body) ? body : perform(context, (bounds) => posts.edit(message, body, at, bounds));
    },
    retract: async (message, receipt, context) => {
      const at = receiptSchema.safeParse(receipt).data;
      return at ? perform(context, (bounds) => posts.remove(message, at, bounds)) : GONE;
    },
    receive: (on, signal) =>
      operations.run(signal, async (either) => {
        const { receiveAnswers } = await import('./receive.ts');
        await receiveAnswers(settings, findPlace, { on, signal: either, now, log });
      }),
    close: operations.close,
  };
}

const isOutcome = (made: Body | Outcome): made is Outcome => typeof made['ok' as keyof typeof made] === 'boolean';
