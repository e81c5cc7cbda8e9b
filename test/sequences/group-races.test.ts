// Groups when something else happens at the very moment at which they go out: nothing is left behind, and nothing goes out as what it is not.
import { expect, test } from 'vitest';
import { type BatchDeps, batchHandler } from '../../src/decisions/batch/let-out.ts';
import { reviewHolds } from '../../src/decisions/batch/stale-holds.ts';
import { muteHold } from '../../src/dispatch/silence.ts';
import type { Store } from '../../src/store/contract.ts';
import { decidingOf } from '../support/deciding.ts';
import { type Timeline, timeline } from '../support/timeline.ts';
import { timersDue } from '../support/timers.ts';

const settings = (group: string, more = ''): string => `
[channels.desk]
type = "slack"
url = "https://127.0.0.1:9/services/x"
allow_private = true
[[routes]]
match = { kind = "agent.finished" }
to = ["desk"]
group = { by = ["kind"], ${group} }
${more}
`;

const titles = (line: Timeline): readonly string[] => line.got.map(({ at, title }) => `${at} ${title}`);

/** What handles timers in a daemon whose store is this one. */
const depsOf = ({ harness }: Timeline, store: Store): BatchDeps => {
  const config = () => harness.config;
  return { ...decidingOf(store, harness.clock.now, config), store, config, home: '/home/dev' };
};

/** The next timer of the group fires, in a store in which something else happens meanwhile. */
async function fire(line: Timeline, more: Partial<Store>): Promise<void> {
  const { store, clock } = line.harness;
  const [timer] = (await timersDue(store)).filter(({ id }) => id.startsWith('group:'));
  if (timer === undefined) throw new Error('no group is waiting');
  clock.jump(timer.due - clock.now());
  await batchHandler(depsOf(line, { ...store, ...more }))(timer);
}

test.each([
  ['with its timer', false],
  ['whose timer was lost', true],
])('a group that waits %s is no digest after a restart, nor with new settings', async (_name, lost) => {
  const line = await timeline(settings('wait = "1m", every = "2m"'));
  const { store, clock } = line.harness;
  await line.act('finish a@api');
  await line.to(10);
  await line.act('finish b@web');
  await line.to(20);
  const [timer] = (await timersDue(store)).filter(({ id }) => id.startsWith('group:'));
  if (lost) await store.clearTimer(timer?.id ?? '');
  await reviewHolds(store, clock.now());
  await line.to(600);
  expect(titles(line)).toEqual(['60 2 sessions finished: api, web']);
});

test('what comes shortly before a group grows goes with what waits for that, also where its timer was lost', async () => {
  const line = await timeline(settings('wait = "2s", every = "1m"'));
  const { store, clock } = line.harness;
  await line.act('finish a@api');
  await line.to(10);
  await line.act('finish b@web');
  const [timer] = (await timersDue(store)).filter(({ id }) => id.startsWith('group:'));
  await store.clearTimer(timer?.id ?? '');
  await reviewHolds(store, clock.now());
  await line.to(61);
  await line.act('finish c@infra');
  await line.to(600);
  expect(titles(line).slice(1)).toEqual(['62 3 sessions finished: api, web, infra']);
});

test.each([
  ['when the pause after the last message ends', 'wait = "2s", every = "1m"'],
  ['with messages that need no pause', 'wait = "2s", every = "0s"'],
])('what joins while its group clears the timer goes out all the same, %s', async (_name, group) => {
  const line = await timeline(settings(group));
  const { store } = line.harness;
  await line.act('finish a@api');
  if (group.includes('1m')) await line.to(2);
  let joined = false;
  const join = async (): Promise<void> => {
    if (joined) return;
    joined = true;
    await line.harness.feed(
      { hook_event_name: 'Stop', session_id: 'b', cwd: '/home/dev/src/web' },
      { agent: 'claude' },
    );
    await line.harness.settle();
  };
  await fire(line, {
    clearTimer: async (id) => {
      await join();
      await store.clearTimer(id);
    },
    commit: async (decisions) => {
      await join();
      return store.commit(decisions);
    },
  });
  await line.to(600);
  expect(line.got.flatMap(({ events }) => events)).toHaveLength(
    new Set(line.got.flatMap(({ events }) => events)).size + 1,
  );
  expect(line.got.at(-1)?.title).toBe('2 sessions finished: api, web');
  expect(await store.deliveries({ states: ['pending'] })).toEqual([]);
});

test('a mute that ends while its group is held for it holds nothing', async () => {
  const line = await timeline(settings('wait = "1m", every = "2m"'));
  const { store, clock } = line.harness;
  await line.act('finish a@api');
  await line.to(10);
  await line.act('mute');
  const [silence] = await store.silences(clock.now());
  if (silence === undefined) throw new Error('nothing is muted');
  await fire(line, {
    commit: async (decisions) => {
      await store.removeSilences({});
      for (const timer of await store.timers([muteHold(silence)])) await batchHandler(depsOf(line, store))(timer);
      return store.commit(decisions);
    },
  });
  await line.to(600);
  expect(titles(line)).toEqual(['60 While it was muted: 1 finished']);
});

test('somebody who looks at one session of a group has not seen the others', async () => {
  const line = await timeline(settings('wait = "2s", every = "1m"', 'when = "away"'));
  await line.act('look');
  await line.act('finish a@api');
  await line.act('finish b@web');
  await line.to(600);
  expect(titles(line)).toEqual(['2 2 sessions finished: api, web']);
});
