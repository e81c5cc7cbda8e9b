// Fills a database as months of use would: events with their inputs, notifications and deliveries, and a backlog of a failing channel.
import { newDelivery } from '../src/model/delivery/delivery.ts';
import { deliveryIdOf, notificationIdOf, sessionKeyText } from '../src/model/ids.ts';
import { HERE } from '../src/model/session/whereabouts.ts';
import type { Event } from '../src/model/event/event.ts';
import type { Store } from '../src/store/contract.ts';
import { openStore } from '../src/store/open.ts';
import { commitOne } from '../test/support/store-writes.ts';

const DAY = 24 * 3_600_000;
/** Written in one transaction. */
const AT_ONCE = 250;

interface Filled {
  /** Channels that were sent every event. */
  readonly channels: readonly string[];
  /** Sessions, of many events each. */
  readonly sessions: number;
  /** One that has deliveries paused, and how many. */
  readonly backlog: { readonly channel: string; readonly count: number };
}

function eventOf(id: string, n: number, at: number, sessions: number): Event {
  return {
    id,
    kind: 'agent.finished',
    agent: 'generic',
    ...HERE,
    place: null,
    hookEvent: 'Stop',
    sessionId: `past-${n % sessions}`,
    cwd: '/home/dev/src/payments',
    project: 'payments',
    branch: 'main',
    message: 'All tests pass now. '.repeat(20),
    reason: null,
    abnormal: false,
    detail: null,
    urgency: 'normal',
    at,
    presetText: null,
    attributes: {},
  };
}

async function one(store: Store, n: number, at: number, { channels, sessions, backlog }: Filled): Promise<void> {
  const id = `past-${String(n).padStart(7, '0')}`;
  const event = eventOf(id, n, at, sessions);
  const raw = Buffer.from(JSON.stringify({ session_id: event.sessionId, text: 'x'.repeat(700) }));
  const header = '{"v":1,"agent":"generic"}';
  await store.append({ id, source: 'socket', startedAt: at, receivedAt: at, header, raw, orderingKey: null });
  const threadKey = sessionKeyText({ ...HERE, agent: 'generic', sessionId: event.sessionId ?? '' });
  const of = { notificationId: notificationIdOf(id), eventId: id, threadKey };
  const title = 'payments: Generic finished';
  const { kind, detail, urgency } = event;
  const content = {
    title,
    body: event.message ?? '',
    urgency,
    abnormal: false,
    count: 1,
    event,
    events: [id],
    context: { messages: [] },
  };
  const waits = n < backlog.count;
  await commitOne(store, {
    entryId: id,
    at,
    cancel: [],
    timers: { set: [], clear: [] },
    sessions: [],
    events: [
      { event, fingerprint: null, verdicts: [{ stage: 'route', verdict: 'route', note: `to ${channels.join()}` }] },
    ],
    notifications: [
      {
        id: of.notificationId,
        threadKey,
        kind,
        detail,
        urgency,
        title,
        eventIds: [id],
        revision: 1,
        version: 0,
        createdAt: at,
        updatedAt: at,
        acknowledged: null,
        expiresAt: at + DAY,
        ...(waits ? { state: 'open', resolved: null } : { state: 'resolved', resolved: { at, why: 'you went on' } }),
      },
    ],
    deliveries: channels.map((channel) => ({
      ...newDelivery(at),
      ...of,
      id: deliveryIdOf(id, channel),
      channel,
      operation: 'send',
      revision: 1,
      step: 0,
      content,
      unless: 'none',
      only: 'always',
      heldBy: null,
      state: waits && channel === backlog.channel ? 'paused' : 'sent',
    })),
  });
}

/** Fills it up to so many bytes; returns how many events it holds. */
export async function fillDatabase(file: string, bytes: number, filled: Filled): Promise<number> {
  const store = await openStore(file);
  const from = Date.now() - 6 * DAY;
  let n = 0;
  for (; (await store.counts()).bytes < bytes; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => one(store, n + i, from + (n + i) * 1_000, filled)));
  await store.close();
  return n;
}
