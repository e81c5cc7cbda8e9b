// Real opencode tries a request again as late as its service wants it to: Belfry says so once, counts down, and gives it nothing, whatever the settings.
import { expect, test } from 'vitest';
import { until } from '../support/wait.ts';
import { worldOf } from './asked-clients.ts';
import { retryLater } from './model/failures.ts';
import { eventsIn, letGoOn, limitsIn, openAndFail, sessionIn } from './stopped-session.ts';

/** Belfry is told of what takes more than a minute, ms. */
const LATER = 66_000;

test('opencode, told once to wait', async () => {
  const w = await worldOf('opencode')();
  if (w === null) return;
  await letGoOn(w);
  let began = 0;
  const terminal = await openAndFail(w, () => {
    began = Date.now();
    return retryLater(LATER / 1_000);
  });
  const limit = await until(async () => (await sessionIn(w)).limit, 'the limit to be told');
  const resetsAt = Date.parse(limit.resets_at ?? '');
  expect(limit).toMatchObject({ name: 'usage', goes_on: true });
  expect(resetsAt).toBeGreaterThanOrEqual(began + LATER);
  expect(resetsAt).toBeLessThanOrEqual(Date.now() + LATER);
  expect(await limitsIn(w)).toMatchObject([{ agent: 'opencode', resets_at: limit.resets_at, sessions: 1 }]);
  const left = async (): Promise<string | undefined> =>
    /usage limit, (.+? left)/.exec((await w.belfry('sessions')).stdout)?.[1];
  const first = await until(left, 'the time that is left');
  await until(async () => ((await left()) ?? first) !== first, 'it to be counted down');
  const before = w.model.prompts.length;
  expect((await w.belfry('continue')).stdout).toBe('No session has stopped.\n');
  // It tries again at that time, and once more: that is the same limit.
  w.model.failure = retryLater(1);
  await until(() => w.model.refused > 1, 'its next try');
  expect(Date.now()).toBeGreaterThanOrEqual(resetsAt - 1_000);
  w.model.failure = null;
  await until(async () => (await sessionIn(w)).state === 'finished', 'it to finish');
  expect(w.model.prompts.slice(before)).toEqual([expect.stringMatching(/^\W*say it again\W*$/)]);
  expect(await limitsIn(w)).toEqual([]);
  expect(await eventsIn(w, 'session.failed', 'retrying')).toHaveLength(1);
  expect(await eventsIn(w, 'limit.reached', 'usage')).toHaveLength(1);
  await terminal.shows('That is done.');
});
