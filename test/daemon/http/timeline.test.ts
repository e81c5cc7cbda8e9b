// A session's timeline of rows made by hand: how each wait ends, what came together with others, and whose session it is.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { getTimeline } from '../../../src/daemon/http/reads/timeline.ts';
import type { Event } from '../../../src/model/event/event.ts';
import { notificationIdOf } from '../../../src/model/ids.ts';
import type { Notification } from '../../../src/model/notification/notification.ts';
import { openStore } from '../../../src/store/open.ts';
import { temporaryFolder } from '../../support/home.ts';
import {
  madeContent,
  madeDecision,
  madeDelivery,
  madeEvent,
  madeNotification,
  madeSession,
} from '../../support/made.ts';
import { commitOne } from '../../support/store-writes.ts';

const MINUTE = 60_000;
/** Noon here, in whatever zone: what is today depends on that. */
const NOON = new Date(2026, 5, 1, 12).getTime();

const asks = (id: string, minute: number, more: Partial<Event> = {}): Event =>
  madeEvent({ id, kind: 'agent.waiting', detail: 'permission', at: NOON + minute * MINUTE, ...more });

const about = (event: Event, more: Partial<Notification> = {}): Notification =>
  madeNotification({
    id: notificationIdOf(event.id),
    eventIds: [event.id],
    title: event.id,
    createdAt: event.at,
    ...more,
  });

test('an answer, a resolution, an acknowledgement that answers nothing, and what nobody knows', async () => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  onTestFinished(() => store.close());
  const ids = ['answered', 'resolved', 'seen', 'expired', 'unrouted'] as const;
  const [answered, resolved, seen, expired, unrouted] = ids.map((id, i) => asks(id, i * 10)) as [Event, ...Event[]] as [
    Event,
    Event,
    Event,
    Event,
    Event,
  ];
  const elsewhere = asks('elsewhere', 5, { host: 'another' });
  const members = ids.slice(0, 2);
  await commitOne(
    store,
    madeDecision({
      events: [answered, resolved, seen, expired, unrouted, elsewhere].map((event) => ({
        event,
        fingerprint: null,
        verdicts: [],
      })),
      sessions: [madeSession()],
      notifications: [
        about(answered, {
          inGroup: 'digest',
          state: 'resolved',
          acknowledged: { at: NOON + 4 * MINUTE, by: 'dani', via: 'phone', answered: true },
          resolved: { at: NOON + 6 * MINUTE, why: 'the agent went on' },
        }),
        about(resolved, { state: 'resolved', resolved: { at: NOON + 12 * MINUTE, why: 'allowed in the terminal' } }),
        about(seen, { state: 'acknowledged', acknowledged: { at: NOON + 21 * MINUTE, by: 'dani', via: 'page' } }),
        about(expired, { state: 'expired' }),
      ],
      deliveries: [
        madeDelivery({
          id: 'd1',
          notificationId: 'digest',
          threadKey: 'digest:1',
          state: 'sent',
          updatedAt: NOON + 2 * MINUTE,
          content: madeContent({ count: 2, title: '2 prompts', events: [...members] }),
        }),
        madeDelivery({ id: 'd2', notificationId: notificationIdOf('seen'), state: 'cancelled' }),
      ],
    }),
  );
  const rules = { routes: [], channels: [], home: '/home/dev' };
  const context = {
    store,
    now: NOON + 50 * MINUTE,
    displayName: () => 'Generic',
    rules,
    lost: new Map<string, number>(),
  };
  const found = await getTimeline(context, { params: { key: 'session-1' }, query: { since: NOON }, body: {} });
  const rows = found.rows.map(({ what, at, text }) => [what, (Date.parse(at) - NOON) / MINUTE, text]);
  const title = 'payments: Generic needs your permission';
  expect(rows).toEqual([
    ['wait', 0, `${title}: waited 4 min`],
    ['sent', 2, 'Sent to team, with 1 more: 2 prompts'],
    ['answer', 4, 'answered: answered by dani through phone'],
    ['wait', 10, `${title}: waited 2 min`],
    ['end', 12, 'resolved: allowed in the terminal'],
    ['wait', 20, `${title}: has waited 30 min`],
    ['end', 21, 'seen: acknowledged by dani through page'],
    ['wait', 30, title],
    ['wait', 40, title],
  ]);
  // Of those that end, and of the one that goes on: what is not known counts for nothing.
  expect(found.waited_today).toEqual({ seconds: 36 * 60, text: '36 min waited for you today.' });
  expect(found.rows.map(({ event_id }) => event_id)).not.toContain('elsewhere');
});
