// What waits for a person, as the HTTP interface lists it: every open question, whatever became of its notification.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listNotifications } from '../../../src/daemon/http/reads/notifications.ts';
import { openStore } from '../../../src/store/open.ts';
import { temporaryFolder } from '../../support/home.ts';
import { madeDecision, madeEvent, madeNotification } from '../../support/made.ts';

test('several questions of one notification, and one of none', async () => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  try {
    await store.commitDecision(
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
        ...{ id, notificationId, sessionKey: 'box/dev/claude/s', kind: 'permission', subject: {} },
        ...{ inputHash: 'hash', nonce: 'nonce', deadline: Date.now() + 60_000 },
      });
    const context = { store, now: Date.now(), displayName: (agent: string) => agent };
    const list = (states: ('open' | 'resolved')[]) =>
      listNotifications(context, { params: {}, query: { state: states, limit: 50 }, body: {} });
    const { notifications, questions } = await list(['open']);
    expect(notifications.map((one) => [one.id, one.question?.id, one.questions.map(({ id }) => id)])).toEqual([
      ['asking', 'q1', ['q1', 'q2']],
      ['quiet', undefined, []],
    ]);
    expect(questions).toMatchObject([{ id: 'q3', answers: ['allow', 'deny'], state: 'open' }]);
    expect(await list(['resolved'])).toEqual({ notifications: [], questions: [] });
  } finally {
    await store.close();
  }
});
