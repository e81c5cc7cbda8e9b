// The app's messages: posted, changed and deleted, in a thread for each session where that is wanted.
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import type { CallBounds } from '../shared/call-bounds.ts';
import { callSlack } from './api.ts';
import type { FindPlace } from './destination.ts';
import type { SlackAppSettings } from './settings.ts';
import { createThreads, receiptSchema, type SlackReceipt } from './threads.ts';

/** Somebody else has deleted the message. */
export const GONE = { ok: true, answer: 'it was gone already' } as const satisfies Outcome;

/** The first message of the thread is gone, or takes no replies. */
const THREAD_LOST: readonly (string | null)[] = ['thread_not_found', 'cannot_reply_to_message', 'invalid_thread_ts'];
/** What was posted cannot be changed any more. */
const NOT_CHANGED: readonly (string | null)[] = ['message_not_found', 'cant_update_message', 'edit_window_closed'];

/** A message in Slack's form. */
export type Body = Record<string, unknown>;

/** Of one app, in one conversation. */
export class Posts {
  readonly #settings: SlackAppSettings;
  readonly #findPlace: FindPlace;
  readonly #threads = createThreads();

  constructor(settings: SlackAppSettings, findPlace: FindPlace) {
    this.#settings = settings;
    this.#findPlace = findPlace;
  }

  async send(message: OutgoingMessage, body: Body, bounds: CallBounds): Promise<Outcome> {
    const place = await this.#findPlace(bounds);
    if ('ok' in place) return place.outcome;
    const { channel } = place;
    const perSession = this.#settings.thread === 'session';
    const thread = perSession ? this.#threads.of(message, channel) : null;
    // A reply alone is seen by few: what is urgent is also shown in the channel.
    const reply = { thread_ts: thread, reply_broadcast: message.content.urgency === 'urgent' };
    const params = { ...body, channel, ...(thread === null ? {} : reply) };
    const called = await callSlack(this.#settings, 'chat.postMessage', params, bounds);
    if (!called.ok && thread !== null && THREAD_LOST.includes(called.word)) {
      this.#threads.forget(message.threadKey);
      return this.send(message, body, bounds); // once: it is in no thread now
    }
    if (!called.ok) return called.outcome;
    const { ts, channel: where } = called.answer;
    const receipt = receiptSchema.safeParse({ channel: where ?? channel, ts, thread }).data;
    if (perSession && receipt !== undefined) this.#threads.remember(message.threadKey, thread ?? receipt.ts);
    return { ok: true, status: called.status, ...(receipt === undefined ? {} : { receipt }) };
  }

  async edit(message: OutgoingMessage, body: Body, at: SlackReceipt, bounds: CallBounds): Promise<Outcome> {
    const params = { ...body, channel: at.channel, ts: at.ts };
    const called = await callSlack(this.#settings, 'chat.update', params, bounds);
    if (called.ok) return { ok: true, status: called.status, receipt: at };
    if (!NOT_CHANGED.includes(called.word)) return called.outcome;
    // What is still open is worth another message.
    return message.resolution === null ? this.send(message, body, bounds) : { ...GONE, receipt: at };
  }

  async remove({ threadKey }: OutgoingMessage, at: SlackReceipt, bounds: CallBounds): Promise<Outcome> {
    const called = await callSlack(this.#settings, 'chat.delete', { channel: at.channel, ts: at.ts }, bounds);
    if (at.thread === null) this.#threads.forget(threadKey); // it began the thread
    if (called.ok) return { ok: true, status: called.status };
    return called.word === 'message_not_found' ? GONE : called.outcome;
  }
}
