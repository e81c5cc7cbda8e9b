// Rows as programs are given them, by `--json` and the HTTP interface: stable names, times as ISO 8601. Fields are added, never renamed.
import type { RemoteStatus } from './remote-status.ts';
import type { Attempt, Delivery } from './delivery/delivery.ts';
import type { SessionRecord } from './session/session.ts';
import type { Event } from './event/event.ts';
import type { Notification } from './notification/notification.ts';
import { limitOf } from './agent/limits.ts';
import { pathKeyOf, sessionKeyText } from './ids.ts';

/** ISO 8601, or null for a time that is not known or that no calendar has. */
export function iso(at: number | null): string | null {
  if (at === null) return null;
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Of a time that no calendar has, where there has to be one. */
const NO_DATE = new Date(0).toISOString();

/** An event, without its verdicts. */
export function eventJson({ event }: { readonly event: Event }) {
  const { hookEvent, sessionId, at, ...rest } = event;
  return { ...rest, hook_event: hookEvent, session_id: sessionId, at: iso(at) ?? NO_DATE };
}

/** A delivery, without the notification's text but its title. */
export function deliveryJson(delivery: Delivery) {
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
    due: iso(delivery.due) ?? NO_DATE,
    created_at: iso(delivery.createdAt) ?? NO_DATE,
    updated_at: iso(delivery.updatedAt) ?? NO_DATE,
    last_reason: delivery.lastReason,
    last_error: delivery.lastError,
  };
}

/** A notification: what has become of it. */
export function notificationJson({ id, state, revision, acknowledged, resolved, eventIds }: Notification) {
  return {
    id,
    state,
    revision,
    event_ids: eventIds,
    acknowledged: acknowledged === null ? null : { ...acknowledged, at: iso(acknowledged.at) },
    resolved: resolved === null ? null : { ...resolved, at: iso(resolved.at) },
  };
}

/** An attempt at a delivery. */
export function attemptJson({ deliveryId: _, at, ...rest }: Attempt) {
  return { at: iso(at) ?? NO_DATE, ...rest };
}

/** How a machine elsewhere is. */
export function remoteJson({ since, roundTrip, lastEvent, ...rest }: RemoteStatus) {
  return { ...rest, since: iso(since) ?? NO_DATE, round_trip_ms: roundTrip, last_event: iso(lastEvent) };
}

/** What is known of a session beside its record. Times are Unix ms. */
export interface BesideRecord {
  /** When Belfry lets it go on; null: that is not planned. */
  readonly continuesAt: number | null;
  /** Since when its machine elsewhere is not reachable; null: it is, or nobody wants it to be. */
  readonly unreachableSince: number | null;
}

/** A session of the session record. */
export function sessionJson(record: SessionRecord, { continuesAt, unreachableSince }: BesideRecord) {
  const limit = limitOf(record);
  const { agent, state, cwd, project, branch, title, running, subagents, process } = record;
  return {
    agent,
    host: record.host,
    user: record.user,
    session_id: record.sessionId,
    key: pathKeyOf(sessionKeyText(record)),
    state,
    since: iso(record.since) ?? NO_DATE,
    first_seen: iso(record.firstSeen) ?? NO_DATE,
    last_event: iso(record.lastEvent) ?? NO_DATE,
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
    limit: limit && { name: limit.name, resets_at: iso(limit.resetsAt), goes_on: limit.resumes === true },
    continues_at: iso(continuesAt),
    unreachable_since: iso(unreachableSince),
  };
}
