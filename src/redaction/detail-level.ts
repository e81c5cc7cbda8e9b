// How much of a notification leaves the machine, per channel, and redaction of all its text.
import { cutGraphemes } from '../lib/text/text.ts';
import type { Event } from '../model/event/event.ts';
import type { Level, Member, NotificationContent } from '../model/notification/notification.ts';
import type { Redactor } from './redactor.ts';

/** Longest body at level `short`. */
const SHORT = 140;

/**
 * The notification at this level: `full` as it is; `short` the first line of the body; `title` the title alone. The agent's terminal stays:
 * no channel hands it on, and one of this machine shows the notification there.
 */
export function atLevel(notification: NotificationContent, level: Level): NotificationContent {
  if (level === 'full') return notification;
  const { event } = notification;
  const keep = (text: string): string => (level === 'short' ? cutGraphemes(firstLine(text), SHORT) : '');
  return {
    ...notification,
    body: keep(notification.body),
    event: {
      ...event,
      cwd: level === 'short' ? event.cwd : null,
      branch: level === 'short' ? event.branch : null,
      // What a title says is in the title; what the client calls its sessions and ends stays here.
      ...(level === 'title' ? { sessionId: null, project: null, reason: null, detail: null } : {}),
      message: event.message === null || level === 'title' ? null : keep(event.message),
      presetText:
        event.presetText === null ? null : { title: event.presetText.title, body: keep(event.presetText.body) },
      attributes: {},
    },
    ...(notification.members && { members: notification.members.map((member) => memberAtLevel(member, level)) }),
    context: { messages: [] },
  };
}

/** Its title says what may be said. */
function memberAtLevel({ event, title }: Member, level: Level): Member {
  if (level !== 'title') return { event, title };
  return { event: { ...event, cwd: null, branch: null, sessionId: null, project: null, detail: null }, title };
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

/** The notification with every text of agents and users redacted. */
export function redactContent(notification: NotificationContent, redactor: Redactor): NotificationContent {
  const { text } = redactor;
  return {
    ...notification,
    title: text(notification.title),
    body: text(notification.body),
    event: redactEvent(notification.event, redactor),
    context: { messages: notification.context.messages.map((m) => ({ ...m, text: text(m.text) })) },
  };
}

/** The event with every text of agents and users redacted; ids and closed vocabularies stay. */
export function redactEvent(event: Event, redactor: Redactor): Event {
  const text = (value: string | null): string | null => (value === null ? null : redactor.text(value));
  return {
    ...event,
    cwd: text(event.cwd),
    project: text(event.project),
    branch: text(event.branch),
    message: text(event.message),
    reason: text(event.reason),
    detail: text(event.detail),
    presetText: event.presetText && {
      title: redactor.text(event.presetText.title),
      body: redactor.text(event.presetText.body),
    },
    attributes: redactValue(event.attributes, redactor) as Event['attributes'], // an object in gives an object out
  };
}

/** Deepest nesting that is followed; what lies below is left out. */
const DEEPEST = 30;

function redactValue(value: unknown, redactor: Redactor, depth = 0): unknown {
  if (typeof value === 'string') return redactor.text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return null;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redactor, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactValue(item, redactor, depth + 1)]));
}
