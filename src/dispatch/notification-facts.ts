// What is known of a notification besides its row: how far its deliveries got on each channel.
import type { Event } from '../model/event/event.ts';
import type { Notification } from '../model/notification/notification.ts';
import type { DeliveryProgress } from '../model/delivery/delivery.ts';

/**
 * How far the notification's sends got on a channel. sent: at least one arrived; leased: one is being sent; waiting: one is due or
 * paused; scheduled: only later ones are planned; none: nothing was sent and nothing is to come (cancelled, given up, in a digest).
 */
export type SendProgress = 'sent' | 'leased' | 'waiting' | 'scheduled' | 'none';

/** One message of a notification: what was shown on a channel first, or later as a reminder. */
export interface ChannelFacts {
  readonly channel: string;
  /** 0: the first; later ones are reminders and escalations. */
  readonly step: number;
  readonly sends: SendProgress;
  /** When its send is due, Unix ms; null: there is none that waits. */
  readonly due: number | null;
  /** It was removed there, or is about to be. */
  readonly retracted: boolean;
  /** The latest that was sent or planned of it. */
  readonly revision: number;
}

/** A notification that is not over, with its messages on the channels that it was sent or planned to. */
export interface NotificationFacts {
  /** With the version it was read at. */
  readonly notification: Notification;
  /** Its first event; null: not kept any more. */
  readonly event: Event | null;
  readonly channels: readonly ChannelFacts[];
}

const BEST: readonly SendProgress[] = ['sent', 'leased', 'waiting', 'scheduled', 'none'];

function progressOf({ state, scheduled }: DeliveryProgress): SendProgress {
  if (state === 'sent' || state === 'leased') return state;
  if (state === 'pending' || state === 'paused') return scheduled ? 'scheduled' : 'waiting';
  return 'none';
}

function channelFacts(channel: string, step: number, rows: readonly DeliveryProgress[]): ChannelFacts {
  const own = rows.filter(({ operation }) => operation === 'send');
  const sends = own.map(progressOf);
  const dues = own.flatMap(({ state, due }) => (state === 'pending' ? [due] : []));
  const retracts = rows.filter(({ operation }) => operation === 'retract').map(progressOf);
  return {
    channel,
    step,
    sends: BEST.find((progress) => sends.includes(progress)) ?? 'none',
    due: dues.length === 0 ? null : Math.min(...dues),
    retracted: retracts.some((progress) => progress !== 'none'),
    revision: Math.max(...rows.map(({ revision }) => revision)),
  };
}

/** `rows`: what the outbox holds, of this notification or of others too. */
export function notificationFacts(
  notification: Notification,
  event: Event | null,
  rows: readonly DeliveryProgress[],
): NotificationFacts {
  const messages = new Map<string, DeliveryProgress[]>();
  for (const row of rows) {
    if (row.notificationId !== notification.id) continue;
    const key = `${row.step} ${row.channel}`;
    const before = messages.get(key);
    if (before === undefined) messages.set(key, [row]);
    else before.push(row);
  }
  const channels = [...messages.values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [channelFacts(first.channel, first.step, own)];
  });
  return { notification, event, channels };
}
