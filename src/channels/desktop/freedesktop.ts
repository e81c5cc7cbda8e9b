// The Desktop Notifications Specification (specifications.freedesktop.org/notification): what its Notify call is given. Pure.
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';
import { briefBody } from '../shared/readable-body.ts';
import type { DesktopReceipt } from './shown-ids.ts';

/** A notification in the specification's terms, text not yet escaped. */
export interface DesktopNotification {
  readonly summary: string;
  readonly body: string;
  /** 0 low, 1 normal, 2 critical. */
  readonly urgency: 0 | 1 | 2;
  readonly icon: string;
  readonly sound: boolean;
}

/** A button: the key that the server tells when it is pressed, and what it says. */
export type DesktopButton = readonly [key: string, label: string];

/** A field to write in: the key of what is written there, what its button says, and what stands in the empty field. */
export interface DesktopReply {
  readonly key: string;
  readonly label: string;
  readonly placeholder: string;
}

/** What stands beside the buttons: all of what is asked, so that nobody allows what they have not seen. */
export interface WithButtons {
  readonly body: string;
  readonly buttons: readonly DesktopButton[];
  /** Null: nothing can be written there. */
  readonly reply: DesktopReply | null;
  /** The key of what a click on the notification itself does; null: nothing. */
  readonly onClick: string | null;
}

/** A notification with its delivery and session. */
export interface ToShow {
  readonly note: DesktopNotification;
  readonly deliveryId: string;
  readonly notificationId: string;
  readonly threadKey: string;
  /** Shown where the server has buttons. */
  readonly withButtons: WithButtons;
  /** Shown where the server has buttons and a field to write in. */
  readonly withReply: WithButtons;
  /** The receipt of the one that it changes; null: it is new. */
  readonly changes: DesktopReceipt | null;
}

/** Servers show 2 to 4 lines; the whole text is what other channels send. */
const SUMMARY = 200;
const BODY = 600;

const URGENCY = { low: 0, normal: 1, urgent: 2 } as const;

/** What to show. */
export function toDesktopNotification(n: NotificationContent, sound: boolean): DesktopNotification {
  return {
    summary: cutGraphemes(oneLine(n.title), SUMMARY) || 'Belfry',
    body: cutGraphemes(briefBody(n), BODY),
    urgency: n.abnormal && n.urgency !== 'low' ? 2 : URGENCY[n.urgency],
    icon: n.abnormal ? 'dialog-error' : n.event.kind === 'agent.waiting' ? 'dialog-question' : 'dialog-information',
    sound,
  };
}

/** A D-Bus variant: its signature and its value. */
type Variant = readonly [string, number | string | boolean];

/** The server's own signal that a button was pressed: its body is the notification's id, and the key of the button. */
export const PRESSED = { interface: 'org.freedesktop.Notifications', member: 'ActionInvoked' } as const;

/** The capability of servers with a field to write in, and the key of the button that opens it: KDE's, which others have taken over. */
export const INLINE_REPLY = 'inline-reply';

/** The signal that something was written there: its body is the notification's id, and the text. */
export const REPLIED = { interface: 'org.freedesktop.Notifications', member: 'NotificationReplied' } as const;

/** The key that the server tells when the notification itself is clicked; it is the same for all of them. */
export const CLICKED = 'default';

/** What Notify is given besides the notification. */
interface NotifyOptions {
  /** Of the server; null: unknown. */
  readonly capabilities: readonly string[] | null;
  /** Id of the session's earlier one, 0 for none. */
  readonly replaces: number;
  readonly buttons: readonly DesktopButton[];
  readonly reply: DesktopReply | null;
}

/** Arguments of Notify, signature `susssasa{sv}i`. */
export function notifyArguments(note: DesktopNotification, options: NotifyOptions): unknown[] {
  const { capabilities, replaces, buttons, reply } = options;
  // A server that does not say is taken for one that reads markup, as nearly all do: text must not become any.
  const markup = capabilities?.includes('body-markup') ?? true;
  const body = markup ? escapeMarkup(note.body) : note.body;
  const actions = [...buttons, ...(reply === null ? [] : [[INLINE_REPLY, reply.label]])].flat();
  const hints: [string, Variant][] = [
    ['urgency', ['y', note.urgency]],
    ['desktop-entry', ['s', 'belfry']],
    note.sound ? ['sound-name', ['s', 'message-new-instant']] : ['suppress-sound', ['b', true]],
    ...(reply === null ? [] : [['x-kde-reply-placeholder-text', ['s', reply.placeholder]] satisfies [string, Variant]]),
  ];
  return ['Belfry', replaces, note.icon, note.summary, body, actions, hints, -1];
}

/** The body is markup where the server says so; the summary never is. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Arguments of `notify-send`: everything from outside comes after `--`. */
export function notifySendArguments(note: DesktopNotification, replaces: number): string[] {
  return [
    '--app-name=Belfry',
    `--urgency=${(['low', 'normal', 'critical'] as const)[note.urgency]}`,
    `--icon=${note.icon}`,
    '--hint=string:desktop-entry:belfry',
    '--print-id',
    ...(replaces > 0 ? [`--replace-id=${replaces}`] : []),
    '--',
    note.summary,
    escapeMarkup(note.body), // it does not ask the server; servers without markup are rare
  ];
}
