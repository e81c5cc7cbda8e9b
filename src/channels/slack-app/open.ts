// A Slack app at work: posts, changes and deletes its messages, a thread for each session, and what people press.
import type { ChannelTools, OpenChannel, OutgoingMessage, SendContext } from '../../model/channel.ts';
import type { Outcome } from '../../model/delivery.ts';
import { asOutcome } from '../shared/as-outcome.ts';
import { createOperations } from '../shared/operations.ts';
import { type CallBounds, callSlack } from './api.ts';
import { appMessage } from './message.ts';
import { createPlaceFinder } from './place.ts';
import type { SlackAppSettings } from './settings.ts';
import { createThreads, receiptSchema, type SlackReceipt } from './threads.ts';

const NO_RECEIPT: Outcome = { ok: false, reason: 'client', error: 'it is not known which message to change' };
const GONE = { ok: true, answer: 'it was gone already' } as const satisfies Outcome;

/** The first message of the thread is gone, or takes no replies. */
const THREAD_LOST: readonly (string | null)[] = ['thread_not_found', 'cannot_reply_to_message', 'invalid_thread_ts'];
/** What was posted cannot be changed any more. */
const NOT_CHANGED: readonly (string | null)[] = ['message_not_found', 'cant_update_message', 'edit_window_closed'];

type Body = Record<string, unknown>;

/** Opens it; connects to nothing. */
export function openSlackApp(settings: SlackAppSettings, tools: ChannelTools): OpenChannel {
  const operations = createOperations();
  const threads = createThreads();
  const findPlace = createPlaceFinder(settings);
  const perSession = settings.thread === 'session';

  async function post(message: OutgoingMessage, body: Body, bounds: CallBounds): Promise<Outcome> {
    const place = await findPlace(bounds);
    if ('ok' in place) return place.outcome;
    const { channel } = place;
    const thread = perSession ? threads.of(message, channel) : null;
    // A reply alone is seen by few: what is urgent is also shown in the channel.
    const reply = { thread_ts: thread, reply_broadcast: message.content.urgency === 'urgent' };
    const params = { ...body, channel, ...(thread === null ? {} : reply) };
    const called = await callSlack(settings, 'chat.postMessage', params, bounds);
    if (!called.ok && thread !== null && THREAD_LOST.includes(called.word)) {
      threads.forget(message.threadKey);
      return post(message, body, bounds); // once: it is in no thread now
    }
    if (!called.ok) return called.outcome;
    const { ts, channel: where } = called.answer;
    const receipt = receiptSchema.safeParse({ channel: where ?? channel, ts, thread }).data;
    if (perSession && receipt !== undefined) threads.remember(message.threadKey, thread ?? receipt.ts);
    return { ok: true, status: called.status, ...(receipt === undefined ? {} : { receipt }) };
  }

  async function update(message: OutgoingMessage, body: Body, at: SlackReceipt, bounds: CallBounds): Promise<Outcome> {
    const params = { ...body, channel: at.channel, ts: at.ts };
    const called = await callSlack(settings, 'chat.update', params, bounds);
    if (called.ok) return { ok: true, status: called.status, receipt: at };
    if (!NOT_CHANGED.includes(called.word)) return called.outcome;
    // What is still open is worth another message.
    return message.resolution === null ? post(message, body, bounds) : { ...GONE, receipt: at };
  }

  async function remove({ threadKey }: OutgoingMessage, at: SlackReceipt, bounds: CallBounds): Promise<Outcome> {
    const called = await callSlack(settings, 'chat.delete', { channel: at.channel, ts: at.ts }, bounds);
    if (at.thread === null) threads.forget(threadKey); // it began the thread
    if (called.ok) return { ok: true, status: called.status };
    return called.word === 'message_not_found' ? GONE : called.outcome;
  }

  const perform = (context: SendContext, work: (bounds: CallBounds) => Promise<Outcome>): Promise<Outcome> =>
    operations.run(context.signal, (signal) => {
      const end = performance.now() + context.timeoutMs;
      // Each call gets what the ones before have left.
      return work({
        signal,
        now: tools.now,
        get timeout() {
          return Math.max(1, Math.round(end - performance.now()));
        },
      });
    });

  return {
    send: async (message, context) => {
      const body = asOutcome(() => appMessage(message));
      return isOutcome(body) ? body : perform(context, (bounds) => post(message, body, bounds));
    },
    update: async (message, receipt, context) => {
      const at = receiptSchema.safeParse(receipt).data;
      if (!at) return NO_RECEIPT;
      const body = asOutcome(() => appMessage(message));
      return isOutcome(body) ? body : perform(context, (bounds) => update(message, body, at, bounds));
    },
    retract: async (message, receipt, context) => {
      const at = receiptSchema.safeParse(receipt).data;
      return at ? perform(context, (bounds) => remove(message, at, bounds)) : GONE;
    },
    receive: (on, signal) =>
      operations.run(signal, async (either) => {
        const { receiveAnswers } = await import('./receive.ts');
        await receiveAnswers(settings, findPlace, { on, signal: either, now: tools.now, log: tools.log });
      }),
    close: operations.close,
  };
}

const isOutcome = (made: Body | Outcome): made is Outcome => typeof made['ok' as keyof typeof made] === 'boolean';
