// ntfy at work: publishes, replaces by the notification's sequence id, clears; waits as the server's limits want it.
import * as z from 'zod';
import { sha256 } from '../../lib/hash.ts';
import type { HttpResult } from '../../lib/net/http.ts';
import type { ChannelTools, OpenChannel, OutgoingMessage } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { URGENCIES, type Urgency } from '../../model/event/event.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';
import type { NtfySettings } from './settings.ts';
import { blocksAgent } from '../shared/blocks-agent.ts';
import { httpChannel, type OutgoingRequest } from '../shared/http-channel.ts';
import { createOperations } from '../shared/operations.ts';
import { classifyNtfy, codeOf, publishedOf, QUOTA, TOO_FAST } from './response-outcome.ts';
import { authorization } from './credentials.ts';
import { ntfyMessage } from './message.ts';
import { answerUrl, receiveAnswers } from './receive.ts';

const SEQUENCE = /^[-_A-Za-z0-9]{1,64}$/;
const receiptSchema = z.object({
  /** Null: the server is older than 2.16 and knows none, so nothing that was sent can be changed. */
  sequence: z.string().regex(SEQUENCE).nullable(),
  urgency: z.enum(URGENCIES),
});
type Receipt = z.output<typeof receiptSchema>;

/** Waits after "too many requests", which names none: ms, doubled each time up to the longest. */
const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 5 * 60_000;
const DAY = 24 * 3_600_000;
/** Ms after midnight UTC: clocks differ. */
const AFTER_MIDNIGHT = 60_000;

const OLD_SERVER = 'left as it was: the server is older than ntfy 2.16 and cannot change messages';
const NO_RECEIPT: Outcome = { ok: false, reason: 'client', error: 'it is not known which message to change' };

/** Opens it. `refusal`: why nothing can be sent with these settings. */
export function openNtfy(settings: NtfySettings, tools: ChannelTools, refusal: string | null): OpenChannel {
  let tooFast = 0;

  function publish(message: OutgoingMessage, urgency: Urgency): OutgoingRequest {
    const priority = priorityOf(message.content, urgency, settings.priority);
    const to = { topic: settings.topic, sequence: sequenceOf(message), priority, answerUrl: answerUrl(settings) };
    const headers = { 'content-type': 'application/json', ...authorization(settings) };
    return { method: 'POST', url: `${settings.server}/`, headers, body: JSON.stringify(ntfyMessage(message, to)) };
  }

  function change(message: OutgoingMessage, before: Receipt | null): OutgoingRequest | Outcome {
    if (before === null) return NO_RECEIPT;
    const { urgency } = message.content;
    const rose = URGENCIES.indexOf(urgency) > URGENCIES.indexOf(before.urgency);
    // Only what has become more urgent may make a sound again; on an older server it has to be a second message.
    if (rose && message.resolution === null) return publish(message, urgency);
    return before.sequence === null ? { ok: true, answer: OLD_SERVER, receipt: before } : publish(message, 'low');
  }

  function clear(before: Receipt | null): OutgoingRequest | Outcome {
    if (before === null || before.sequence === null) return { ok: true, answer: OLD_SERVER };
    const url = `${settings.server}/${settings.topic}/${before.sequence}/clear`;
    return { method: 'PUT', url, headers: authorization(settings) };
  }

  const channel = httpChannel({
    settings,
    tools,
    operations: ['update', 'retract'],
    request: (message, receipt) => {
      if (refusal !== null) return { ok: false, reason: 'invalid-config', error: refusal };
      if (message.operation === 'send') return publish(message, message.content.urgency);
      const before = receiptSchema.safeParse(receipt).data ?? null;
      return message.operation === 'update' ? change(message, before) : clear(before);
    },
    classify: (end, message) => {
      const outcome = withWait(end, classifyNtfy(end), tools.now());
      if (message.operation === 'retract') return cleared(end, outcome);
      return outcome.ok ? published(end, outcome, message) : outcome;
    },
  });
  return refusal === null ? withReceiver(channel, settings, tools) : channel;

  function withWait(end: HttpResult, outcome: Outcome, now: number): Outcome {
    const code = codeOf(end);
    if (outcome.ok) tooFast = 0;
    if (outcome.ok || outcome.retryAfter !== undefined || code === null) return outcome;
    if (code === QUOTA) return { ...outcome, retryAfter: DAY - (now % DAY) + AFTER_MIDNIGHT };
    if (!TOO_FAST.includes(code)) return outcome;
    const retryAfter = Math.min(FIRST_WAIT * 2 ** Math.min(tooFast, 10), LONGEST_WAIT);
    tooFast++;
    return { ...outcome, retryAfter };
  }
}

/** Of what is published: higher where an agent waits, since phones show the usual priority silently. */
function priorityOf(content: NotificationContent, urgency: Urgency, priority: NtfySettings['priority']): number {
  const usual = priority[urgency];
  return urgency === 'normal' && blocksAgent(content) ? (priority.waiting ?? Math.max(4, usual)) : usual;
}

/** Where buttons write to a topic, it is listened to. */
function withReceiver(channel: OpenChannel, settings: NtfySettings, tools: ChannelTools): OpenChannel {
  if (settings.answer_topic === undefined) return channel;
  const listening = createOperations();
  return {
    ...channel,
    receive: (on, signal) =>
      listening.run(signal, (either) =>
        receiveAnswers(settings, { on, signal: either, now: tools.now, log: tools.log }),
      ),
    close: async () => {
      await Promise.all([listening.close(), channel.close()]);
    },
  };
}

/** Taken back: a server without such a page has none to take back. */
function cleared(end: HttpResult, outcome: Outcome): Outcome {
  if (outcome.ok) return { ok: true, ...(outcome.status === undefined ? {} : { status: outcome.status }) };
  return end.kind === 'answer' && codeOf(end) === 40401
    ? { ok: true, status: end.status, answer: OLD_SERVER }
    : outcome;
}

/** The answer repeats the message, so it is not kept. */
function published(end: HttpResult, outcome: Outcome, message: OutgoingMessage): Outcome {
  const what = end.kind === 'answer' ? publishedOf(end.body) : null;
  const status = outcome.status === undefined ? {} : { status: outcome.status };
  if (what === null) {
    const error = 'the server answers, but not as ntfy does: check `server`';
    return { ok: false, reason: 'invalid-config', error, ...status };
  }
  const receipt: Receipt = {
    sequence: what.sequence === sequenceOf(message) ? what.sequence : null,
    urgency: message.content.urgency,
  };
  return { ok: true, ...status, receipt };
}

/** One for each notification: reminders and changes replace what was shown. */
function sequenceOf({ notificationId }: OutgoingMessage): string {
  return SEQUENCE.test(notificationId) ? notificationId : sha256(notificationId).slice(0, 32);
}
