// A context that is slow, as of a service that takes its time: nothing waits for it, neither what is taken back nor the session's next event.
import { expect, test } from 'vitest';
import type { Context } from '../../src/model/notification/notification.ts';
import { type PipelineHarness, pipelineHarness } from '../support/pipeline-harness.ts';
import { settleOne } from '../support/store-writes.ts';

const SETTINGS = `
[context]
kinds = ["agent.waiting", "agent.finished"]
timeout = "1s"
[channels.phone]
type = "ntfy"
topic = "a-topic-that-nobody-guesses"
[channels.log]
type = "webhook"
url = "http://127.0.0.1:9/"
allow_private = true
updates = true
[[routes]]
to = ["phone", "log"]
`;

const ASK = {
  session_id: 'a',
  cwd: '/home/dev/src/payments',
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command: 'make' },
  tool_use_id: 'one',
};
const ANSWERED = { ...ASK, hook_event_name: 'PostToolUse', tool_response: {} };
const SAID: Context = { messages: [{ role: 'assistant', text: 'I need to build it', at: null, from: 'service' }] };

/** `ms`: how long the context takes. */
async function asked(ms: number): Promise<PipelineHarness> {
  const harness = await pipelineHarness(SETTINGS, {
    context: () => new Promise((resolve) => void harness.clock.setTimer(ms, () => resolve(SAID))),
  });
  await harness.feed(ASK, { agent: 'claude' });
  await harness.ingest.idle();
  return harness;
}

/** What goes out of each channel by now, in order, as its worker would take it. */
async function sent({ store, clock }: PipelineHarness): Promise<readonly string[]> {
  const got: string[] = [];
  for (const channel of ['phone', 'log'])
    for (const row of await store.claim(channel, { limit: 10, leaseMs: 1_000, now: clock.now() })) {
      const said = JSON.stringify(row.content).includes('I need to build it');
      got.push(`${channel} ${row.operation}${said ? ' with its context' : ''}`);
    }
  return got;
}

test('a prompt that is answered meanwhile goes out to nobody, and a record hears both, one after the other', async () => {
  const harness = await asked(2_500);
  const { store, clock } = harness;
  await clock.advance(900);
  expect((await store.notifications({ states: ['open'] })).map(({ kind }) => kind)).toEqual(['agent.waiting']);
  expect(await sent(harness)).toEqual([]);
  await harness.feed(ANSWERED, { agent: 'claude' });
  await harness.settle();
  expect((await store.notifications({})).map(({ state }) => state)).toEqual(['resolved']);
  expect((await store.deliveries({ channel: 'phone' })).map(({ state }) => state)).toEqual(['cancelled']);
  await clock.advance(3_000);
  expect(await sent(harness)).toEqual(['log send']);
  const [row] = await store.deliveries({ channel: 'log', states: ['leased'] });
  await settleOne(store, row?.id ?? '', row?.token ?? '', {
    attempt: null,
    state: 'sent',
    due: clock.now(),
    lastReason: null,
    lastError: null,
    receipt: null,
    counters: { failures: 0, deferrals: 0, unknowns: 0 },
  });
  expect(await sent(harness)).toEqual(['log update']);
});

test.each([
  ['comes within its time: with it, as soon as it is there', 400, 500, ' with its context'],
  ['comes too late: without it, when its time is over', 5_000, 1_300, ''],
])('what nobody answers, and whose context %s', async (_name, ms, goesAt, said) => {
  const harness = await asked(ms);
  await harness.clock.advance(Math.min(ms, 1_200) - 10);
  expect(await sent(harness)).toEqual([]);
  await harness.clock.advance(goesAt - Math.min(ms, 1_200) + 10);
  expect(await sent(harness)).toEqual([`phone send${said}`, `log send${said}`]);
});

test('a context that is there at once is part of the one decision', async () => {
  const harness = await asked(10);
  await harness.clock.advance(20);
  await harness.settle();
  expect(harness.decisions).toHaveLength(1);
  expect(await sent(harness)).toEqual(['phone send with its context', 'log send with its context']);
});

test('what a killed daemon left goes out without its context, when its time is over', async () => {
  const harness = await asked(1_000);
  await harness.clock.advance(100);
  await harness.runner.stop();
  await harness.clock.advance(5_000);
  expect(await sent(harness)).toEqual(['phone send', 'log send']);
  expect(harness.decisions).toHaveLength(1);
});

test('what the session says next is decided at once, and goes out after what waits for its context', async () => {
  const harness = await asked(400);
  const { store, clock } = harness;
  await clock.advance(100);
  await harness.feed({ ...ASK, hook_event_name: 'Notification', message: 'Look here' }, { agent: 'claude' });
  await harness.settle();
  expect(await store.notifications({ states: ['open'] })).toHaveLength(2);
  expect(await sent(harness)).toEqual([]);
  await clock.advance(700);
  expect(await sent(harness)).toEqual(['phone send with its context', 'log send with its context']);
  const rows = await store.deliveries({ channel: 'log', limit: 10 });
  expect(rows.map(({ state }) => state).sort()).toEqual(['leased', 'pending']);
});
