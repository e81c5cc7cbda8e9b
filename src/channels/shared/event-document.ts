// The document of an event that programs are given: the webhook's body, and a command's standard input.
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { Member } from '../../model/notification/notification.ts';

/** One event or change; docs/reference/json.md documents the fields. They are added, never renamed. */
export function eventDocument(message: OutgoingMessage): Record<string, unknown> {
  const { content, notificationId, revision, resolution } = message;
  const { event, context, title, body, count } = content;
  const latest = Math.max(event.at, ...(content.members ?? []).map((member) => member.event.at));
  return {
    type: typeOf(message),
    timestamp: isoTime(message.operation === 'send' ? latest : (resolution?.at ?? latest)),
    data: {
      event: {
        id: event.id,
        kind: event.kind,
        agent: event.agent,
        hook_event: event.hookEvent,
        session_id: event.sessionId,
        cwd: event.cwd,
        project: event.project,
        branch: event.branch,
        host: event.host,
        message: event.message,
        reason: event.reason,
        abnormal: event.abnormal,
        detail: event.detail,
        urgency: event.urgency,
        at: isoTime(event.at),
      },
      notification: {
        id: notificationId,
        revision,
        title,
        body,
        count,
        ...(resolution === null ? {} : { [resolution.state]: { why: resolution.why, at: isoTime(resolution.at) } }),
      },
      ...(content.members === undefined ? {} : { events: content.members.map(memberDocument) }),
      context: {
        messages: context.messages.map((m) => ({
          role: m.role,
          text: m.text,
          at: m.at === null ? null : isoTime(m.at),
        })),
      },
    },
  };
}

/** One of the events of a group or a digest. */
function memberDocument({ event, title }: Member): Record<string, unknown> {
  const { sessionId, at, host, user: _user, ...known } = event;
  return { ...known, host, session_id: sessionId, at: isoTime(at), title };
}

/** The event's kind for what is new; a change names the notification. */
function typeOf({ operation, resolution, content }: OutgoingMessage): string {
  if (operation === 'send') return content.event.kind;
  const isOver = operation === 'retract' || resolution?.state === 'resolved';
  return isOver ? 'notification.resolved' : 'notification.updated';
}

/** Unix ms as ISO 8601. Times a Date cannot hold (a client's clock gone wild) become the epoch's start rather than an exception. */
export function isoTime(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}
