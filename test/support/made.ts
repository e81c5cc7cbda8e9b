// Events, notifications and deliveries with everything set, for tests that care about one field.
import { type Delivery, NO_RETRIES } from '../../src/model/delivery/delivery.ts';
import type { Event } from '../../src/model/event/event.ts';
import type { Notification, NotificationContent } from '../../src/model/notification/notification.ts';
import type { SessionRecord } from '../../src/model/session/session.ts';
import type { Decision, JournalEntry } from '../../src/store/contract.ts';

/** Noon of a summer's day, where the virtual clock begins. */
export const NOON = Date.UTC(2026, 5, 1, 12);

/** Machine and user of everything here. */
export const WHERE = { host: 'box', user: 'dev' } as const;
/** The key of `madeSession`. */
export const SESSION = { ...WHERE, agent: 'generic', sessionId: 'session-1' } as const;

export function madeEvent(more: Partial<Event> = {}): Event {
  return {
    id: 'event-0001',
    kind: 'agent.finished',
    agent: 'generic',
    ...WHERE,
    place: null,
    hookEvent: 'Stop',
    sessionId: 'session-1',
    cwd: '/src/payments',
    project: 'payments',
    branch: 'main',
    message: 'done',
    reason: null,
    abnormal: false,
    detail: null,
    urgency: 'normal',
    at: NOON,
    presetText: null,
    attributes: {},
    ...more,
  };
}

export function madeContent(more: Partial<NotificationContent> = {}): NotificationContent {
  return {
    title: 'payments: finished',
    body: 'on main',
    urgency: 'normal',
    abnormal: false,
    count: 1,
    event: madeEvent(),
    events: ['event-0001'],
    context: { messages: [] },
    ...more,
  };
}

export function madeDelivery(more: Partial<Delivery> = {}): Delivery {
  return {
    id: 'delivery-0001',
    eventId: 'event-0001',
    channel: 'team',
    notificationId: 'ntf_0001',
    threadKey: 'box/dev/generic/session-1',
    operation: 'send',
    revision: 1,
    step: 0,
    scheduled: false,
    unless: 'none',
    only: 'always',
    heldBy: null,
    owner: null,
    token: null,
    receipt: null,
    content: madeContent(),
    state: 'pending',
    attempts: 0,
    ...NO_RETRIES,
    due: NOON,
    createdAt: NOON,
    updatedAt: NOON,
    lastReason: null,
    lastError: null,
    ...more,
  };
}

/** A notification's row, never written. */
export function madeNotification(more: Partial<Notification> = {}): Notification {
  return {
    id: 'ntf_0001',
    threadKey: 'box/dev/generic/session-1',
    kind: 'agent.waiting',
    detail: 'permission',
    urgency: 'urgent',
    state: 'open',
    revision: 1,
    version: 0,
    eventIds: ['event-0001'],
    title: 'payments: finished',
    createdAt: NOON,
    updatedAt: NOON,
    acknowledged: null,
    resolved: null,
    expiresAt: NOON + 24 * 3_600_000,
    ...more,
  };
}

export function madeEntry(more: Partial<JournalEntry> = {}): JournalEntry {
  return {
    id: 'event-0001',
    source: 'socket',
    startedAt: NOON,
    receivedAt: NOON,
    header: '{"v":1}',
    raw: new Uint8Array([123, 125]),
    orderingKey: null,
    ...more,
  };
}

export function madeDecision(more: Partial<Decision> = {}): Decision {
  return {
    entryId: 'event-0001',
    at: NOON,
    events: [{ event: madeEvent(), fingerprint: null, verdicts: [] }],
    notifications: [],
    cancel: [],
    deliveries: [],
    timers: { set: [], clear: [] },
    sessions: [],
    ...more,
  };
}

export function madeSession(more: Partial<SessionRecord> = {}): SessionRecord {
  return {
    ...SESSION,
    version: 0,
    state: 'working',
    since: NOON,
    firstSeen: NOON,
    lastEvent: NOON,
    cwd: '/src/payments',
    project: 'payments',
    branch: 'main',
    title: null,
    transcript: null,
    waitingFor: null,
    lastAssistantMessage: null,
    turnStarted: null,
    finishedSincePrompt: null,
    promptedAt: null,
    running: [],
    subagents: [],
    parentSessionId: null,
    process: null,
    memory: {},
    ...more,
  };
}
