// What an input is by its session's row is decided over that row, whoever writes it meanwhile.
import { expect, test } from 'vitest';
import { asFailure } from '../../src/daemon/sessions/turn-evidence.ts';
import type { SessionRecord } from '../../src/model/session/session.ts';
import { pipelineHarness } from '../support/pipeline-harness.ts';
import { keepSession } from '../support/store-writes.ts';

const HOOK = { session_id: 'a', cwd: '/home/dev/src/payments' };

test.each([
  ['finished', 'failed', 'session.failed'],
  ['failed', 'finished', 'agent.finished'],
])(
  'a turn that %s by the row that was read, and %s by the one that another wrote meanwhile',
  async (before, after, kind) => {
    const judgedBy: (string | null | undefined)[] = [];
    const rows: SessionRecord[] = [];
    const harness = await pipelineHarness(undefined, {
      judge: async (incoming) =>
        incoming.type === 'event' || incoming.parsed.signal !== 'finished'
          ? { incoming }
          : {
              incoming,
              byRow: (record) => {
                judgedBy.push(record?.transcript);
                const evidence = { outcome: 'failed', turn: 't', cause: 'network', message: 'gone' } as const;
                return record?.transcript === 'failed' ? asFailure(incoming, evidence) : incoming;
              },
            },
      // Between the read of the row and all that follows from it.
      place: async () => {
        const row = rows.pop();
        if (row !== undefined) await keepSession(harness.store, { ...row, transcript: after });
        return { project: 'payments', branch: null };
      },
    });
    await harness.feed(
      { ...HOOK, hook_event_name: 'UserPromptSubmit', prompt: 'Go on', transcript_path: before },
      { agent: 'claude' },
    );
    await harness.settle();
    rows.push(...(await harness.store.sessions({})));
    await harness.feed({ ...HOOK, hook_event_name: 'Stop' }, { agent: 'claude' });
    await harness.settle();
    expect(judgedBy).toEqual([before, after]);
    expect((await harness.store.notifications({})).map((one) => one.kind)).toEqual([kind]);
    expect((await harness.notified()).map(({ content }) => content.event.kind)).toEqual([kind]);
  },
);
