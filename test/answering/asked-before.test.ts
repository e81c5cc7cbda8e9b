// A question that is put again by a client: which earlier one it goes on with, by how that one ended.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askedBefore } from '../../src/answering/questions/asked-before.ts';
import { sessionKeyText } from '../../src/model/ids.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import { openStore } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/home.ts';

const session = { ...HERE, agent: 'opencode', sessionId: 's' };

/** How each question of the same input ended, in order: a reason, or an answer. */
test.each<[string, string[], string | null]>([
  ['it was never asked', [], null],
  ['the daemon stopped', ['the daemon stopped'], 'ntf_0'],
  ['the daemon was killed', ['the daemon was restarted'], 'ntf_0'],
  ['nobody knows whether it took an answer', ['an answer was sent, but the agent did not confirm it'], 'ntf_0'],
  ['its session was lost for long', ['its session is gone'], 'ntf_0'],
  [
    'it was answered at the terminal after its session was lost',
    ['its session is gone', 'answered at the terminal'],
    null,
  ],
  ['it was answered at the terminal', ['answered at the terminal'], null],
  ['it was answered from elsewhere', ['ANSWERED'], null],
  ['the daemon stopped, and it was answered after that', ['the daemon stopped', 'ANSWERED'], null],
  ['it was answered, and asked again before the daemon stopped', ['ANSWERED', 'the daemon stopped'], 'ntf_1'],
  ['its time was over', ['the daemon stopped', 'the time to answer was over'], null],
])('%s', async (_what, ends, found) => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  try {
    for (const [i, end] of ends.entries()) {
      const named = { id: `q${i}`, nonce: 'nonce', inputHash: 'input' };
      const rest = { kind: 'permission', subject: {}, deadline: Date.now() + 60_000 } as const;
      await store.putQuestion({ ...named, ...rest, notificationId: `ntf_${i}`, sessionKey: sessionKeyText(session) });
      if (end === 'ANSWERED') {
        await store.answerQuestion({ ...named, answer: {}, by: 'ada', now: Date.now() });
        await store.settleAnswer({ ...named, by: 'ada', why: null });
      } else await store.closeQuestion(named.id, end);
    }
    const asked = { session, digest: 'input' };
    expect(await askedBefore(store, asked)).toBe(found);
    expect(await askedBefore(store, { ...asked, digest: 'other' })).toBeNull();
  } finally {
    await store.close();
  }
});
