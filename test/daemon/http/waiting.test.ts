// What waits for a person, as the HTTP interface lists it: every open question, whatever became of its notification.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listNotifications } from '../../../src/daemon/http/reads/notifications.ts';
import type { Notification } from '../../../src/model/notification/notification.ts';
import { openStore } from '../../../src/store/open.ts';
import { temporaryFolder } from '../../support/home.ts';
import { madeDecision, madeEvent, madeNotification, NOON } from '../../support/made.ts';
import { commitOne } from '../../support/store-writes.ts';

test('several questions of one notification, and one of none', async () => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  try {
    await commitOne(
      store,
      madeDecision({
        events: [{ event: madeEvent(), fingerprint: null, verdicts: [] }],
        notifications: [
          madeNotification({ id: 'quiet', threadKey: 'a' }),
          madeNotification({ id: 'asking', threadKey: 'b' }),
        ],
      }),
    );
    for (const [id, notificationId] of [
      ['q1', 'asking'],
      ['q2', 'asking'],
      ['q3', 'none'],
    ] as const)
      await store.putQuestion({
        id,
        notificationId,
        sessionKey: 'box/dev/claude/s',
        kind: 'permission',
        subject: { partial: null },
        inputHash: 'hash',
        nonce: 'nonce',
        deadline: Date.now() + 60_000,
      });
    const rules = { routes: [], channels: [], home: '/home/dev' };
    const context = {
      store,
      now: Date.now(),
      displayName: (agent: string) => agent,
      rules,
      lost: new Map<string, number>(),
    };
    const list = (states: ('open' | 'resolved')[]) =>
      listNotifications(context, { params: {}, query: { state: states, limit: 50 }, body: {} });
    const { notifications, questions } = await list(['open']);
    expect(notifications.map((one) => [one.id, one.question?.id, one.questions.map(({ id }) => id)])).toEqual([
      ['asking', 'q1', ['q1', 'q2']],
      ['quiet', undefined, []],
    ]);
    expect(questions).toMatchObject([{ id: 'q3', answers: ['allow', 'deny'], state: 'open' }]);
    expect(await list(['resolved'])).toEqual({ notifications: [], questions: [], total: 0 });
  } finally {
    await store.close();
  }
});

test('a list that is cut has what holds an agent up, then what went wrong, then the newest, and says how many there are', async () => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  try {
    const made = (id: string, n: number, more: Partial<Notification>) =>
      madeNotification({ id, threadKey: id, urgency: 'normal', createdAt: NOON + n, updatedAt: NOON + n, ...more });
    const finished = Array.from({ length: 1_200 }, (_, n) => made(`done-${n}`, n + 10, { kind: 'agent.finished' }));
    await commitOne(
      store,
      madeDecision({
        events: [{ event: madeEvent(), fingerprint: null, verdicts: [] }],
        // The oldest of all, and the newest: neither place may cost one its own.
        notifications: [
          made('asks', 0, { state: 'acknowledged' }),
          made('waits', 1, {}),
          made('failed', 2, { kind: 'session.failed' }),
          ...finished,
          made('broken', 5_000, { kind: 'channel.failing' }),
          made('waits-too', 5_001, {}),
        ],
      }),
    );
    const put = {
      sessionKey: 'box/dev/claude/s',
      kind: 'permission',
      subject: {},
      inputHash: 'h',
      nonce: 'n',
    } as const;
    await store.putQuestion({ ...put, id: 'q', notificationId: 'asks', deadline: Date.now() + 60_000 });
    const rules = { routes: [], channels: [], home: '/home/dev' };
    const context = {
      store,
      now: Date.now(),
      displayName: (agent: string) => agent,
      rules,
      lost: new Map<string, number>(),
    };
    const { notifications, total } = await listNotifications(context, {
      params: {},
      body: {},
      query: { state: ['open'], limit: 7 },
    });
    expect(notifications.map(({ id }) => id)).toEqual([
      'asks',
      'waits-too',
      'waits',
      'broken',
      'failed',
      'done-1199',
      'done-1198',
    ]);
    expect(total).toBe(1_205);
  } finally {
    await store.close();
  }
});

test('what Belfry heard of late happened when its event did; without the event when it was heard of', async () => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  try {
    const event = madeEvent({ at: NOON - 600_000 });
    await commitOne(
      store,
      madeDecision({
        events: [{ event, fingerprint: null, verdicts: [] }],
        notifications: [
          madeNotification({ id: 'late', threadKey: 'a', eventIds: [event.id] }),
          madeNotification({ id: 'alone', threadKey: 'b', eventIds: ['gone'] }),
        ],
      }),
    );
    const rules = { routes: [], channels: [], home: '/home/dev' };
    const context = { store, now: NOON, displayName: (agent: string) => agent, rules, lost: new Map<string, number>() };
    const { notifications } = await listNotifications(context, {
      params: {},
      query: { state: ['open'], limit: 50 },
      body: {},
    });
    const [noon, earlier] = [NOON, NOON - 600_000].map((at) => new Date(at).toISOString());
    expect(notifications.map(({ id, since, happened_at: at }) => [id, since, at]).sort()).toEqual([
      ['alone', noon, noon],
      ['late', noon, earlier],
    ]);
  } finally {
    await store.close();
  }
});
