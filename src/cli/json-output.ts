// What `--json` prints: stable names, times as ISO 8601. Fields are added, never renamed.
import { hostname } from 'node:os';
import type { Attempt, Delivery } from '../model/delivery.ts';
import type { Notification } from '../model/notification.ts';
import type { SessionRecord } from '../model/session.ts';
import type { StoredEvent } from '../store/contract.ts';

type Json = Record<string, unknown>;

/** ISO 8601, or null for a time that is not known or that no calendar has. */
export function iso(at: number | null): string | null {
  if (at === null) return null;
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** An event, without its verdicts. */
export function eventJson({ event }: Pick<StoredEvent, 'event'>): Json {
  const { hookEvent, sessionId, at, ...rest } = event;
  return { ...rest, hook_event: hookEvent, session_id: sessionId, at: iso(at) };
}

/** A delivery, without the notification's text but its title. */
export function deliveryJson(delivery: Delivery): Json {
  const { id, notificationId, eventId, channel, operation, revision, state, attempts, content } = delivery;
  const { event, title, count, urgency } = content;
  return {
    id,
    notification_id: notificationId,
    event_id: eventId,
    channel,
    operation,
    revision,
    state,
    attempts,
    kind: event.kind,
    session_id: event.sessionId,
    title,
    count,
    urgency,
    step: delivery.step,
    held_by: delivery.heldBy,
    unless: delivery.unless,
    only: delivery.only,
    due: iso(delivery.due),
    created_at: iso(delivery.createdAt),
    updated_at: iso(delivery.updatedAt),
    last_reason: delivery.lastReason,
    last_error: delivery.lastError,
  };
}

/** A notification: what has become of it. */
export function notificationJson({ id, state, revision, acknowledged, resolved, eventIds }: Notification): Json {
  return {
    ...{ id, state, revision },
    event_ids: eventIds,
    acknowledged: acknowledged === null ? null : { ...acknowledged, at: iso(acknowledged.at) },
    resolved: resolved === null ? null : { ...resolved, at: iso(resolved.at) },
  };
}

/** An attempt at a delivery. */
export function attemptJson({ deliveryId: _, at, ...rest }: Attempt): Json {
  return { at: iso(at), ...rest };
}

/** A session of the session record. */
export function sessionJson(record: SessionRecord): Json {
  const { agent, state, cwd, project, branch, title, running, subagents, process } = record;
  return {
    agent,
    host: hostname(), // every session in this store ran on this machine
    session_id: record.sessionId,
    state,
    since: iso(record.since),
    first_seen: iso(record.firstSeen),
    last_event: iso(record.lastEvent),
    cwd,
    project,
    branch,
    title,
    waiting_for: record.waitingFor,
    last_words: record.lastAssistantMessage,
    turn_started: iso(record.turnStarted),
    running,
    subagents,
    parent_session_id: record.parentSessionId,
    pid: process?.pid ?? null,
  };
}
