// Events, notifications and deliveries with everything set, for tests that care about one field.
import { type Delivery, NO_RETRIES } from '../../src/model/delivery.ts';
import type { Event } from '../../src/model/event.ts';
import type { Notification } from '../../src/model/notification.ts';
import type { SessionRecord } from '../../src/model/session.ts';
import type { Decision, JournalEntry } from '../../src/store/contract.ts';

/** Noon of a summer's day, where the virtual clock begins. */
export const NOON = Date.UTC(2026, 5, 1, 12);

export function madeEvent(more: Partial<Event> = {}): Event {
  return {
    id: 'event-0001',
    kind: 'agent.finished',
    agent: 'generic',
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
    words: null,
    extra: {},
    ...more,
  };
}

export function madeNotification(more: Partial<Notification> = {}): Notification {
  return {
    title: 'payments: finished',
    body: 'on main',
    urgency: 'normal',
    abnormal: false,
    count: 1,
    event: madeEvent(),
    context: { messages: [] },
    ...more,
  };
}

export function madeDelivery(more: Partial<Delivery> = {}): Delivery {
  return {
    id: 'delivery-0001',
    eventId: 'event-0001',
    channel: 'team',
    sessionKey: 'generic:session-1',
    notification: madeNotification(),
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

export function madeEntry(more: Partial<JournalEntry> = {}): JournalEntry {
  return {
    id: 'event-0001',
    source: 'socket',
    startedAt: NOON,
    receivedAt: NOON,
    header: '{"v":1}',
    raw: new Uint8Array([123, 125]),
    ...more,
  };
}

export function madeDecision(more: Partial<Decision> = {}): Decision {
  return {
    entryId: 'event-0001',
    at: NOON,
    events: [{ event: madeEvent(), fingerprint: null, verdicts: [] }],
    deliveries: [],
    timers: { set: [], clear: [] },
    sessions: [],
    ...more,
  };
}

export function madeSession(more: Partial<SessionRecord> = {}): SessionRecord {
  return {
    agent: 'generic',
    sessionId: 'session-1',
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
    lastWords: null,
    turnStarted: null,
    finishTold: null,
    promptedAt: null,
    running: [],
    subagents: [],
    parentSessionId: null,
    process: null,
    marks: {},
    ...more,
  };
}
