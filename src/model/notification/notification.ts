// A notification: what a person is notified of, with its state until it is over; and its content, before a channel gives it its own form.
import type { Event, Kind, Urgency } from '../event/event.ts';

/** A message of the session, for context. */
export interface ContextMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Unix ms, when known. */
  readonly at: number | null;
  /** Where it was found. */
  readonly from: 'service' | 'input' | 'transcript';
}

/** What enrichment adds to the hook input. */
export interface Context {
  /** Oldest first. */
  readonly messages: readonly ContextMessage[];
}

/** How much text leaves the machine. */
export const LEVELS = ['full', 'short', 'title'] as const;
export type Level = (typeof LEVELS)[number];

/** What is kept of an event that is one of several in a notification. */
export type MemberEvent = Pick<
  Event,
  | 'id'
  | 'kind'
  | 'detail'
  | 'urgency'
  | 'abnormal'
  | 'agent'
  | 'host'
  | 'user'
  | 'sessionId'
  | 'project'
  | 'branch'
  | 'cwd'
  | 'at'
>;

/** One of several in a notification. */
export interface Member {
  readonly event: MemberEvent;
  /** That it has alone, redacted. */
  readonly title: string;
}

/** Redacted, plain text; every channel escapes and cuts for itself. */
export interface NotificationContent {
  readonly title: string;
  readonly body: string;
  readonly urgency: Urgency;
  readonly abnormal: boolean;
  /** Number of events it covers; above 1 for a digest. */
  readonly count: number;
  /** The first one, or the only one. */
  readonly event: Event;
  /** Ids of all of them. */
  readonly events: readonly string[];
  /** The same with what people were shown of each; absent where it covers one, and in rows of earlier versions. */
  readonly members?: readonly Member[];
  /** Of a later step: ms after the first send. Absent in first sends, and in rows of earlier versions. */
  readonly after?: number;
  readonly context: Context;
}

/** open: nobody has dealt with it; acknowledged: somebody said so; resolved: what it was about is over; expired: old, and nothing waits for it. */
export const NOTIFICATION_STATES = ['open', 'acknowledged', 'resolved', 'expired'] as const;
export type NotificationState = (typeof NOTIFICATION_STATES)[number];

/** The states of one that is not over. */
export const NOT_OVER = ['open', 'acknowledged'] as const satisfies readonly NotificationState[];

/** The kinds of those that their session ends by going on; nothing but time and people end others. */
export const ENDED_BY_SESSION = [
  'agent.waiting',
  'agent.finished',
  'session.failed',
  'session.ended',
] as const satisfies readonly Kind[];

/** Most of these that one session keeps open: its decisions read them. With one more, the oldest give way ... */
export const MOST_OPEN = 100;
/** ... until so many are left: together, as each of them changes what it was shown in. */
export const LEFT_OPEN = 80;

/** One event of a batch. */
export interface BatchMember extends Member {
  /** Nobody needs to be notified of it any more. */
  readonly isOver: boolean;
  /** Those that it came to by this batch. */
  readonly channels: readonly string[];
  /** Its escalation and reminders are the batch's; absent where the batch has none of its own members'. */
  readonly later?: true;
}

/** What a notification with members, that of a group, a storm or a digest, keeps besides its events. */
export interface GroupState {
  /** All of them, oldest first. */
  readonly members: readonly BatchMember[];
  /** When it was sent or changed last, Unix ms. */
  readonly sentAt: number;
  /** Updates are at least so far apart, ms. */
  readonly every: number;
}

/** That somebody has seen it. */
export interface Acknowledgement {
  /** Unix ms. */
  readonly at: number;
  readonly by: string;
  /** The way: `command line`, a channel's name, `page`. */
  readonly via: string;
  /** They answered what it asks; absent: they only saw it. */
  readonly answered?: true;
}

/** A row: what people were notified of, whatever the channel. */
export interface Notification {
  /** See notificationIdOf. */
  readonly id: string;
  readonly threadKey: string;
  readonly kind: Kind;
  readonly detail: string | null;
  readonly urgency: Urgency;
  readonly state: NotificationState;
  /** Of its content, from 1. */
  readonly revision: number;
  /** Grows with each write; 0: never written. */
  readonly version: number;
  readonly eventIds: readonly string[];
  /** Absent: it has no members. */
  readonly group?: GroupState;
  /** The group, storm or digest in which its event was sent to some channels or all of them; absent: none. */
  readonly inGroup?: string;
  /** For lists, redacted. */
  readonly title: string;
  /** Unix ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly acknowledged: Acknowledgement | null;
  readonly resolved: { readonly at: number; readonly why: string } | null;
  /** Unix ms before which it never expires; after it, once nothing of it waits any more (`Store.expireNotifications`). */
  readonly expiresAt: number;
  /** By how much somebody has put off what follows it, ms; absent: by nothing. */
  readonly putOff?: number;
}

/** An open notification may expire after this, ms. */
export const NOTIFICATION_LIFETIME = 24 * 3_600_000;

/** When its first event happened, Unix ms, which may be long before Belfry heard of it; null: that event is not kept. */
export const happenedAt = (
  { createdAt }: Pick<Notification, 'createdAt'>,
  event: { readonly at: number } | null,
): number => Math.min(event?.at ?? createdAt, createdAt);
