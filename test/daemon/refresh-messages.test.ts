// A question that appears, changes or ends: the messages that have to change are changed once, and no others.
import { afterEach, expect, test } from 'vitest';
import { type ChannelAnswers, createChannelAnswers } from '../../src/daemon/answering/channel-answers.ts';
import { resolveSeen } from '../../src/decisions/resolve-notification.ts';
import type { Config } from '../../src/model/settings/config.ts';
import { type LeasedDelivery, NO_RETRIES } from '../../src/model/delivery/delivery.ts';
import type { Decision, Store } from '../../src/store/contract.ts';
import { permission, stop } from '../support/answering.ts';
import { decidingOf } from '../support/deciding.ts';
import { type PipelineHarness, pipelineHarness } from '../support/pipeline-harness.ts';
import { commitOne, settleOne } from '../support/store-writes.ts';

const SETTINGS = `
[answer]
channels = ["phone"]
[channels.phone]
type = "telegram"
token = "12345:abcdefghijklmnopqrstuvwxyz0123456789"
chat = 7
allow = [42]
[[routes]]
to = ["phone"]
`;

interface World extends PipelineHarness {
  readonly answers: ChannelAnswers;
  readonly logs: string[];
  readonly id: string;
  /** The worker takes it. */
  readonly take: () => Promise<LeasedDelivery>;
  readonly sent: (delivery: LeasedDelivery) => Promise<void>;
  readonly put: (id?: string) => Promise<void>;
  /** Operations that were planned, in order. */
  readonly planned: () => Promise<readonly string[]>;
}

let ending: readonly ChannelAnswers[] = [];
afterEach(async () => {
  await Promise.all(ending.map((answers) => answers.stop()));
  ending = [];
});

/** A notification that somebody is to answer; `between` runs before each decision about its messages is written. */
async function world(
  input: Record<string, unknown> = permission('one'),
  between: (store: Store, id: string) => Promise<void> = async () => undefined,
): Promise<World> {
  const harness = await pipelineHarness(SETTINGS);
  const { store, clock } = harness;
  const logs: string[] = [];
  await harness.feed(input, { agent: 'claude' });
  await harness.settle();
  const [delivery] = await harness.notified();
  const id = delivery?.notificationId ?? '';
  const busy = {
    ...store,
    commit: async (decisions: readonly Decision[]) => {
      await between(store, id);
      return store.commit(decisions);
    },
  };
  const config = (): Config => harness.config;
  const answers = createChannelAnswers({
    store,
    deciding: decidingOf(busy, clock.now, config),
    clock,
    config,
    key: Buffer.alloc(32),
    log: (message) => void logs.push(message),
  });
  ending = [...ending, answers];
  const settle = async (): Promise<void> => clock.advance(400);
  return {
    ...harness,
    answers,
    logs,
    id,
    take: async () => {
      const [leased] = await store.claim('phone', { limit: 1, leaseMs: 60_000, now: clock.now() });
      if (leased === undefined) throw new Error('nothing is due');
      return leased;
    },
    sent: async (leased) => {
      const attempt = { deliveryId: leased.id, number: 1, at: clock.now(), ms: 0, ok: true, status: 200, next: 'sent' };
      await settleOne(store, leased.id, leased.token, {
        attempt: { ...attempt, reason: null, error: null, answer: null },
        state: 'sent',
        due: clock.now(),
        lastReason: null,
        lastError: null,
        counters: NO_RETRIES,
        receipt: leased.id,
      });
    },
    put: async (questionId = 'qst_one') => {
      await answers.store.putQuestion({
        id: questionId,
        notificationId: id,
        sessionKey: 'box/dev/claude/one',
        kind: 'permission',
        nonce: 'n',
        inputHash: 'h',
        deadline: clock.now() + 60_000,
        subject: {
          agent: 'claude',
          sessionId: 'one',
          cwd: '/tmp',
          subagent: null,
          tool: 'Bash',
          text: 'touch notes.txt',
          partial: null,
          choices: [],
        },
      });
      await settle();
    },
    planned: async () => {
      await settle();
      const rows = await store.deliveries({ notificationId: id, limit: 100 });
      const inOrder = [...rows].sort((a, b) => a.revision - b.revision);
      return inOrder.map(({ operation, state }) => `${operation} ${state}`);
    },
  };
}

const shows = async ({ answers, clock }: World, delivery: LeasedDelivery): Promise<boolean> => {
  const shown = answers.showQuestion('phone', delivery, true);
  await clock.advance(400); // as long as a message waits for its question
  return (await shown).question !== null;
};

test('a message that waits for its question is not changed for it', async () => {
  const w = await world();
  const delivery = await w.take();
  const shown = w.answers.showQuestion('phone', delivery, true);
  await w.put();
  expect((await shown).question).not.toBeNull();
  await w.sent(delivery);
  expect(await w.planned()).toEqual(['send sent']);
});

test('a question that its group shows alone keeps its buttons', async () => {
  const w = await world();
  const delivery = await w.take();
  await w.put();
  const alone = { ...delivery, id: 'dlv_group', notificationId: 'ntf_group', threadKey: 'group:x' };
  expect(await shows(w, alone)).toBe(true);
  expect(await shows(w, { ...alone, content: { ...alone.content, count: 2 } })).toBe(false);
});

test('nor is one that is taken, and made only afterwards', async () => {
  const w = await world();
  const delivery = await w.take();
  await w.put();
  expect(await shows(w, delivery)).toBe(true);
  expect(await w.planned()).toEqual(['send leased']);
});

