// Pushover at work: sends, cancels emergencies by their receipt, and hands over that they were acknowledged.
import type { HttpResult } from '../../lib/net/http.ts';
import type { ChannelTools, OpenChannel, OutgoingMessage } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { httpChannel, type OutgoingRequest } from '../shared/http-channel.ts';
import { createOperations } from '../shared/operations.ts';
import { classifyPushover, documentOf, receiptIn } from './response-outcome.ts';
import { createEmergencies } from './emergencies.ts';
import type { PushoverSettings } from './settings.ts';
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import { shownBody } from '../shared/shown-body.ts';

const headers = { 'content-type': 'application/x-www-form-urlencoded' };

/** Connects to nothing yet. */
export function openPushover(settings: PushoverSettings, tools: ChannelTools): OpenChannel {
  const { now, log } = tools;
  const emergencies = createEmergencies(settings);
  const listening = createOperations();

  function cancel(receipt: unknown): OutgoingRequest | Outcome {
    const id = receiptIn(receipt);
    if (id === null) return { ok: true, answer: 'left on the phone: only emergencies can be ended' };
    emergencies.end(id);
    const body = new URLSearchParams({ token: settings.token }).toString();
    return { method: 'POST', url: `${settings.api_url}/receipts/${id}/cancel.json`, headers, body };
  }

  /** Remembers it, so that its acknowledgement is noticed. */
  function sent(end: HttpResult, outcome: Outcome, message: OutgoingMessage): Outcome {
    const receipt = isEmergency(message, settings) ? receiptIn(documentOf(end)) : null;
    if (!outcome.ok || receipt === null) return outcome;
    const { acknowledgeWith: reference } = message;
    if (reference !== null) emergencies.add({ receipt, reference, until: now() + EXPIRE * 1_000 });
    return { ...outcome, receipt: { receipt } };
  }

  const channel = httpChannel({
    settings,
    tools,
    operations: settings.emergency ? ['retract'] : [],
    request: (message, receipt) =>
      message.operation === 'retract'
        ? cancel(receipt)
        : { method: 'POST', url: `${settings.api_url}/messages.json`, headers, body: pushoverForm(message, settings) },
    classify: (end, message) => {
      const outcome = classifyPushover(end, now());
      if (message.operation !== 'retract') return sent(end, outcome, message);
      const isGone = end.kind === 'answer' && end.status === 404 && documentOf(end) !== null;
      return isGone ? { ok: true, status: end.status, answer: 'it had ended already' } : outcome;
    },
  });
  if (!settings.emergency) return channel;
  return {
    ...channel,
    receive: (on, signal) => listening.run(signal, (either) => emergencies.watch({ on, signal: either, now, log })),
    close: async () => {
      await Promise.all([listening.close(), channel.close()]);
    },
  };
}

/** The documented limits, in characters (pushover.net/api, "Limitations"). */
const TITLE = 250;
const MESSAGE = 1_024;
/** Quiet, usual, and around quiet hours of the phone. */
const PRIORITY = { low: '-1', normal: '0', urgent: '1' } as const;
const EMERGENCY = '2';
/** Seconds between two alarms, at least 30; and until they end, at most 10,800. */
const RETRY = 60;
const EXPIRE = 3_600;

/** Whether it repeats until somebody acknowledges it. */
function isEmergency({ content, resolution }: OutgoingMessage, { emergency }: PushoverSettings): boolean {
  return emergency && content.urgency === 'urgent' && resolution === null;
}

/** The body of the request, a form. Text is plain: neither `html` nor `monospace` is set. */
function pushoverForm(message: OutgoingMessage, settings: PushoverSettings): string {
  const { content } = message;
  const alarms = isEmergency(message, settings);
  return new URLSearchParams({
    token: settings.token,
    user: settings.user,
    title: cutGraphemes(oneLine(content.title) || 'Belfry', TITLE),
    message: cutGraphemes(shownBody(message), MESSAGE) || '-', // an empty one is refused
    timestamp: String(Math.max(1, Math.floor(content.event.at / 1_000))),
    priority: alarms ? EMERGENCY : PRIORITY[content.urgency],
    ...(alarms ? { retry: String(RETRY), expire: String(EXPIRE) } : {}),
  }).toString();
}
