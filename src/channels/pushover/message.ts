// A notification as Pushover's parameters, within the documented limits (pushover.net/api, "Limitations", "Message Priority").
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import { shownBody } from '../shared/shown-body.ts';
import type { PushoverSettings } from './settings.ts';

const TITLE = 250;
const MESSAGE = 1_024;
/** Quiet, usual, and around quiet hours of the phone. */
const PRIORITY = { low: '-1', normal: '0', urgent: '1' } as const;
const EMERGENCY = '2';
/** Seconds between two alarms, at least 30; and until they end, at most 10,800. */
const RETRY = 60;
export const EXPIRE = 3_600;

/** Whether it repeats until somebody acknowledges it. */
export function isEmergency({ content, resolution }: OutgoingMessage, { emergency }: PushoverSettings): boolean {
  return emergency && content.urgency === 'urgent' && resolution === null;
}

/** The body of the request, a form. Text is plain: neither `html` nor `monospace` is set. */
export function pushoverForm(message: OutgoingMessage, settings: PushoverSettings): string {
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
