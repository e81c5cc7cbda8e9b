// Groups when something else happens at the very moment at which they go out: nothing is left behind, and nothing goes out as what it is not.
import { expect, test } from 'vitest';
import { reviewHolds } from '../../src/daemon/stale-holds.ts';
import { type Timeline, timeline } from '../support/timeline.ts';

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
  const [timer] = await store.timersBeginning('group:');
  if (lost) await store.clearTimer(timer?.id ?? '');
  await reviewHolds(store, clock.now());
  await line.to(600);
  expect(titles(line)).toEqual(['60 2 sessions finished: api, web']);
});
