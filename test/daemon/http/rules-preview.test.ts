// The last days under other rules, read from a store: what its routes were asked about, when each was over, and how much is looked at.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { channelProfiles } from '../../../src/daemon/channels/channel-profiles.ts';
import { previewRules } from '../../../src/daemon/http/reads/rules-preview.ts';
import type { RuleSet } from '../../../src/daemon/processing/past-course.ts';
import type { Event } from '../../../src/model/event/event.ts';
import { notificationIdOf } from '../../../src/model/ids.ts';
import type { StoreReader } from '../../../src/store/contract.ts';
import { openStore } from '../../../src/store/open.ts';
import { temporaryFolder } from '../../support/home.ts';
import { madeDecision, madeEvent, madeNotification } from '../../support/made.ts';
import { pipelineHarness } from '../../support/pipeline-harness.ts';
import { commitOne } from '../../support/store-writes.ts';

const NOW = Date.UTC(2026, 5, 8, 12);
const MINUTE = 60_000;
const CHANNELS = '[channels.desk]\ntype = "slack"\nurl = "https://hooks.example.com/a"\n';
const ALL = `${CHANNELS}[[routes]]\nto = ["desk"]\n`;
const DELAYED = `${ALL}delay = "10m"\n`;

async function rules(toml: string): Promise<RuleSet> {
  const loaded = await loadConfig(toml);
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  return { config: loaded.config, profiles: channelProfiles(loaded.config) };
}

type Store = Awaited<ReturnType<typeof openStore>>;

async function emptyStore(): Promise<Store> {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  onTestFinished(() => store.close());
  return store;
}

/** Never fires. */
const { signal: WANTED } = new AbortController();

async function preview(store: StoreReader, present: string, proposed: string, days = 7, over = WANTED) {
  const context = {
    store,
    now: NOW,
    displayName: (name: string) => name,
    rules: { routes: [], channels: [], home: '/' },
    lost: new Map(),
  };
  return previewRules(context, { present: await rules(present), proposed: await rules(proposed), days }, over);
}

const ROUTED = [{ stage: 'route', verdict: 'route', note: 'desk: route 1' }] as const;
const row = (
  event: Event,
  verdicts: readonly { stage: string; verdict: 'route' | 'stop'; note: string }[] = ROUTED,
) => ({
  event,
  fingerprint: null,
  verdicts: [...verdicts],
});

test('what routes were never asked about does not count, nor what is older', async () => {
  const store = await emptyStore();
  const at = NOW - 60 * MINUTE;
  await commitOne(
    store,
    madeDecision({
      events: [
        row(madeEvent({ id: 'routed', at })),
        row(madeEvent({ id: 'nobody', at: at + 1 }), [{ stage: 'route', verdict: 'stop', note: 'no route matches' }]),
        row(madeEvent({ id: 'repeat', at: at + 2 }), [{ stage: 'dedupe', verdict: 'stop', note: 'reported already' }]),
        row(madeEvent({ id: 'direct', at: at + 3 }), [
          { stage: 'test', verdict: 'route', note: 'desk: sent directly' },
        ]),
        row(madeEvent({ id: 'old', at: NOW - 8 * 24 * 60 * MINUTE })),
      ],
    }),
  );
  const found = await preview(store, ALL, `${CHANNELS}[[routes]]\nto = []\n`);
  expect(found).toMatchObject({
    events: 2,
    cut: null,
    from: new Date(NOW - 7 * 24 * 60 * MINUTE).toISOString(),
    until: new Date(NOW).toISOString(),
    messages: { before: { messages: 2 }, after: { messages: 0 } },
  });
  expect(found.changes.map(({ event_id }) => event_id)).toEqual(['nobody', 'routed']);
  expect((await preview(store, ALL, ALL, 30)).events).toBe(3);
});

test('what was over before its delay is not sent; what nobody heard of is over once its session goes on', async () => {
  const store = await emptyStore();
  const event = (id: string, minutes: number, sessionId: string): Event =>
    madeEvent({ id, sessionId, at: NOW - 120 * MINUTE + minutes * MINUTE });
  const notified = (of: Event, over: number | null) =>
    madeNotification({
      id: notificationIdOf(of.id),
      eventIds: [of.id],
      state: over === null ? 'open' : 'resolved',
      resolved: over === null ? null : { at: of.at + over * MINUTE, why: 'over' },
    });
  const [soon, late, open, unheard, next] = [
    event('soon', 0, 'a'),
    event('late', 1, 'b'),
    event('open', 2, 'c'),
    event('unheard', 3, 'd'),
    event('next', 5, 'd'),
  ] as const;
  await commitOne(
    store,
    madeDecision({
      events: [soon, late, open, unheard, next].map((one) => row(one)),
      notifications: [notified(soon, 5), notified(late, 15), notified(open, null)],
    }),
  );
  const { messages, changes } = await preview(store, ALL, DELAYED);
  expect(messages).toMatchObject({ before: { messages: 5 }, after: { messages: 3 } });
  expect(changes.filter(({ difference }) => difference === 'nobody').map(({ event_id }) => event_id)).toEqual([
    'unheard',
    'soon',
  ]);
});

