// What waits for a person, each thing once: a group, or each of its members where one of them asks something or was sent alone.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { NewQuestion } from '../../src/model/question/question.ts';
import type { Notification } from '../../src/model/notification/notification.ts';
import { notificationIdOf } from '../../src/model/ids.ts';
import { openStore } from '../../src/store/open.ts';
import { readPending } from '../../src/store/pending.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDecision, madeDelivery, madeEvent, madeNotification } from '../support/made.ts';
import { commitOne } from '../support/store-writes.ts';

const GROUP = 'ntf_group';
const BATCH = { eventIds: ['a', 'b'], group: { members: [], sentAt: 0, every: 0 } };

const rows: readonly {
  is: string;
  notifications: readonly Partial<Notification>[];
  sent: string[];
  shown: string[];
}[] = [
  { is: 'nothing', notifications: [], sent: [], shown: [] },
  { is: 'one that nobody was notified of yet', notifications: [{ id: 'a' }], sent: [], shown: ['a'] },
  {
    is: 'a group with its members',
    notifications: [{ id: GROUP }, { id: 'a', inGroup: GROUP }, { id: 'b', inGroup: GROUP }],
    sent: [GROUP],
    shown: [GROUP],
  },
  {
    is: 'a member that another channel got alone',
    notifications: [{ id: GROUP }, { id: 'a', inGroup: GROUP }, { id: 'b', inGroup: GROUP }],
    sent: [GROUP, 'b'],
    shown: ['a', 'b'],
  },
  {
    is: 'a member whose group is acknowledged',
    notifications: [
      { id: GROUP, state: 'acknowledged' },
      { id: 'a', inGroup: GROUP },
    ],
    sent: [GROUP],
    shown: ['a'],
  },
  {
    is: 'what was sent by hand to be read',
    notifications: [{ id: 'hi', kind: 'test' }, { id: 'a' }],
    sent: ['hi', 'a'],
    shown: ['a'],
  },
  {
    is: 'what is over',
    notifications: [{ id: 'a', state: 'resolved' }, { id: 'b', state: 'expired' }, { id: 'c' }],
    sent: ['a', 'c'],
    shown: ['c'],
  },
];

test.each(rows)('$is', async ({ notifications, sent, shown }) => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  try {
    await commitOne(
      store,
      madeDecision({
        events: [{ event: madeEvent(), fingerprint: null, verdicts: [] }],
        notifications: notifications.map(({ id = '', ...more }, i) =>
          madeNotification({ id, threadKey: `thread-${i}`, ...(id === GROUP ? BATCH : { eventIds: [id] }), ...more }),
        ),
        deliveries: sent.map((id) =>
          madeDelivery({ id: `dlv_${id}`, notificationId: id, threadKey: id, state: 'sent', channel: 'desk' }),
        ),
      }),
    );
    const { notifications: found } = await readPending(store);
    expect(found.map(({ notification }) => notification.id).sort()).toEqual([...shown].sort());
    for (const { notification, notified } of found)
      expect(notified).toEqual(sent.includes(notification.id) ? ['desk'] : []);
  } finally {
    await store.close();
  }
});

test.each(['pending', 'sent'] as const)('a digest counts once it was sent: %s', async (state) => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  try {
    const held = { state: 'superseded', heldBy: 'quiet', lastError: 'in the digest ntf_digest' } as const;
    await commitOne(
      store,
      madeDecision({
        notifications: [madeNotification({ id: 'held' })],
        deliveries: [
          madeDelivery({ id: 'first', notificationId: 'held', channel: 'desk', ...held }),
          madeDelivery({
            id: 'digest',
            notificationId: 'ntf_digest',
            channel: 'desk',
            threadKey: 'digest:quiet:1',
            state,
          }),
        ],
      }),
    );
    const { notifications } = await readPending(store);
    const expected = state === 'sent' ? ['desk'] : [];
    expect(notifications.map(({ notified, inDigest }) => [notified, [...inDigest]])).toEqual([[expected, expected]]);
  } finally {
    await store.close();
  }
});

const asked = (id: string, notificationId: string): NewQuestion => ({
  id,
  notificationId,
  sessionKey: 'box/dev/claude/s',
  kind: 'permission',
  subject: {},
  inputHash: 'hash',
  nonce: 'nonce',
  deadline: Date.now() + 60_000,
});

test('a group of which one asks something: each of its members by itself, with where the group came to', async () => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  try {
    const group = notificationIdOf('group');
    const [a, b] = ['event-a', 'event-b'].map(notificationIdOf) as [string, string];
    const notice = (id: string, ...eventIds: string[]) => madeNotification({ id, threadKey: id, eventIds });
    const held = { state: 'superseded', heldBy: 'group:x', lastError: `in the group ${group}` } as const;
    await commitOne(
      store,
      madeDecision({
        notifications: [
          { ...notice(group, 'event-a', 'event-b'), group: BATCH.group },
          notice(a, 'event-a'),
          notice(b, 'event-b'),
        ],
        deliveries: [
          madeDelivery({ id: 'a', notificationId: a, threadKey: 'a', channel: 'desk', ...held }),
          madeDelivery({ id: 'b', notificationId: b, threadKey: 'b', channel: 'desk', ...held }),
          madeDelivery({ id: 'group', notificationId: group, threadKey: 'g', channel: 'desk', state: 'sent' }),
        ],
      }),
    );
    const shown = async () =>
      (await readPending(store)).notifications.map(({ notification, notified, inDigest }) => [
        notification.id,
        notified,
        inDigest.size,
      ]);
    expect(await shown()).toEqual([[group, ['desk'], 0]]);
    await store.putQuestion(asked('q', b));
    expect(await shown()).toEqual([
      [b, ['desk'], 0],
      [a, ['desk'], 0],
    ]);
  } finally {
    await store.close();
  }
});

test('every open question: two of one notification, one of an acknowledged one, and one of none', async () => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  try {
    await commitOne(
      store,
      madeDecision({
        events: [{ event: madeEvent(), fingerprint: null, verdicts: [] }],
        notifications: [
          madeNotification({ id: 'quiet', threadKey: 'a' }),
          madeNotification({ id: 'asking', threadKey: 'b' }),
          madeNotification({ id: 'seen', threadKey: 'c', state: 'acknowledged' }),
        ],
      }),
    );
    for (const [id, of] of [
      ['q1', 'asking'],
      ['q2', 'asking'],
      ['q3', 'seen'],
      ['q4', 'none'],
      ['q5', 'asking'],
    ] as const)
      await store.putQuestion(asked(id, of));
    await store.closeQuestion('q5', 'answered at the terminal');
    const { notifications, questions } = await readPending(store);
    const found = notifications.map(({ notification, questions: own }) => [notification.id, own.map(({ id }) => id)]);
    expect(Object.fromEntries(found)).toEqual({ asking: ['q1', 'q2'], seen: ['q3'], quiet: [] });
    expect(found.at(-1)?.[0]).toBe('quiet');
    expect(questions.map(({ id }) => id)).toEqual(['q4']);
  } finally {
    await store.close();
  }
});