test.each([
  ['is being sent', false],
  ['was sent', true],
])('a message that %s without it is changed once', async (_name, isSent) => {
  const w = await world();
  const delivery = await w.take();
  expect(await shows(w, delivery)).toBe(false);
  if (isSent) await w.sent(delivery);
  await w.put();
  w.answers.refresh(w.id);
  await w.answers.store.closeQuestion('qst_one', 'the agent no longer waits');
  // The update that waits shows each of the three.
  expect(await w.planned()).toEqual([isSent ? 'send sent' : 'send leased', 'update pending']);
});

test('a message that is being sent with a question is changed for the next one of the same request', async () => {
  const w = await world();
  const delivery = await w.take();
  await w.put();
  expect(await shows(w, delivery)).toBe(true);
  await w.put('qst_two');
  expect(await w.planned()).toEqual(['send leased', 'update pending']);
});

test('a message of a daemon before this one is changed, and once its update is made, changed again at the end', async () => {
  const w = await world();
  await w.sent(await w.take());
  await w.put();
  expect(await w.planned()).toEqual(['send sent', 'update pending']);
  const update = await w.take();
  expect(await shows(w, update)).toBe(true);
  await w.answers.store.closeQuestion('qst_one', 'the agent no longer waits');
  expect(await w.planned()).toEqual(['send sent', 'update leased', 'update pending']);
});

test('a message that was made while an answer was on its way is changed when it came too late', async () => {
  const w = await world();
  await w.sent(await w.take());
  await w.put();
  const given = { id: 'qst_one', nonce: 'n', by: 'ada (phone)' };
  const answer = { type: 'allow', by: 'ada', via: 'phone' };
  await w.store.answerQuestion({ ...given, inputHash: 'h', answer, now: w.clock.now() });
  const update = await w.take();
  const settled = async (of: LeasedDelivery) => (await w.answers.showQuestion('phone', of, true)).settled;
  expect(await settled(update)).toBe(null); // nobody knows yet
  await w.sent(update);
  expect(await w.answers.store.settleAnswer({ ...given, why: 'answered at the terminal' })).toBe(true);
  expect(await w.planned()).toEqual(['send sent', 'update sent', 'update pending']);
  expect(await settled(await w.take())).toBe('answered at the terminal');
});

test('a message that was changed as its session went on, while an answer was on its way, offers nothing once that is known to be taken', async () => {
  const w = await world();
  await w.sent(await w.take());
  await w.put();
  await w.sent(await w.take());
  const given = { id: 'qst_one', nonce: 'n', by: 'ada (phone)' };
  const answer = { type: 'allow', by: 'ada', via: 'phone' };
  await w.store.answerQuestion({ ...given, inputHash: 'h', answer, now: w.clock.now() });
  await resolveSeen(
    w.id,
    'its tool has run',
    decidingOf(w.store, w.clock.now, () => w.config),
  );
  const resolved = await w.take();
  expect(await shows(w, resolved)).toBe(true); // nobody knows yet
  await w.sent(resolved);
  expect(await w.answers.store.settleAnswer({ ...given, why: null })).toBe(true);
  w.answers.refresh(w.id);
  expect((await w.planned()).at(-1)).toBe('update pending');
  const last = await w.take();
  expect(await shows(w, last)).toBe(false);
  await w.sent(last);
  w.answers.refresh(w.id);
  expect((await w.planned()).at(-1)).toBe('update sent');
});

/** Somebody else writes the notification; it stays open. */
async function touch(store: Store, id: string): Promise<void> {
  const notification = await store.notification(id);
  if (notification === null) throw new Error('it is gone');
  const decision: Decision = {
    entryId: `touch:${notification.version}`,
    at: 0,
    events: [],
    notifications: [notification],
    cancel: [],
    deliveries: [],
    timers: { set: [], clear: [] },
    sessions: [],
  };
  expect(await commitOne(store, decision)).toBe('written');
}

/** The first `times`. */
const touches = (times: number) => {
  let left = times;
  return async (store: Store, id: string): Promise<void> => {
    if (left-- > 0) await touch(store, id);
  };
};

test.each([
  ['others write it twice: one update all the same', 2, ['send sent', 'update pending'], []],
  [
    'others write it all the time: it is logged',
    100,
    ['send sent'],
    ['a message could not be changed for its question'],
  ],
])('%s', async (_name, times, planned, logs) => {
  const w = await world(permission('one'), touches(times));
  await w.sent(await w.take());
  await w.put();
  expect([await w.planned(), w.logs]).toEqual([planned, logs]);
});

test.each([
  ['twice: it is resolved', 2, 'resolved'],
  ['all the time: it stays open, and whoever asks hears of it', 100, 'open'],
])('a finish that was seen while others write it %s', async (_name, times, state) => {
  const between = touches(times);
  const { store, clock, config, id } = await world(stop('one'));
  const busy = {
    ...store,
    commit: async (decisions: readonly Decision[]) => {
      await between(store, id);
      return store.commit(decisions);
    },
  };
  const deciding = decidingOf(busy, clock.now, () => config);
  const seen = resolveSeen(id, 'its pane is in front of you', deciding);
  if (state === 'open') await expect(seen).rejects.toThrow('written by others');
  else await seen;
  expect((await store.notification(id))?.state).toBe(state);
});