test('at most the latest 5,000, and that is said', async () => {
  const store = await emptyStore();
  const COUNT = 5_200;
  for (let from = 0; from < COUNT; from += 400) {
    const events = Array.from({ length: 400 }, (_, i) =>
      row(madeEvent({ id: `event-${from + i}`, sessionId: `s${from + i}`, at: NOW - (COUNT - from - i) * 1_000 })),
    );
    await commitOne(store, madeDecision({ entryId: `many-${from}`, events }));
  }
  const found = await preview(store, ALL, ALL);
  expect(found).toMatchObject({ events: 5_000, cut: 'events', changed: 0, messages: { before: { messages: 5_000 } } });
  expect(found.from).toBe(new Date(NOW - 5_000 * 1_000).toISOString());
});

test('one that nobody waits for any more ends, whether it reads or decides', async () => {
  const store = await emptyStore();
  const events = Array.from({ length: 1_200 }, (_, i) => row(madeEvent({ id: `event-${i}`, at: NOW - i })));
  await commitOne(store, madeDecision({ events }));
  /** Reads of events until it ended; `last`: after which of them nobody waits any more. */
  const readsUntil = async (last: number): Promise<number> => {
    const over = new AbortController();
    let reads = 0;
    const counted: Pick<StoreReader, 'events' | 'notifications'> = {
      notifications: (filter) => store.notifications(filter),
      events: (filter) => {
        reads += 1;
        if (reads === last) over.abort('nobody waits');
        return store.events(filter);
      },
    };
    await expect(preview(counted as StoreReader /* all that it reads by */, ALL, DELAYED, 7, over.signal)).rejects.toBe(
      'nobody waits',
    );
    return reads;
  };
  expect([await readsUntil(1), await readsUntil(4)]).toEqual([1, 4]); // the fourth finds no more
});

test('other words are shown beside those of now', async () => {
  const store = await emptyStore();
  await commitOne(store, madeDecision({ events: [row(madeEvent({ at: NOW - MINUTE }))] }));
  const words = '[messages]\ntitle = { "agent.finished" = "Done: {project}" }\n';
  expect((await preview(store, ALL, `${ALL}${words}`)).titles).toEqual([
    { event_id: 'event-0001', before: 'payments: generic finished', after: 'Done: payments' },
  ]);
  expect((await preview(store, ALL, ALL)).titles).toEqual([]);
});

test('under the rules in force it is what was sent', async () => {
  const toml = `${CHANNELS}[channels.audit]\ntype = "webhook"\nurl = "http://127.0.0.1:9/"\nallow_private = true
[[routes]]
match = { kind = "agent.waiting" }
to = ["desk", "audit"]
escalate = [{ after = "2m", to = ["audit"] }]
[[routes]]
to = ["audit"]
`;
  const harness = await pipelineHarness(toml);
  const wait = (ms: number) => harness.clock.advance(ms);
  for (let turn = 0; turn < 12; turn++) {
    const session_id = `s${turn % 3}`;
    const base = { session_id, cwd: '/src/payments' };
    await harness.feed({ ...base, hook_event_name: 'UserPromptSubmit', prompt: `do ${turn}` });
    await harness.settle();
    await wait(5_000);
    await harness.feed({
      ...base,
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      message: 'Claude needs your permission to use Bash',
    });
    await harness.settle();
    await wait(turn % 2 === 0 ? 30_000 : 200_000);
    await harness.feed({ ...base, hook_event_name: 'Stop', last_assistant_message: `done ${turn}` });
    await harness.settle();
    await wait(61_000);
  }
  // Nothing is sent here: what was taken back only after it was due would have been.
  const sent = (await harness.store.deliveries({ operations: ['send'], limit: 1_000 })).filter(
    ({ state, due, updatedAt }) => state !== 'cancelled' || updatedAt >= due,
  );
  const count = (channel: string): number => sent.filter((one) => one.channel === channel).length;
  const context = {
    store: harness.store,
    now: harness.clock.now() + 10 * MINUTE,
    displayName: (name: string) => name,
    rules: { routes: [], channels: [], home: '/' },
    lost: new Map(),
  };
  const set: RuleSet = { config: harness.config, profiles: channelProfiles(harness.config) };
  const { channels } = await previewRules(context, { present: set, proposed: set, days: 1 }, WANTED);
  expect(Object.fromEntries(channels.map(({ channel, before }) => [channel, before.messages]))).toEqual({
    desk: count('desk'),
    audit: count('audit'),
  });
  expect(count('audit')).toBeGreaterThan(count('desk'));
  expect(count('desk')).toBe(12);
});
